#pragma once
// A world of one rank, for tensors that a rank has of its own.
#include <ricci/world.hpp>

namespace cc {

/// This rank of `world`, with its options but no memory limit: whoever asks has compared what is needed with what there
/// is. Collective.
inline ricci::World alone(const ricci::World& world, int threads) {
  ricci::World one = world.split(world.rank());
  ricci::Options options = world.options();
  options.threads = threads;
  options.memory_limit = 0;
  one.set_options(options);
  return one;
}

}  // namespace cc
