#pragma once
// Tiles of least disk time are many: of those, the ones that cost least of something else, such as arithmetic.
#include <functional>

#include "fusion/tile_problem.hpp"

namespace ricci::fusion {

/// Changes the tiles of one loop or of two at a time for as long as that makes `cost` less, within the memory and
/// without more disk time. A local search over trip counts that divide loops about evenly: some ten thousand programs
/// are asked for their cost at most.
void refine_tiles(LoopProgram& program, double limit_bytes, const DiskModel& disk,
                  const std::function<double(const LoopProgram&)>& cost);

}  // namespace ricci::fusion
