#include "compile/product_key.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "compile/spellings.hpp"

namespace ricci::compile {

namespace {

constexpr double most_spellings = 5000;  // beyond, a product is only found where it is written the same way

class KeySearch {
 public:
  KeySearch(const std::vector<Operand>& factors, const std::vector<std::int64_t>& values, const std::vector<int>& kept)
      : factors_(factors), values_(values), kept_(kept) {}

  /// The spelling chosen for each factor, in the order of factors to be written.
  void consider(const std::vector<int>& order, const std::vector<const Spelling*>& chosen) {
    ProductKey key;
    std::map<int, int> numbers;
    for (int f : order) {
      key.text += fmt::format("{}{}:", values_[f], factors_[f].conjugate ? "*" : "");
      key.sign *= chosen[f]->sign;
      for (int label : chosen[f]->labels) {
        const bool is_kept = std::find(kept_.begin(), kept_.end(), label) != kept_.end();
        const auto [it, fresh] = numbers.try_emplace(label, static_cast<int>(numbers.size()));
        if (fresh && is_kept) key.labels.push_back(label);
        key.text += fmt::format("{}{},", is_kept ? "k" : "s", it->second);
      }
      key.text += ' ';
    }
    if (!best_ || key.text < best_->text) best_ = std::move(key);
  }

  ProductKey best() { return std::move(*best_); }

 private:
  const std::vector<Operand>& factors_;
  const std::vector<std::int64_t>& values_;
  const std::vector<int>& kept_;
  std::optional<ProductKey> best_;
};

/// Calls `f` with every choice of one spelling a factor.
template <class F>
void for_each_choice(const std::vector<std::vector<Spelling>>& all, F f) {
  std::vector<const Spelling*> chosen(all.size());
  const auto choose = [&](auto&& self, std::size_t factor) -> void {
    if (factor == all.size()) return f(chosen);
    for (const Spelling& spelling : all[factor]) {
      chosen[factor] = &spelling;
      self(self, factor + 1);
    }
  };
  choose(choose, 0);
}

}  // namespace

ProductKey product_key(const Formula& formula, const std::vector<Operand>& factors,
                       const std::vector<std::int64_t>& values, const std::vector<int>& kept) {
  std::vector<int> order(factors.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return values[x] < values[y]; });

  double count = 1;
  std::map<std::int64_t, int> repeats;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    count *= spelling_count(*formula.arrays[factors[f].array].shape) * ++repeats[values[f]];
  }
  std::vector<std::vector<Spelling>> all;
  for (const Operand& factor : factors) {
    const bool many = count > most_spellings;
    all.push_back(many ? std::vector<Spelling>{{factor.labels, 1}}
                       : spellings(factor.labels, *formula.arrays[factor.array].shape));
  }
  KeySearch search(factors, values, kept);
  const auto same_value = [&](int x, int y) { return values[x] < values[y]; };
  // Factors of one value may stand in any order.
  const auto permute = [&](auto&& self, std::size_t first) -> void {
    if (first == order.size()) return for_each_choice(all, [&](const auto& chosen) { search.consider(order, chosen); });
    const auto end =
        std::upper_bound(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(), order[first], same_value);
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, end);
    do {
      self(self, static_cast<std::size_t>(end - order.begin()));
    } while (count <= most_spellings && std::next_permutation(begin, end));
  };
  permute(permute, 0);
  return search.best();
}

}  // namespace ricci::compile
