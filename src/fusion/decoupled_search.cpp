#include "fusion/search.hpp"
#include "fusion/totals_search.hpp"

namespace ricci::fusion {

SearchResult decoupled_search(const Forest& forest, const Tree& tree, double limit_bytes,
                              const SearchOptions& options) {
  SearchResult result;
  for (const TotalsCandidate& candidate : candidates_by_totals(forest, tree, Totals::memory)) {
    ++result.candidates;
    result.best = tile(forest, tree, candidate.structure, limit_bytes, options);
  }
  return result;
}

}  // namespace ricci::fusion
