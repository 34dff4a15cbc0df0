#include "symmetry/packed.hpp"

#include <utility>

#include "util/checked.hpp"

namespace ricci::symmetry {

namespace {

// C(n, k) for values known to fit: the size of the group was checked when the shape was made.
std::int64_t binomial(std::int64_t n, int k) {
  switch (k) {
    case 1:
      return n;
    case 2:
      return n * (n - 1) / 2;
    case 3:
      if (n < 2'000'000) return n * (n - 1) / 2 * (n - 2) / 3;
      break;
    case 4:
      if (n < 40'000) return n * (n - 1) / 2 * (n - 2) / 3 * (n - 3) / 4;
      break;
    default:
      break;
  }
  return *checked_binomial(n, k);
}

}  // namespace

std::int64_t rank_term(bool strict, std::int64_t index, int position) {
  return binomial(strict ? index : index + position, position + 1);
}

std::optional<std::int64_t> packed_size(bool strict, std::int64_t extent, int degree) {
  return checked_binomial(strict ? extent : extent + degree - 1, degree);
}

std::int64_t rank_sorted(bool strict, const std::int64_t* tuple, int degree) {
  std::int64_t rank = 0;
  for (int k = 0; k < degree; ++k) rank += rank_term(strict, tuple[k], k);
  return rank;
}

void unrank_sorted(bool strict, std::int64_t rank, int degree, std::int64_t* tuple) {
  for (int k = degree - 1; k >= 0; --k) {
    // The greatest i with term(i) <= rank, by doubling and halving.
    std::int64_t low = strict ? k : 0, high = low + 1;
    while (rank_term(strict, high, k) <= rank) high = 2 * high + 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (rank_term(strict, middle, k) <= rank ? low : high) = middle;
    }
    tuple[k] = low;
    rank -= rank_term(strict, low, k);
  }
}

void next_sorted(bool strict, int degree, std::int64_t* tuple) {
  for (int k = 0; k + 1 < degree; ++k) {
    if (tuple[k] + (strict ? 1 : 0) < tuple[k + 1]) {
      ++tuple[k];
      return;
    }
    tuple[k] = strict ? k : 0;
  }
  ++tuple[degree - 1];
}

int sort_with_sign(std::int64_t* tuple, int degree) {
  int sign = 1;
  bool repeated = false;
  for (int i = 1; i < degree; ++i) {
    for (int j = i; j > 0 && tuple[j - 1] >= tuple[j]; --j) {
      if (tuple[j - 1] == tuple[j]) {
        repeated = true;
        break;
      }
      std::swap(tuple[j - 1], tuple[j]);
      sign = -sign;
    }
  }
  return repeated ? 0 : sign;
}

PackedElement locate(SymmetryKind kind, std::int64_t* tuple, int degree) {
  const int sign = sort_with_sign(tuple, degree);
  if (sign == 0 && is_strict(kind)) return {0, 0};
  const int factor = kind == SymmetryKind::antisymmetric ? sign : 1;
  return {rank_sorted(is_strict(kind), tuple, degree), factor};
}

}  // namespace ricci::symmetry
