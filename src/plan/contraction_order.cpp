#include "plan/contraction_order.hpp"

#include <bit>
#include <limits>
#include <tuple>

namespace ricci::planning {

namespace {

struct Score {
  double multiply_adds = 0, elements = 0;  // elements: of all intermediates
  bool operator<(const Score& other) const {
    return std::tie(multiply_adds, elements) < std::tie(other.multiply_adds, other.elements);
  }
  Score operator+(const Score& other) const { return {multiply_adds + other.multiply_adds, elements + other.elements}; }
};

class OrderSearch {
 public:
  OrderSearch(const std::vector<LabelSet>& factors, LabelSet output, const std::vector<std::int64_t>& extents)
      : factors_(factors), output_(output), extents_(extents) {}

  ContractionOrder exact() const;
  ContractionOrder greedy() const;

 private:
  double size(LabelSet labels) const {
    double product = 1;
    for (; labels != 0; labels &= labels - 1) product *= static_cast<double>(extents_[std::countr_zero(labels)]);
    return product;
  }
  /// The labels of the product of some factors that are still needed outside of it.
  LabelSet kept(std::uint32_t members) const {
    LabelSet inside = 0, outside = output_;
    for (std::size_t f = 0; f < factors_.size(); ++f) ((members >> f) & 1 ? inside : outside) |= factors_[f];
    return inside & outside;
  }
  Score merge_score(LabelSet left, LabelSet right, LabelSet result) const { return {size(left | right), size(result)}; }

  const std::vector<LabelSet>& factors_;
  LabelSet output_;
  const std::vector<std::int64_t>& extents_;
};

ContractionOrder OrderSearch::exact() const {
  const int n = static_cast<int>(factors_.size());
  const std::uint32_t all = (1u << n) - 1;
  std::vector<Score> best(all + 1);
  std::vector<std::uint32_t> split(all + 1, 0);
  std::vector<LabelSet> labels(all + 1, 0);
  for (std::uint32_t set = 1; set <= all; ++set) labels[set] = kept(set);
  for (std::uint32_t set = 1; set <= all; ++set) {
    if (std::has_single_bit(set)) continue;
    best[set] = {std::numeric_limits<double>::infinity(), 0};
    // Each unordered split once: the part with the lowest factor.
    const std::uint32_t lowest = set & (~set + 1);
    for (std::uint32_t part = (set - 1) & set; part != 0; part = (part - 1) & set) {
      if (!(part & lowest)) continue;
      const std::uint32_t rest = set ^ part;
      const Score score = best[part] + best[rest] + merge_score(labels[part], labels[rest], labels[set]);
      if (split[set] == 0 || score < best[set]) {
        best[set] = score;
        split[set] = part;
      }
    }
  }
  ContractionOrder order;
  order.multiply_adds = best[all].multiply_adds;
  const auto build = [&](auto&& self, std::uint32_t set) -> int {
    if (std::has_single_bit(set)) return std::countr_zero(set);
    const int left = self(self, split[set]);
    const int right = self(self, set ^ split[set]);
    order.merges.push_back({left, right});
    return n + static_cast<int>(order.merges.size()) - 1;
  };
  build(build, all);
  return order;
}

// Always the pair whose product is cheapest next.
ContractionOrder OrderSearch::greedy() const {
  const int n = static_cast<int>(factors_.size());
  struct Part {
    int number;
    LabelSet labels;
  };
  std::vector<Part> parts;
  for (int f = 0; f < n; ++f) parts.push_back({f, factors_[f]});
  ContractionOrder order;
  while (parts.size() > 1) {
    Score best{std::numeric_limits<double>::infinity(), 0};
    std::size_t left = 0, right = 1;
    LabelSet result = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        LabelSet outside = output_;
        for (std::size_t k = 0; k < parts.size(); ++k) {
          if (k != i && k != j) outside |= parts[k].labels;
        }
        const LabelSet kept = (parts[i].labels | parts[j].labels) & outside;
        const Score score = merge_score(parts[i].labels, parts[j].labels, kept);
        if (score < best || (i == 0 && j == 1)) best = score, left = i, right = j, result = kept;
      }
    }
    order.merges.push_back({parts[left].number, parts[right].number});
    order.multiply_adds += best.multiply_adds;
    parts[left] = {n + static_cast<int>(order.merges.size()) - 1, result};
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(right));
  }
  return order;
}

}  // namespace

ContractionOrder best_order(const std::vector<LabelSet>& factors, LabelSet output,
                            const std::vector<std::int64_t>& extents, int exact_limit) {
  if (factors.size() < 2) return {};
  const OrderSearch search(factors, output, extents);
  return static_cast<int>(factors.size()) <= exact_limit ? search.exact() : search.greedy();
}

}  // namespace ricci::planning
