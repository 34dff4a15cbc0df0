#pragma once
// Which part of an array a statement of a loop program is about.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "compile/block_catalog.hpp"
#include "fusion/loop_program.hpp"

namespace ricci::program {

/// What a buffer holds of its array.
inline compile::Box box_of_buffer(const fusion::LoopProgram& program, const fusion::Buffer& buffer,
                                  const std::vector<std::int64_t>& turn) {
  compile::Box box;
  for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
    const std::int64_t extent = program.extent(buffer.labels[m]);
    if (buffer.loops[m] < 0) {
      box.lo.push_back(0);
      box.hi.push_back(extent);
    } else {
      const auto loop = static_cast<std::size_t>(buffer.loops[m]);
      box.lo.push_back(turn[loop] * program.loops[loop].tile);
      box.hi.push_back(std::min(extent, box.lo.back() + program.loops[loop].tile));
    }
  }
  return box;
}

/// What of a buffer is used inside of more loops than it is held in, counted from the buffer's first element. `around`:
/// all loops around.
inline compile::Box window_of_buffer(const fusion::LoopProgram& program, const fusion::Buffer& buffer,
                                     const std::vector<int>& around, const std::vector<std::int64_t>& turn) {
  compile::Box box = box_of_buffer(program, buffer, turn);
  for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
    box.hi[m] -= std::exchange(box.lo[m], 0);
    if (buffer.loops[m] >= 0) continue;
    for (const int l : around) {
      const auto loop = static_cast<std::size_t>(l);
      if (program.loops[loop].label != buffer.labels[m]) continue;
      box.lo[m] = turn[loop] * program.loops[loop].tile;
      box.hi[m] = std::min(program.extent(buffer.labels[m]), box.lo[m] + program.loops[loop].tile);
    }
  }
  return box;
}

}  // namespace ricci::program
