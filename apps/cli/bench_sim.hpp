#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <ricci/world.hpp>

namespace cli {

struct SimArguments {
  std::int64_t extent = 32;
  std::int64_t matrix_extent = 1024;  // of number 6, whose operands are matrices
  std::vector<int> numbers;           // of the contractions to run; empty: all
  bool compute = false;
  bool strategies = false;  // each strategy by itself, too
  bool maps = false;        // three mappings of one contraction instead
  bool verbose = false;
  std::string json;
};

/// Collective. InputError on one rank.
void bench_sim(ricci::World& world, const SimArguments& arguments);

/// Collective; arithmetic takes time. InputError where the ranks are no cube.
void bench_sim_maps(ricci::World& world, const SimArguments& arguments);

}  // namespace cli
