#include "symmetry/fold.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "symmetry/cosets.hpp"
#include "symmetry/packed.hpp"

namespace ricci::symmetry {

namespace {

int count(const Labelled& tensor, int label) {
  return static_cast<int>(std::count(tensor.labels.begin(), tensor.labels.end(), label));
}

/// The group (a storage dimension) that holds a label, or -1 where it stands alone or not at all.
int group_of(const Labelled& tensor, int label) {
  if (!tensor.shape) return -1;
  for (std::size_t mode = 0; mode < tensor.labels.size(); ++mode) {
    if (tensor.labels[mode] != label) continue;
    const int dim = tensor.shape->dim_of_mode(static_cast<int>(mode));
    return tensor.shape->dims()[dim].grouped() ? dim : -1;
  }
  return -1;
}

double factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return product;
}

class Folder {
 public:
  Folder(const Labelled& c, const Labelled& a, const Labelled& b, const std::vector<std::int64_t>& extents)
      : c_(c), a_(a), b_(b), extents_(extents), assigned_(extents.size(), false) {
    std::vector<int> identity(extents.size());
    std::iota(identity.begin(), identity.end(), 0);
    fold_.a_readings = {{identity, 1}};
    if (b.shape) fold_.b_readings = {{identity, 1}};
  }

  Fold run() {
    for (const StorageDim& dim : c_.shape->dims()) {
      if (dim.grouped()) fold_output_group(dim);
    }
    if (b_.shape) fold_summed_groups();
    for (const Labelled* tensor : {&c_, &a_, &b_}) {
      for (int label : tensor->labels) {
        if (!assigned_[label]) add_unit({label}, false);
      }
    }
    check_cover();
    return std::move(fold_);
  }

 private:
  Role role(int label) const {
    const bool in_a = count(a_, label) > 0, in_b = count(b_, label) > 0;
    if (count(c_, label) == 0) return Role::summed;
    return in_a && in_b ? Role::batch : in_a ? Role::row : Role::column;
  }

  Unit& add_unit(std::vector<int> labels, bool strict) {
    for (int label : labels) assigned_[label] = true;
    Unit unit;
    unit.role = role(labels.front());
    unit.extent = extents_[labels.front()];
    unit.strict = strict && labels.size() > 1;
    unit.size = labels.size() == 1 ? unit.extent : *packed_size(strict, unit.extent, static_cast<int>(labels.size()));
    unit.labels = std::move(labels);
    fold_.units.push_back(std::move(unit));
    return fold_.units.back();
  }

  /// The labels of a group that can run together: once in every tensor that has them, and not taken yet.
  std::vector<int> foldable(const Labelled& tensor, const StorageDim& dim) const {
    std::vector<int> labels;
    for (int mode : dim.modes) {
      const int label = tensor.labels[mode];
      if (!assigned_[label] && count(c_, label) <= 1 && count(a_, label) <= 1 && count(b_, label) <= 1) {
        labels.push_back(label);
      }
    }
    return labels;
  }

  /// Whether reading an operand once for each coset costs less than not folding.
  bool pays(const Labelled& tensor, const std::vector<int>& labels, const std::vector<Reading>& readings) const {
    constexpr double most_readings = 1000;
    return labels.size() > 1 &&
           coset_count(own_blocks(tensor, labels)) * static_cast<double>(readings.size()) <= most_readings;
  }

  /// Reads an operand as the sum over the cosets of Sym(labels) by the symmetry that it has there. False where its
  /// own symmetry has the other sign, so that the sum is zero. `own` becomes the order of that symmetry.
  bool symmetrise(const Labelled& tensor, const std::vector<int>& labels, int sign, std::vector<Reading>& readings,
                  double& own) {
    const std::vector<int> block = own_blocks(tensor, labels);
    std::vector<int> members(tensor.shape->dims().size(), 0);
    own = 1;
    for (int group : block) {
      if (group >= static_cast<int>(members.size())) continue;
      own *= ++members[group];
      if (members[group] > 1 && sign_of(tensor.shape->dims()[group].kind) != sign) return false;
    }
    std::vector<Reading> product;
    for (const Reading& reading : readings) {
      for (const SignedPermutation& g : coset_representatives(block)) {
        Reading next = reading;
        for (std::size_t i = 0; i < labels.size(); ++i) next.substitute[labels[i]] = labels[g.image[i]];
        if (sign < 0) next.sign *= g.sign;
        product.push_back(std::move(next));
      }
    }
    readings = std::move(product);
    return true;
  }

