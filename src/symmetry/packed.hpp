#pragma once
// Ranking of the sorted index tuples of one symmetry group: the order in which a packed group is stored.
//
// The order is colexicographic, so that the rank is a sum of one table look-up an index:
//   symmetric       i1 <= i2 <= … <= id :  rank = Σ_k C(i_k + k - 1, k)
//   antisymmetric,
//   hollow (strict) i1 <  i2 <  … <  id :  rank = Σ_k C(i_k, k)
// For a pair this is the triangle stored by columns: rank(i, j) = j (j + 1) / 2 + i.
#include <cstdint>
#include <optional>

#include <ricci/symmetry.hpp>

namespace ricci::symmetry {

constexpr bool is_strict(SymmetryKind kind) { return kind != SymmetryKind::symmetric; }
constexpr int sign_of(SymmetryKind kind) { return kind == SymmetryKind::antisymmetric ? -1 : 1; }

/// The number of sorted tuples of `degree` indices below `extent`, or nothing beyond 64 bits.
std::optional<std::int64_t> packed_size(bool strict, std::int64_t extent, int degree);

/// What the index at a (zero-based) position of a sorted tuple adds to the rank.
std::int64_t rank_term(bool strict, std::int64_t index, int position);
/// The rank of a sorted tuple.
std::int64_t rank_sorted(bool strict, const std::int64_t* tuple, int degree);
/// The sorted tuple of a rank.
void unrank_sorted(bool strict, std::int64_t rank, int degree, std::int64_t* tuple);
/// The next tuple in the order of ranks; the bound on the last index is the caller's.
void next_sorted(bool strict, int degree, std::int64_t* tuple);

/// Sorts in place. The sign of the permutation that did it; 0 where two are equal.
int sort_with_sign(std::int64_t* tuple, int degree);

/// The place of an element in its group, and the factor with which it is read from there: ±1, or 0 where the
/// symmetry makes it vanish (then rank is 0).
struct PackedElement {
  std::int64_t rank;
  int factor;
};
PackedElement locate(SymmetryKind kind, std::int64_t* tuple, int degree);

}  // namespace ricci::symmetry
