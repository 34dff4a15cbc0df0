#include "spin/merge_terms.hpp"

#include <map>

#include "spin/term_key.hpp"

namespace ricci::spin {

std::vector<Term> merge_terms(const SpinTensors& spins, const Target& target, const Pattern& block,
                              const std::vector<Term>& terms) {
  std::vector<Term> result;
  std::vector<int> signs;
  std::map<TermKey, std::size_t> places;
  for (const Term& term : terms) {
    int sign = 0;
    const TermKey key = term_key(spins, target, block, term, sign);
    if (sign == 0) continue;
    const auto [place, is_new] = places.emplace(key, result.size());
    if (is_new) {
      result.push_back(term);
      signs.push_back(sign);
    } else {
      result[place->second].coefficient += term.coefficient * sign * signs[place->second];
    }
  }
  std::erase_if(result, [](const Term& term) { return term.coefficient == 0; });
  return result;
}

}  // namespace ricci::spin
