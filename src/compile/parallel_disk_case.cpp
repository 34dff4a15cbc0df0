#include "compile/parallel_disk_case.hpp"

#include <ostream>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::compile::parallel_disk {

namespace {

// Volumes are kept as doubles, which count elements exactly up to here.
constexpr double most_elements = 9e15;

void check_positive(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError(fmt::format("parallel disk plan: {} is {}, but must be positive", name, value));
}

}  // namespace

std::optional<int> ParallelDiskCase::grid_side() const {
  const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(ranks))));
  if (side * side != ranks) return std::nullopt;
  return side;
}

void check(const ParallelDiskCase& c) {
  check_positive("the extent I", static_cast<double>(c.i));
  check_positive("the extent J", static_cast<double>(c.j));
  check_positive("the extent K", static_cast<double>(c.k));
  check_positive("the number of ranks", c.ranks);
  check_positive("the number of elements of a tile", static_cast<double>(c.tile_elements));
  check_positive("the size of an element", c.element_bytes);
  check_positive("the disk's bandwidth", c.disk_bandwidth);
  check_positive("the network's bandwidth", c.network_bandwidth);
  check_positive("the slowdown of replication", c.replication_slowdown);
  if (c.reduction_rounds && !(*c.reduction_rounds >= 0)) {
    throw InputError(fmt::format("parallel disk plan: a reduction of {} rounds", *c.reduction_rounds));
  }
  for (const double size : {c.size_a(), c.size_b(), c.size_c()}) {
    if (size > most_elements) {
      throw InputError(
          fmt::format("parallel disk plan: an array of {:.4g} elements is more than {:.0g}, which is the "
                      "most that can be planned for",
                      size, most_elements));
    }
  }
}

std::ostream& operator<<(std::ostream& out, const ParallelDiskCase& c) {
  return out << fmt::format(
             "C(I,J) {} A(I,K) * B(J,K), I = {}, J = {}, K = {}, on {} rank{}, {} elements of {} B a tile{}, disk "
             "{:.4g} "
             "B/s, network {:.4g} B/s",
             c.accumulate ? "+=" : "=", c.i, c.j, c.k, c.ranks, c.ranks == 1 ? "" : "s", c.tile_elements,
             c.element_bytes, c.divide_memory_freely ? " (three divided freely)" : "", c.disk_bandwidth,
             c.network_bandwidth);
}

}  // namespace ricci::compile::parallel_disk