  void fold_output_group(const StorageDim& dim) {
    const int sign = sign_of(dim.kind);
    const bool strict = is_strict(dim.kind);
    std::vector<int> rows, columns, absent, batch;
    for (int label : foldable(c_, dim)) {
      const bool in_b = b_.shape && count(b_, label) > 0;
      switch (role(label)) {
        case Role::row:
          rows.push_back(label);
          break;
        case Role::column:
          (in_b ? columns : absent).push_back(label);
          break;
        case Role::batch:
          batch.push_back(label);
          break;
        case Role::summed:
          break;
      }
    }
    fold_from(a_, rows, sign, strict, fold_.a_readings);
    if (b_.shape) fold_from(b_, columns, sign, strict, fold_.b_readings);
    if (absent.size() > 1) {
      if (sign < 0) fold_.vanishes = true;  // the term does not depend on them: symmetric
      add_unit(absent, strict);
    }
    fold_batch(batch, sign, strict);
  }

  /// Labels of one group of C that come from one operand: all together where the operand's readings are not too many,
  /// else those together that the operand has in one group, and the output's places sort out the rest.
  void fold_from(const Labelled& tensor, const std::vector<int>& labels, int sign, bool strict,
                 std::vector<Reading>& readings) {
    if (labels.size() < 2) return;
    double own = 1;
    if (pays(tensor, labels, readings)) {
      if (!symmetrise(tensor, labels, sign, readings, own)) fold_.vanishes = true;
      add_unit(labels, strict);
      return;
    }
    std::map<int, std::vector<int>> together;
    const std::vector<int> block = own_blocks(tensor, labels);
    for (std::size_t i = 0; i < labels.size(); ++i) together[block[i]].push_back(labels[i]);
    for (const auto& [group, members] : together) {
      if (members.size() < 2) continue;
      if (sign_of(tensor.shape->dims()[group].kind) != sign) fold_.vanishes = true;
      add_unit(members, strict);
    }
  }

