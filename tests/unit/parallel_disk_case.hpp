#pragma once
// Random cases of out-of-core contractions, and the best way of a method.
#include <algorithm>
#include <cmath>
#include <random>

#include "compile/parallel_disk_choice.hpp"

namespace ricci_test {

using namespace ricci::compile::parallel_disk;

inline double random_real(std::mt19937_64& random, double from, double to) {
  return std::exp(std::uniform_real_distribution<double>(std::log(from), std::log(to))(random));
}

inline std::int64_t random_whole(std::mt19937_64& random, std::int64_t from, std::int64_t to) {
  return std::uniform_int_distribution<std::int64_t>(from, to)(random);
}

/// Extents and memory of many magnitudes, so that every row of the tables is met.
inline ParallelDiskCase random_large_case(std::mt19937_64& random) {
  const int sides[] = {2, 3, 4, 8};
  const int side = sides[random_whole(random, 0, 3)];
  ParallelDiskCase c;
  c.i = static_cast<std::int64_t>(random_real(random, 10, 1e6));
  c.j = static_cast<std::int64_t>(random_real(random, 10, 1e6));
  c.k = static_cast<std::int64_t>(random_real(random, 10, 1e6));
  c.ranks = side * side;
  c.tile_elements = static_cast<std::int64_t>(random_real(random, 1e3, 1e8));
  c.disk_bandwidth = random_real(random, 1e6, 1e9);
  c.network_bandwidth = random_real(random, 1e6, 1e10);
  c.replication_slowdown = random_real(random, 1, 3);
  return c;
}

/// Small enough to try all numbers of tiles.
inline ParallelDiskCase random_small_case(std::mt19937_64& random) {
  ParallelDiskCase c = random_large_case(random);
  c.i = random_whole(random, 1, 12);
  c.j = random_whole(random, 1, 12);
  c.k = random_whole(random, 1, 12);
  c.ranks = random_whole(random, 0, 3) == 0 ? 9 : 4;
  c.tile_elements = random_whole(random, 1, 30);
  c.accumulate = random_whole(random, 0, 1) == 0;
  c.divide_memory_freely = random_whole(random, 0, 1) == 0;
  return c;
}

}  // namespace ricci_test
