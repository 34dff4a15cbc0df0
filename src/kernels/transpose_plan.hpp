// What a transposition will do, decided from shapes and strides alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ricci::kernels {

// One mode of the tensor; strides in elements. An in_stride of 0 broadcasts.
struct TransposeDim {
  std::int64_t extent, in_stride, out_stride;
};

// Which two loops meet in the inner kernel.
enum class TransposeKind {
  empty,      // some extent is 0
  rows,       // one mode has unit stride on both sides: rows are copied
  tile,       // two modes have unit stride, one on each side: square tiles through registers
  scattered,  // a side without unit stride: element by element
};

// The way of elements that are only moved. Those that are also scaled, conjugated or added are assembled, unless
// the direct route has rows long enough to work on where they are.
enum class TransposeRoute {
  direct,     // straight to the output: best while both sides stay in the second-level cache
  assembled,  // each block is put together in a buffer first, then copied in long runs: few lines are open at once
  streamed,   // the same, and the runs go past the cache: what exceeds the caches need not be read to be written
};

// A mode after fusion. `block` of its extent are done at a time, `parts` times; buffer_stride is its stride in
// the buffer in which a block is assembled.
struct TransposeMode {
  std::int64_t extent, in_stride, out_stride, block, parts, buffer_stride;
};

struct TransposePlan {
  TransposeKind kind = TransposeKind::empty;
  TransposeRoute route = TransposeRoute::direct;
  std::size_t element_size = 0;
  std::vector<TransposeMode> modes;  // as in the output, the innermost last; at least two unless empty
  std::vector<int> by_input;         // the modes as in the input, the innermost last
  std::vector<int> nest;             // the modes of a block in the order of its loops
  int run_mode = 0;                  // modes from here inwards are contiguous within a block of the output
  std::int64_t elements = 0, blocks = 0, buffer_elements = 0;

  // True if rows need no buffer to be scaled, conjugated or added on the direct route.
  bool finishes_in_place() const;

  // For example "tile direct 70:1x4900 70:4900x1 in blocks of 70x64".
  std::string describe() const;
};

// No more modes than this have extents of two or more in any tensor that fits an address space.
inline constexpr int max_transpose_modes = 64;

// Throws std::invalid_argument on an element size other than 4, 8 and 16, a negative extent or stride, and an
// output stride of 0.
TransposePlan plan_transpose(std::vector<TransposeDim> dims, std::size_t element_size);

}  // namespace ricci::kernels
