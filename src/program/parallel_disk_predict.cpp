// What redistributing the arrays of a parallel disk operation moves, to the byte.
#include "compile/block_catalog.hpp"
#include "program/parallel_disk_operation.hpp"
#include "program/tile_moves.hpp"

namespace ricci::program {

using namespace compile::parallel_disk;
using compile::BlockCatalog;
using compile::Box;
using compile::Home;

namespace {

Box whole_box(const symmetry::Shape& shape) {
  return {std::vector<std::int64_t>(static_cast<std::size_t>(shape.order()), 0),
          {shape.extents().begin(), shape.extents().end()}};
}

class Prediction {
 public:
  Prediction(const compile::Formula& formula, const ParallelDiskOperation& operation, const std::vector<Home>& homes,
             int rank)
      : formula_(formula), operation_(operation), homes_(homes), rank_(rank) {}

  DiskBytes disk() {
    const ProgramVolumes loops = volumes_of(operation_.product.program, rank_);
    read_ = static_cast<std::int64_t>(loops.read);
    written_ = static_cast<std::int64_t>(loops.written);
    for (const Array array : all_arrays) {
      if (array != Array::c || operation_.accumulate) bring(array);
    }
    take_back();
    const auto size = static_cast<std::int64_t>(element_size(operation_.product.type));
    return {read_ * size, written_ * size};
  }

  std::int64_t sent() {
    for (const Array array : all_arrays) {
      const int number = operation_.array(array);
      const bool wanted = array != Array::c || operation_.accumulate;
      if (!wanted || homes_[number] == Home::formula) continue;
      const TileMoves moves = moves_of(array, TileMoves::Direction::to_tiles);
      if (homes_[number] == Home::memory)
        count_sent(moves, nullptr, *formula_.arrays[number].shape);
      else if (const auto catalog = catalog_before(array))
        count_sent(moves, &*catalog, *formula_.arrays[number].shape);
    }
    const BlockCatalog after = catalog_after();
    count_sent(moves_of(Array::c, TileMoves::Direction::from_tiles), &after, after.shape());
    const int size = static_cast<int>(element_size(operation_.product.type));
    return sent_ * size + sent_bytes(operation_.product.program, size);
  }

 private:
  TileMoves moves_of(Array array, TileMoves::Direction direction) const {
    return {operation_.product, array, operation_.matrix(array), direction};
  }
  std::optional<BlockCatalog> catalog_before(Array array) const {
    const auto tiling = operation_.tilings.find(operation_.array(array));
    if (tiling == operation_.tilings.end()) return std::nullopt;
    return BlockCatalog(*formula_.arrays[operation_.array(array)].shape, tiling->second);
  }
  BlockCatalog catalog_after() const { return {*formula_.arrays[operation_.array(Array::c)].shape, operation_.tiling}; }

  void bring(Array array) {
    const TileMoves moves = moves_of(array, TileMoves::Direction::to_tiles);
    const auto catalog = homes_[operation_.array(array)] == Home::disk ? catalog_before(array) : std::nullopt;
    std::vector<std::int64_t> shares;
    if (catalog) shares = compile::share_of_blocks(*catalog, operation_.product.program.ranks, rank_);
    std::int64_t held = -1;
    for (std::int64_t tile = 0; tile < moves.grid().tiles(); ++tile) {
      if (moves.takes_part(tile, rank_)) written_ += moves.grid().share(tile);
      for (std::int64_t block = 0; catalog && block < catalog->blocks(); ++block) {
        if (!moves.touches(tile, catalog->box(catalog->tiles_of(block)))) continue;
        if (block != held) read_ += shares[static_cast<std::size_t>(block)];
        held = block;
      }
    }
  }

  void take_back() {
    const TileMoves moves = moves_of(Array::c, TileMoves::Direction::from_tiles);
    const BlockCatalog catalog = catalog_after();
    std::int64_t held = -1;
    for (std::int64_t block = 0; block < catalog.blocks(); ++block) {
      const Box box = catalog.box(catalog.tiles_of(block));
      for (std::int64_t tile = 0; tile < moves.grid().tiles(); ++tile) {
        if (!moves.takes_part(tile, rank_) || !moves.touches(tile, box)) continue;
        if (tile != held) read_ += moves.grid().elements(tile);
        held = tile;
      }
    }
    for (const std::int64_t share : compile::share_of_blocks(catalog, operation_.product.program.ranks, rank_))
      written_ += share;
  }

  void count_sent(const TileMoves& moves, const BlockCatalog* catalog, const symmetry::Shape& shape) {
    const std::int64_t blocks = catalog != nullptr ? catalog->blocks() : 1;
    for (std::int64_t block = 0; block < blocks; ++block) {
      const auto part =
          std::make_shared<const symmetry::Shape>(catalog != nullptr ? catalog->block_shape(block) : shape);
      const layout::Distribution distribution(part, layout::default_layout(*part, operation_.product.program.ranks));
      const layout::Locator locator(distribution);
      const Box box = catalog != nullptr ? catalog->box(catalog->tiles_of(block)) : whole_box(shape);
      for (std::int64_t tile = 0; tile < moves.grid().tiles(); ++tile) {
        if (moves.touches(tile, box)) sent_ += moves.sent(tile, {box, locator}, rank_);
      }
    }
  }

  const compile::Formula& formula_;
  const ParallelDiskOperation& operation_;
  const std::vector<Home>& homes_;
  const int rank_;
  std::int64_t read_ = 0, written_ = 0, sent_ = 0;  // elements
};

}  // namespace

DiskBytes predict_disk(const compile::Formula& formula, const ParallelDiskOperation& operation,
                       const std::vector<Home>& homes, int rank) {
  return Prediction(formula, operation, homes, rank).disk();
}

std::int64_t predict_sent(const compile::Formula& formula, const ParallelDiskOperation& operation,
                          const std::vector<Home>& homes, int rank) {
  return Prediction(formula, operation, homes, rank).sent();
}

}  // namespace ricci::program
