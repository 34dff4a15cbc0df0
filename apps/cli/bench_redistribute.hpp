#pragma once
#include <string>

#include <ricci/world.hpp>

namespace cli {

struct RedistributeArguments {
  int repeat = 10;
  std::string json;
};

/// Collective. InputError on one rank.
void bench_redistribute(ricci::World& world, const RedistributeArguments& arguments);

}  // namespace cli
