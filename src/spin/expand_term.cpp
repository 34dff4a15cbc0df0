#include "spin/expand_term.hpp"

#include <algorithm>
#include <map>

namespace ricci::spin {

namespace {

/// A way to give the target's spins to its labels: each label of the term becomes a label of the block.
struct Way {
  std::map<int, int> spin_labels;
  int sign = 1;
};

class Expansion {
 public:
  Expansion(const SpinTensors& spins, const Target& target, const Term& term, const Pattern& block,
            const BlockSets& nonzero)
      : spins_(spins), target_(target), term_(term), block_(block), nonzero_(nonzero) {
    for (const Factor& factor : term.factors) {
      for (const int label : factor.labels) {
        const auto has = [label](const std::vector<int>& labels) {
          return std::find(labels.begin(), labels.end(), label) != labels.end();
        };
        if (!has(target.labels) && !has(summed_)) summed_.push_back(label);
      }
    }
  }

  std::vector<Term> run() {
    for (const Way& way : ways()) {
      labels_ = way.spin_labels;
      sign_ = way.sign;
      give_spins(0);
    }
    return std::move(terms_);
  }

 private:
  std::vector<Way> ways() const {
    Way plain;
    for (std::size_t m = 0; m < block_.size(); ++m) {
      const int given = spin_label(target_.labels[m], block_[m]);
      if (!plain.spin_labels.emplace(target_.labels[m], given).second && plain.spin_labels[target_.labels[m]] != given)
        return {};  // a label that stands twice has one spin
    }
    std::vector<Way> all{plain};
    if (target_.tensor < 0) return all;
    for (const SymmetryGroup& group : spins_.groups[target_.tensor]) {
      std::vector<Way> longer;
      for (const Way& way : all) arrange(group, way, longer);
      all = std::move(longer);
    }
    return all;
  }

  void arrange(const SymmetryGroup& group, const Way& way, std::vector<Way>& all) const {
    std::string canonical;
    for (const int mode : group.modes) canonical += block_[mode];
    std::string spins = canonical;
    do {
      if (!is_first_of_alike(group, spins)) continue;
      all.push_back(way);
      std::vector<int> places;
      std::size_t alpha = 0, beta = static_cast<std::size_t>(std::count(spins.begin(), spins.end(), 'a'));
      for (std::size_t i = 0; i < spins.size(); ++i) {
        const std::size_t place = spins[i] == 'a' ? alpha++ : beta++;
        all.back().spin_labels[target_.labels[group.modes[i]]] =
            spin_label(target_.labels[group.modes[place]], spins[i]);
        places.push_back(static_cast<int>(place));
      }
      if (group.kind == SymmetryKind::antisymmetric) all.back().sign *= sign_of(places);
    } while (std::next_permutation(spins.begin(), spins.end()));
  }

  /// Of labels that H exchanges, the first ones get alpha.
  bool is_first_of_alike(const SymmetryGroup& group, const std::string& spins) const {
    for (std::size_t i = 0; i < spins.size(); ++i) {
      for (std::size_t j = i + 1; j < spins.size(); ++j) {
        if (spins[i] == 'b' && spins[j] == 'a' &&
            has_exchange(spins_, term_.factors, group.kind, target_.labels[group.modes[i]],
                         target_.labels[group.modes[j]]))
          return false;
      }
    }
    return true;
  }

  /// Gives both spins to the summed labels, from the n-th on.
  void give_spins(std::size_t n) {
    if (!may_be_nonzero(n == 0 ? -1 : summed_[n - 1])) return;
    if (n == summed_.size()) return add();
    for (const char spin : {'a', 'b'}) {
      if (spin == 'b' && !spins_.label_has_spin[summed_[n]]) break;
      labels_[summed_[n]] = spin_label(summed_[n], spin);
      give_spins(n + 1);
    }
    labels_.erase(summed_[n]);
  }

  /// Looks at the factors that have got the last of their spins with this label; -1: at all that have them.
  bool may_be_nonzero(int last) const {
    return std::all_of(term_.factors.begin(), term_.factors.end(), [&](const Factor& factor) {
      if (factor.divides || factor.norm) return true;
      if (last >= 0 && std::find(factor.labels.begin(), factor.labels.end(), last) == factor.labels.end()) return true;
      const bool known =
          std::all_of(factor.labels.begin(), factor.labels.end(), [&](int label) { return labels_.contains(label); });
      return !known || nonzero_[factor.tensor].contains(canonical(spins_, factor.tensor, pattern_of(factor)).pattern);
    });
  }

  Pattern pattern_of(const Factor& factor) const {
    Pattern pattern = spins_.no_pattern(factor.tensor);
    for (std::size_t m = 0; m < factor.labels.size(); ++m) {
      if (spins_.has_spin(factor.tensor, static_cast<int>(m)))
        pattern[m] = is_beta(labels_.at(factor.labels[m])) ? 'b' : 'a';
    }
    return pattern;
  }

  void add() {
    Term result{.coefficient = term_.coefficient * sign_, .factors = {}, .place = term_.place};
    for (const Factor& factor : term_.factors) {
      result.factors.push_back(factor);
      if (factor.norm) continue;
      Factor& block = result.factors.back();
      const Canonical order = canonical(spins_, factor.tensor, pattern_of(factor));
      block.pattern = order.pattern;
      for (std::size_t m = 0; m < factor.labels.size(); ++m) block.labels[m] = labels_.at(factor.labels[order.from[m]]);
      result.coefficient *= order.sign;
    }
    terms_.push_back(std::move(result));
  }

  const SpinTensors& spins_;
  const Target& target_;
  const Term& term_;
  const Pattern& block_;
  const BlockSets& nonzero_;
  std::vector<int> summed_;
  std::map<int, int> labels_;  // spin labels so far
  int sign_ = 1;
  std::vector<Term> terms_;
};

}  // namespace

std::vector<Term> expand_term(const SpinTensors& spins, const Target& target, const Term& term, const Pattern& block,
                              const BlockSets& nonzero) {
  return Expansion(spins, target, term, block, nonzero).run();
}

bool has_exchange(const SpinTensors& spins, const std::vector<Factor>& factors, SymmetryKind kind, int x, int y) {
  int sign = 1;
  for (const Factor& factor : factors) {
    const auto& labels = factor.labels;
    const auto count_x = std::count(labels.begin(), labels.end(), x);
    const auto count_y = std::count(labels.begin(), labels.end(), y);
    if (count_x == 0 && count_y == 0) continue;
    if (count_x != 1 || count_y != 1) return false;
    const auto mode = [&](int label) {
      return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
    };
    const SymmetryGroup* const group = common_group(spins.groups[factor.tensor], mode(x), mode(y));
    if (!group) return false;
    if (group->kind == SymmetryKind::antisymmetric) sign = -sign;
  }
  return sign == (kind == SymmetryKind::antisymmetric ? -1 : 1);
}

}  // namespace ricci::spin
