#pragma once
// TCCG: the tensor contraction benchmark of Springer and Bientinesi.
#include <cstdint>
#include <string>
#include <vector>

namespace cli {

/// Labels are column-major, as in the benchmark: the first one is contiguous.
struct TccgCase {
  int id;
  std::string group;
  std::string c, a, b;
  std::vector<std::int64_t> extents;  // of the labels a, b, c, …
  /// GF/s of the best of TBLIS, transpose-GEMM-transpose (HPTT and OpenBLAS) and NumPy, double, one thread, on a
  /// machine where dgemm gives peer_dgemm.
  double best_peer;
};

inline constexpr double peer_dgemm = 42.0;

std::vector<TccgCase> tccg_cases();

/// Column-major labels as those of a row-major tensor with the same elements in the same places.
std::string row_major(std::string labels);

}  // namespace cli
