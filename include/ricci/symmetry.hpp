#pragma once
// The permutational symmetry of a tensor: disjoint groups of modes, each symmetric, antisymmetric or hollow.
#include <concepts>
#include <iosfwd>
#include <utility>
#include <vector>

namespace ricci {

enum class SymmetryKind {
  symmetric,      ///< any permutation leaves the value; stored for i1 <= i2 <= …
  antisymmetric,  ///< a permutation gives its sign; stored for i1 < i2 < …
  hollow,         ///< symmetric, and zero where two indices are equal; stored for i1 < i2 < …
};

/// One group: two or more modes of one extent, in increasing order.
struct SymmetryGroup {
  std::vector<int> modes;
  SymmetryKind kind = SymmetryKind::symmetric;
  bool operator==(const SymmetryGroup&) const = default;
};

/// A product of disjoint groups, sorted by their first mode. `Symmetry{}` is no symmetry. Prints as `[0 1]- [2 3]+`.
class Symmetry {
 public:
  Symmetry() = default;
  /// Throws InputError unless the modes are at least two, different and not negative.
  Symmetry(SymmetryKind kind, std::vector<int> modes);

  const std::vector<SymmetryGroup>& groups() const { return groups_; }
  bool empty() const { return groups_.empty(); }
  bool operator==(const Symmetry&) const = default;

  /// Joins disjoint groups; throws InputError where they share a mode.
  friend Symmetry operator*(const Symmetry& left, const Symmetry& right);

 private:
  std::vector<SymmetryGroup> groups_;
};

std::ostream& operator<<(std::ostream&, const Symmetry&);

inline Symmetry symmetric(std::vector<int> modes) { return {SymmetryKind::symmetric, std::move(modes)}; }
inline Symmetry antisymmetric(std::vector<int> modes) { return {SymmetryKind::antisymmetric, std::move(modes)}; }
inline Symmetry hollow(std::vector<int> modes) { return {SymmetryKind::hollow, std::move(modes)}; }

template <std::convertible_to<int>... Mode>
Symmetry symmetric(Mode... modes) {
  return symmetric(std::vector<int>{static_cast<int>(modes)...});
}
template <std::convertible_to<int>... Mode>
Symmetry antisymmetric(Mode... modes) {
  return antisymmetric(std::vector<int>{static_cast<int>(modes)...});
}
template <std::convertible_to<int>... Mode>
Symmetry hollow(Mode... modes) {
  return hollow(std::vector<int>{static_cast<int>(modes)...});
}

}  // namespace ricci
