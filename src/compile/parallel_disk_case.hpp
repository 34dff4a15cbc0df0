#pragma once
// One contraction C(I,J) += A(I,K) * B(J,K) on ranks with a disk each: what seed 004, section 2, lets a plan depend on.
#include <cmath>
#include <cstdint>
#include <iosfwd>
#include <optional>

namespace ricci::compile::parallel_disk {

struct ParallelDiskCase {
  std::int64_t i = 1;              ///< product of the extents of the labels that A and C share
  std::int64_t j = 1;              ///< of those that B and C share
  std::int64_t k = 1;              ///< of those that are summed over
  int ranks = 1;                   ///< P
  std::int64_t tile_elements = 1;  ///< M: elements a rank has for the tile of one array, a third of its memory
  /// The refinement may divide the memory of 3 M between the three tiles as it likes.
  bool divide_memory_freely = false;
  int element_bytes = 8;
  double disk_bandwidth = 1e8;     ///< B_d: bytes a second, of one rank's disk
  double network_bandwidth = 1e9;  ///< B_c: bytes a second and rank
  /// What the topology makes of eq. 2.3, Replicate(S) = S / B_c. The paper's numbers were computed with sqrt(2) on 4
  /// ranks and 2 on 16 (which are both P^(1/4) and sqrt(log2 P)).
  double replication_slowdown = 1;
  /// log(P) of eq. 2.4. The paper's numbers were computed with 1.4 log2(P), but for outside accumulation in Table 10.
  std::optional<double> reduction_rounds = {};
  bool accumulate = true;  ///< C += A * B, so C is read first; otherwise C starts at zero

  double size_a() const { return static_cast<double>(i) * static_cast<double>(k); }
  double size_b() const { return static_cast<double>(j) * static_cast<double>(k); }
  double size_c() const { return static_cast<double>(i) * static_cast<double>(j); }
  double log_p() const { return reduction_rounds.value_or(std::log2(static_cast<double>(ranks))); }
  /// sqrt(P), or nothing where the ranks make no square grid.
  std::optional<int> grid_side() const;

  bool operator==(const ParallelDiskCase&) const = default;
};

/// InputError where a figure is not positive or the arrays are too large to be counted.
void check(const ParallelDiskCase&);

std::ostream& operator<<(std::ostream&, const ParallelDiskCase&);

}  // namespace ricci::compile::parallel_disk
