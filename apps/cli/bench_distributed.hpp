#pragma once
#include <string>

#include <ricci/world.hpp>

namespace cli {

struct DistributedArguments {
  int repeat = 3;
  std::string filter;  // only rows with this text in their name
  std::string json;
};

/// Collective.
void bench_distributed(ricci::World& world, const DistributedArguments& arguments);

}  // namespace cli
