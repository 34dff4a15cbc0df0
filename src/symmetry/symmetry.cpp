#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>
#include <ricci/symmetry.hpp>

namespace ricci {

Symmetry::Symmetry(SymmetryKind kind, std::vector<int> modes) {
  std::sort(modes.begin(), modes.end());
  if (modes.size() < 2) {
    throw InputError(
        fmt::format("a symmetry group needs two modes or more, but [{}] has {}", fmt::join(modes, " "), modes.size()));
  }
  if (modes.front() < 0) {
    throw InputError(
        fmt::format("the symmetry group [{}] names mode {}; modes count from 0", fmt::join(modes, " "), modes.front()));
  }
  if (const auto twice = std::adjacent_find(modes.begin(), modes.end()); twice != modes.end()) {
    throw InputError(
        fmt::format("the symmetry group [{}] names mode {} twice; name each mode once", fmt::join(modes, " "), *twice));
  }
  groups_.push_back({std::move(modes), kind});
}

Symmetry operator*(const Symmetry& left, const Symmetry& right) {
  Symmetry product = left;
  for (const SymmetryGroup& added : right.groups_) {
    for (const SymmetryGroup& group : left.groups_) {
      for (int mode : added.modes) {
        if (std::find(group.modes.begin(), group.modes.end(), mode) == group.modes.end()) continue;
        throw InputError(
            fmt::format("the symmetry groups [{}] and [{}] overlap in mode {}; a mode belongs to one group at most",
                        fmt::join(group.modes, " "), fmt::join(added.modes, " "), mode));
      }
    }
    product.groups_.push_back(added);
  }
  std::sort(product.groups_.begin(), product.groups_.end(),
            [](const SymmetryGroup& a, const SymmetryGroup& b) { return a.modes.front() < b.modes.front(); });
  return product;
}

std::ostream& operator<<(std::ostream& out, const Symmetry& symmetry) {
  const char* separator = "";
  for (const SymmetryGroup& group : symmetry.groups()) {
    const char mark = group.kind == SymmetryKind::symmetric       ? '+'
                      : group.kind == SymmetryKind::antisymmetric ? '-'
                                                                  : 'o';
    out << separator << fmt::format("[{}]{}", fmt::join(group.modes, " "), mark);
    separator = " ";
  }
  return out;
}

}  // namespace ricci
