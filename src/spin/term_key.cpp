#include "spin/term_key.hpp"

#include <algorithm>
#include <map>

namespace ricci::spin {

namespace {

/// Spin labels by which others they may stand for.
struct Renaming {
  std::map<int, int> names;
  int sign = 1;
};

class Naming {
 public:
  Naming(const SpinTensors& spins, const Target& target, const Pattern& block, const Term& term)
      : spins_(spins), target_(target), block_(block), term_(term) {}

  TermKey least(int& sign) {
    sign = 0;
    TermKey best;
    for (const Renaming& outer : target_namings()) {
      for (Renaming& naming : summed_namings(outer)) {
        const TermKey key = named(naming);
        if (naming.sign == 0) {
          sign = 0;
          return key;
        }
        if (best.empty() || key < best) {
          best = key;
          sign = naming.sign;
        } else if (key == best && naming.sign != sign) {
          sign = 0;
          return key;
        }
      }
    }
    return best;
  }

 private:
  // More names than this are not tried: terms with so many labels alike are merged only where they are written alike.
  static constexpr std::size_t most_namings = 50'000;

  /// Permutations within each run of modes of one group and spin: one for each coset of what the factors have already.
  std::vector<Renaming> target_namings() const {
    Renaming plain;
    for (std::size_t m = 0; m < target_.labels.size(); ++m)
      plain.names[spin_label(target_.labels[m], block_[m])] = -1 - static_cast<int>(m);
    std::vector<Renaming> all{plain};
    if (target_.tensor < 0) return all;
    for (const SymmetryGroup& group : spins_.groups[target_.tensor]) {
      for (const char spin : {'a', 'b'}) {
        std::vector<int> modes;
        std::copy_if(group.modes.begin(), group.modes.end(), std::back_inserter(modes),
                     [&](int mode) { return block_[mode] == spin; });
        if (modes.size() > 1) all = permuted(all, modes, group.kind);
      }
    }
    return all;
  }

  std::vector<Renaming> permuted(const std::vector<Renaming>& before, const std::vector<int>& modes,
                                 SymmetryKind kind) const {
    const auto label = [&](std::size_t i) { return spin_label(target_.labels[modes[i]], block_[modes[i]]); };
    std::vector<int> order(modes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::vector<Renaming> all;
    do {
      bool is_increasing = true;
      for (std::size_t i = 0; i < order.size() && is_increasing; ++i) {
        for (std::size_t j = i + 1; j < order.size() && is_increasing; ++j)
          is_increasing = order[i] < order[j] || !has_exchange(spins_, term_.factors, kind, label(i), label(j));
      }
      if (!is_increasing) continue;
      for (const Renaming& naming : before) {
        all.push_back(naming);
        for (std::size_t i = 0; i < order.size(); ++i) all.back().names[label(i)] = -1 - modes[order[i]];
        if (kind == SymmetryKind::antisymmetric) all.back().sign *= sign_of(order);
      }
    } while (all.size() < most_namings && std::next_permutation(order.begin(), order.end()));
    return all;
  }

  /// All names for the summed labels: permutations of those of one space and spin.
  std::vector<Renaming> summed_namings(const Renaming& outer) const {
    std::map<std::vector<std::int64_t>, std::vector<int>> kinds;
    for (const Factor& factor : term_.factors) {
      for (const int label : factor.labels) {
        if (outer.names.contains(label)) continue;
        auto& alike = kinds[kind_of(label)];
        if (std::find(alike.begin(), alike.end(), label) == alike.end()) alike.push_back(label);
      }
    }
    std::vector<Renaming> all{outer};
    int next = 0;
    for (auto& [kind, alike] : kinds) {
      std::sort(alike.begin(), alike.end());
      std::vector<Renaming> longer;
      auto order = alike;
      do {
        for (const Renaming& naming : all) {
          longer.push_back(naming);
          for (std::size_t i = 0; i < order.size(); ++i) longer.back().names[order[i]] = next + static_cast<int>(i);
        }
      } while (longer.size() < most_namings && std::next_permutation(order.begin(), order.end()));
      next += static_cast<int>(alike.size());
      all = std::move(longer);
    }
    return all;
  }

  /// Labels of one kind have one space, extent and spin.
  std::vector<std::int64_t> kind_of(int label) const {
    const auto& labels = spins_.program->labels;
    const auto& space = labels[label_of(label)].space;
    const auto same = std::find_if(labels.begin(), labels.end(), [&](const auto& l) { return l.space == space; });
    return {same - labels.begin(), labels[label_of(label)].extent, is_beta(label)};
  }

  /// The term under these names. The sign becomes that of the orders within groups, and 0 where they make it zero.
  TermKey named(Renaming& naming) const {
    std::vector<TermKey> factors;
    for (const Factor& factor : term_.factors) {
      TermKey labels;
      for (const int label : factor.labels) labels.push_back(naming.names.at(label));
      if (!factor.norm) naming.sign *= sort_groups(factor, labels);
      TermKey key{factor.tensor, factor.conjugate, factor.divides, factor.norm};
      key.insert(key.end(), factor.pattern.begin(), factor.pattern.end());
      key.insert(key.end(), labels.begin(), labels.end());
      factors.push_back(std::move(key));
    }
    std::sort(factors.begin(), factors.end());
    TermKey all{static_cast<int>(factors.size())};
    for (const TermKey& factor : factors) all.insert(all.end(), factor.begin(), factor.end());
    return all;
  }

  int sort_groups(const Factor& factor, TermKey& labels) const {
    int sign = 1;
    for (const SymmetryGroup& group : spins_.program->tensors[factor.tensor].shape.symmetry().groups()) {
      for (std::size_t i = 0; i < group.modes.size(); ++i) {
        for (std::size_t j = i; j > 0; --j) {
          const int left = group.modes[j - 1], right = group.modes[j];
          if (factor.pattern[left] != factor.pattern[right]) break;
          if (labels[left] == labels[right] && group.kind != SymmetryKind::symmetric) return 0;
          if (labels[left] <= labels[right]) break;
          std::swap(labels[left], labels[right]);
          if (group.kind == SymmetryKind::antisymmetric) sign = -sign;
        }
      }
    }
    return sign;
  }

  const SpinTensors& spins_;
  const Target& target_;
  const Pattern& block_;
  const Term& term_;
};

}  // namespace

TermKey term_key(const SpinTensors& spins, const Target& target, const Pattern& block, const Term& term, int& sign) {
  return Naming(spins, target, block, term).least(sign);
}

}  // namespace ricci::spin
