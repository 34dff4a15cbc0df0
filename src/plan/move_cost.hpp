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

/// The ranks that are looked at for all of so many: all of a few; of many, some that differ in all coordinates of usual
/// grids. Further numbers give all others, each once.
int looked_at_count(int ranks);
int looked_at(int ranks, int number);

}  // namespace ricci::planning
