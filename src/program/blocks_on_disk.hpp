#pragma once
// What one rank reads and writes of the blocks of an array, in bytes.
#include <cstdint>
#include <vector>

#include "compile/block_catalog.hpp"
#include "compile/formula.hpp"
#include "layout/box.hpp"

namespace ricci::program {

/// An array in a file: what this rank reads of a block.
class BlocksInFile {
 public:
  BlocksInFile(const compile::Array& array, const compile::Cuts& cuts, bool is_packed, int ranks, int rank)
      : catalog_(*array.shape, cuts),
        is_packed_(is_packed),
        ranks_(ranks),
        rank_(rank),
        size_(static_cast<std::int64_t>(element_size(array.type))) {}

  std::int64_t bytes_of(const compile::Box& box) const {
    std::int64_t elements = 1;
    if (is_packed_)
      elements = catalog_.block_shape(catalog_.find(catalog_.tiles_touched(box).lo).number).stored_size();
    else
      for (std::size_t m = 0; m < box.lo.size(); ++m) elements *= box.hi[m] - box.lo[m];
    return layout::part_of(elements, ranks_, rank_).count() * size_;
  }

 private:
  compile::BlockCatalog catalog_;
  bool is_packed_;
  int ranks_, rank_;
  std::int64_t size_;
};

/// An array on disk: its blocks, and the bytes that this rank has of each.
struct BlocksOnDisk {
  compile::BlockCatalog catalog;
  std::vector<std::int64_t> bytes;

  BlocksOnDisk(const compile::Array& array, const compile::Cuts& cuts, int ranks, int rank)
      : catalog(*array.shape, cuts), bytes(compile::share_of_blocks(catalog, ranks, rank)) {
    for (std::int64_t& share : bytes) share *= static_cast<std::int64_t>(element_size(array.type));
  }

  std::int64_t bytes_of(const compile::Box& box) const {
    const compile::Box touched = catalog.tiles_touched(box);
    std::vector<std::int64_t> tiles = touched.lo;
    std::int64_t total = 0;
    for (bool more = true; more;) {
      total += bytes[static_cast<std::size_t>(catalog.find(tiles).number)];
      more = false;
      for (std::size_t m = tiles.size(); m-- > 0 && !more;) {
        more = ++tiles[m] < touched.hi[m];
        if (!more) tiles[m] = touched.lo[m];
      }
    }
    return total;
  }
};

}  // namespace ricci::program
