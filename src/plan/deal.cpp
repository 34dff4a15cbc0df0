#include "plan/deal.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ricci::planning {

namespace {

constexpr double most_ways = 300'000;
constexpr std::size_t refined = 64;  // of the best by the pair

class Dealer {
 public:
  Dealer(int ranks, const std::vector<std::int64_t>& extents,
         const std::function<double(const std::vector<int>&)>& seconds, std::size_t most)
      : ranks_(ranks), extents_(extents), seconds_(seconds), most_(most), parts_(extents.size(), 1) {}

  std::vector<Deal> run() {
    std::map<int, int> factors;  // factor: how often
    for (int left = ranks_, prime = 2; left > 1; ++prime) {
      for (; left % prime == 0; left /= prime) ++factors[prime];
    }
    for (const auto& [prime, count] : factors) primes_.push_back(prime);
    const bool is_coarse = coarsen(factors);
    std::vector<int> units;
    for (const auto& [factor, count] : factors) units.insert(units.end(), static_cast<std::size_t>(count), factor);
    deal(units, 0, 0);
    tidy(most_);
    if (is_coarse) refine();
    return std::move(deals_);
  }

 private:
  /// The ways to put `count` equal things into the labels' boxes and one for nobody.
  double ways(int count) const {
    double product = 1;
    for (std::size_t l = 1; l <= extents_.size(); ++l) {
      product *= static_cast<double>(count + static_cast<int>(l)) / static_cast<double>(l);
    }
    return product;
  }

  bool coarsen(std::map<int, int>& factors) const {
    bool any = false;
    while (true) {
      double all = 1;
      for (const auto& [factor, count] : factors) all *= ways(count);
      const auto commonest = std::max_element(factors.begin(), factors.end(),
                                              [](const auto& x, const auto& y) { return x.second < y.second; });
      if (all <= most_ways || commonest == factors.end() || commonest->second < 2) return any;
      const auto [factor, count] = *commonest;
      factors.erase(commonest);
      if (count % 2 == 1) factors[factor] = 1;
      factors[factor * factor] += count / 2;
      any = true;
    }
  }

  /// Equal factors go to labels in order, so that each way comes once.
  void deal(const std::vector<int>& units, std::size_t at, std::size_t first) {
    if (at == units.size()) {
      deals_.push_back({parts_, seconds_(parts_)});
      if (deals_.size() >= 2 * std::max<std::size_t>(most_, 4096) && most_ < deals_.size()) tidy(most_);
      return;
    }
    const bool same = at > 0 && units[at] == units[at - 1];
    for (std::size_t l = same ? first : 0; l <= extents_.size(); ++l) {
      if (l == extents_.size()) {
        deal(units, at + 1, l);
      } else if (std::int64_t{parts_[l]} * units[at] <= extents_[l]) {
        parts_[l] *= units[at];
        deal(units, at + 1, l);
        parts_[l] /= units[at];
      }
    }
  }

  /// From the best on, one prime factor at a time goes to another label, from nobody or to nobody, while that is
  /// faster.
  void refine() {
    std::set<std::vector<int>> known;
    for (const Deal& deal : deals_) known.insert(deal.parts);
    const std::size_t count = std::min(refined, deals_.size());
    for (std::size_t i = 0; i < count; ++i) {
      Deal best = deals_[i];
      for (bool moved = true; moved;) {
        moved = false;
        for (const Deal& neighbour : neighbours(best.parts)) {
          if (neighbour.seconds >= best.seconds) continue;
          best = neighbour;
          moved = true;
        }
      }
      if (known.insert(best.parts).second) deals_.push_back(std::move(best));
    }
    tidy(most_);
  }

  std::vector<Deal> neighbours(const std::vector<int>& parts) const {
    std::vector<Deal> result;
    int used = 1;
    for (int count : parts) used *= count;
    const std::size_t nobody = parts.size();
    for (int prime : primes_) {
      for (std::size_t from = 0; from <= nobody; ++from) {
        if ((from == nobody ? ranks_ / used : parts[from]) % prime != 0) continue;
        for (std::size_t to = 0; to <= nobody; ++to) {
          if (to == from || (to < nobody && std::int64_t{parts[to]} * prime > extents_[to])) continue;
          std::vector<int> moved = parts;
          if (from < nobody) moved[from] /= prime;
          if (to < nobody) moved[to] *= prime;
          const double seconds = seconds_(moved);
          result.push_back({std::move(moved), seconds});
        }
      }
    }
    return result;
  }

  /// The best so many, in order.
  void tidy(std::size_t count) {
    std::stable_sort(deals_.begin(), deals_.end(), [](const Deal& x, const Deal& y) { return x.seconds < y.seconds; });
    if (deals_.size() > count) deals_.resize(count);
  }

  int ranks_;
  const std::vector<std::int64_t>& extents_;
  const std::function<double(const std::vector<int>&)>& seconds_;
  std::size_t most_;
  std::vector<int> primes_, parts_;
  std::vector<Deal> deals_;
};

}  // namespace

std::vector<Deal> deal_ranks(int ranks, const std::vector<std::int64_t>& extents,
                             const std::function<double(const std::vector<int>& parts)>& seconds, std::size_t most) {
  return Dealer(ranks, extents, seconds, most).run();
}

}  // namespace ricci::planning
