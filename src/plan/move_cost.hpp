#pragma once
// What it costs to move a tensor from one layout to another.
#include <cstddef>
#include <cstdint>
#include <memory>

#include <ricci/layout.hpp>
#include <ricci/machine.hpp>

#include "symmetry/shape.hpp"

namespace ricci::planning {

struct MoveCost {
  std::int64_t words = 0;  // that the rank which receives most receives
  double seconds = 0;
};

MoveCost move_cost(const std::shared_ptr<const symmetry::Shape>& shape, const Layout& from, const Layout& to,
                   std::size_t element_size, const MachineModel& machine);

/// How many ranks are looked at for all: all of a few, some of many.
int looked_at_count(int ranks);
/// Number `number` of `count` ranks that are looked at: evenly from the last, which has most to do where sorted tuples
/// are dealt out, to the first, so that they lie in all parts of usual grids.
int looked_at(int ranks, int number, int count);

}  // namespace ricci::planning
