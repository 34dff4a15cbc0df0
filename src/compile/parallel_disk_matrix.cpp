#include "compile/parallel_disk_matrix.hpp"

namespace ricci::compile::parallel_disk {

void MatrixSide::place(std::int64_t index, std::vector<std::int64_t>& indices) const {
  for (std::size_t m = modes.size(); m-- > 0;) {
    indices[static_cast<std::size_t>(modes[m])] = index % extents[m];
    index /= extents[m];
  }
}

// Mode by mode, the slowest first: one below the box is raised to it, one above is carried over.
std::int64_t MatrixSide::next_in(const Box& box, std::int64_t index, std::int64_t end) const {
  while (index < end) {
    std::int64_t stride = 1;
    for (const std::int64_t extent : extents) stride *= extent;
    const std::int64_t before = index;
    for (std::size_t m = 0; m < modes.size() && index == before; ++m) {
      const auto mode = static_cast<std::size_t>(modes[m]);
      const std::int64_t whole = stride;
      stride /= extents[m];
      const std::int64_t at = index / stride % extents[m];
      if (at >= box.hi[mode]) index = (index / whole + 1) * whole;
      if (at < box.lo[mode]) index = (index / stride + box.lo[mode] - at) * stride;
    }
    if (index == before) return index;
  }
  return index;
}

namespace {

bool touches(const TileGrid::Side& side, const MatrixSide& matrix, const TileRange& range, const Box& box) {
  for (std::int64_t part = 0; part < side.tiles.parts; ++part) {
    const std::int64_t begin = part * side.tiles.whole() + range.begin;
    const std::int64_t end = std::min(side.tiles.extent, begin + range.size);
    if (begin < end && matrix.next_in(box, begin, end) < end) return true;
  }
  return false;
}

}  // namespace

// Every part of the rows meets every part of the columns on some rank.
bool touches(const TileGrid& grid, const ArrayMatrix& matrix, std::int64_t tile, const Box& box) {
  return touches(grid.rows, matrix.rows, grid.row_range(tile), box) &&
         touches(grid.columns, matrix.columns, grid.column_range(tile), box);
}

}  // namespace ricci::compile::parallel_disk