  /// Labels in both operands run together only where both have them in one group, with the right product of signs.
  void fold_batch(const std::vector<int>& labels, int sign, bool strict) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const int group_a = group_of(a_, labels[i]), group_b = group_of(b_, labels[i]);
      if (assigned_[labels[i]] || group_a < 0 || group_b < 0) continue;
      std::vector<int> together{labels[i]};
      for (std::size_t j = i + 1; j < labels.size(); ++j) {
        if (group_of(a_, labels[j]) == group_a && group_of(b_, labels[j]) == group_b) together.push_back(labels[j]);
      }
      if (together.size() < 2) continue;
      if (sign_of(a_.shape->dims()[group_a].kind) * sign_of(b_.shape->dims()[group_b].kind) != sign) {
        fold_.vanishes = true;
      }
      add_unit(together, strict);
    }
  }

  void fold_summed_groups() {
    struct Candidate {
      const Labelled* owner;
      const StorageDim* dim;
      std::size_t size;
    };
    std::vector<Candidate> candidates;
    for (const Labelled* tensor : {&a_, &b_}) {
      for (const StorageDim& dim : tensor->shape->dims()) {
        if (dim.grouped()) candidates.push_back({tensor, &dim, summed(*tensor, dim).size()});
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& x, const Candidate& y) { return x.size > y.size; });
    for (const Candidate& candidate : candidates) fold_summed_group(*candidate.owner, *candidate.dim);
  }

  std::vector<int> summed(const Labelled& tensor, const StorageDim& dim) const {
    std::vector<int> labels;
    for (int label : foldable(tensor, dim)) {
      if (role(label) == Role::summed && count(a_, label) == 1 && count(b_, label) == 1) labels.push_back(label);
    }
    return labels;
  }

  void fold_summed_group(const Labelled& owner, const StorageDim& dim) {
    const std::vector<int> labels = summed(owner, dim);
    if (labels.size() < 2) return;
    const bool owner_is_a = &owner == &a_;
    const Labelled& other = owner_is_a ? b_ : a_;
    double own = 1;
    std::vector<Reading>& readings = owner_is_a ? fold_.b_readings : fold_.a_readings;
    if (!pays(other, labels, readings)) return;
    if (!symmetrise(other, labels, sign_of(dim.kind), readings, own)) {
      fold_.vanishes = true;
    }
    fold_.scale *= own;
    const bool other_strict = own == factorial(static_cast<int>(labels.size())) &&
                              is_strict(other.shape->dims()[group_of(other, labels[0])].kind);
    Unit& unit = add_unit(labels, is_strict(dim.kind) || other_strict);
    unit.shares_repeats = !unit.strict;
  }

  void check_cover() {
    for (int label : c_.labels) {
      if (count(c_, label) > 1) fold_.covers = false;
    }
    for (const StorageDim& dim : c_.shape->dims()) {
      if (!dim.grouped()) continue;
      const auto whole = [&](const Unit& unit) {
        return unit.degree() == static_cast<int>(dim.modes.size()) &&
               std::find(unit.labels.begin(), unit.labels.end(), c_.labels[dim.modes[0]]) != unit.labels.end();
      };
      if (std::none_of(fold_.units.begin(), fold_.units.end(), whole)) fold_.covers = false;
    }
  }

  const Labelled &c_, &a_, &b_;
  const std::vector<std::int64_t>& extents_;
  std::vector<bool> assigned_;
  Fold fold_;
};

}  // namespace

std::vector<int> own_blocks(const Labelled& tensor, const std::vector<int>& labels) {
  std::vector<int> block;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const int group = group_of(tensor, labels[i]);
    block.push_back(group >= 0 ? group : static_cast<int>(tensor.shape->dims().size() + i));
  }
  return block;
}

std::int64_t Fold::size(Role role) const {
  std::int64_t product = 1;
  for (const Unit& unit : units) {
    if (unit.role == role) product *= unit.size;
  }
  return product;
}

double Fold::products() const {
  double product = 1;
  for (const Unit& unit : units) product *= static_cast<double>(unit.size);
  return product;
}

Fold fold(const Labelled& c, const Labelled& a, const Labelled& b, const std::vector<std::int64_t>& extents) {
  return Folder(c, a, b, extents).run();
}

Symmetry inherited_symmetry(const std::vector<Labelled>& factors, const std::vector<int>& labels) {
  // Two labels belong together where every factor that has one has both, once each, in one group.
  const auto together = [&](int x, int y) {
    bool anywhere = false;
    for (const Labelled& factor : factors) {
      const int nx = count(factor, x), ny = count(factor, y);
      if (nx == 0 && ny == 0) continue;
      if (nx != 1 || ny != 1 || group_of(factor, x) < 0 || group_of(factor, x) != group_of(factor, y)) return false;
      anywhere = true;
    }
    return anywhere;
  };
  Symmetry symmetry;
  std::vector<bool> taken(labels.size(), false);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (taken[i]) continue;
    std::vector<int> modes{static_cast<int>(i)};
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      if (!taken[j] && together(labels[i], labels[j])) modes.push_back(static_cast<int>(j)), taken[j] = true;
    }
    if (modes.size() < 2) continue;
    int sign = 1;
    bool strict = false;
    for (const Labelled& factor : factors) {
      const int group = group_of(factor, labels[i]);
      if (group < 0) continue;
      sign *= sign_of(factor.shape->dims()[group].kind);
      strict |= is_strict(factor.shape->dims()[group].kind);
    }
    const SymmetryKind kind = sign < 0 ? SymmetryKind::antisymmetric
                              : strict ? SymmetryKind::hollow
                                       : SymmetryKind::symmetric;
    symmetry = symmetry * Symmetry(kind, modes);
  }
  return symmetry;
}

}  // namespace ricci::symmetry
