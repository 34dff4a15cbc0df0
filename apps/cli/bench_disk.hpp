#pragma once
#include <cstdint>
#include <string>

#include <ricci/world.hpp>

namespace cli {

/// Sizes at which the methods are clearly apart. The paper's are 4000 and 4000 with tiles of 10^6 elements (8 MB),
/// which 36 MB of memory give.
struct DiskArguments {
  std::int64_t extent = 1800, depth = 10000;
  std::string memory = "12MB";
  int repeat = 5;
  std::string scratch;
  std::string json;
};

/// Collective, on a square number of ranks above 1.
void bench_disk(ricci::World& world, const DiskArguments& arguments);

}  // namespace cli
