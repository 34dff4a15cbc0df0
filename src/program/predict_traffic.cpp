#include "program/predict_traffic.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "layout/box.hpp"
#include "program/blocks_on_disk.hpp"
#include "program/output_slabs.hpp"
#include "storage/box.hpp"

namespace ricci::program {

using compile::BlockCatalog;
using compile::BlockStep;
using compile::Box;
using compile::Home;
using compile::Operand;

namespace {

class Prediction {
 public:
  Prediction(const compile::Formula& formula, const compile::BlockedOperation& operation,
             const std::vector<Home>& homes, const Tilings& tilings, const PackedFiles& packed_files, int ranks,
             int rank)
      : formula_(formula), operation_(operation) {
    const auto add = [&](const Operand& operand) {
      const int array = operand.array;
      if (homes[array] == Home::file)
        files_.emplace(std::pair{array, tile_of(operand)}, BlocksInFile(formula.arrays[array], cuts_of(operand),
                                                                        packed_files.count(array) > 0, ranks, rank));
      const auto tiling = tilings.find(array);
      if (homes[array] == Home::disk && tiling != tilings.end() && arrays_.count(array) == 0)
        arrays_.emplace(array, BlocksOnDisk(formula.arrays[array], tiling->second, ranks, rank));
    };
    for (const compile::BlockedTerm& term : operation.terms) {
      for (const Operand& factor : term.product.factors) add(factor);
    }
    if (!operation.overwrite) add(operation.out);
    if (homes[operation.out.array] != Home::disk) return;
    const compile::Array& out = formula.arrays[operation.out.array];
    written_ = bytes_on_disk(out, cuts_of(operation.out), ranks, rank);
  }

  DiskBytes run() {
    DiskBytes bytes{0, written_};
    compile::BlockWalk walk(formula_, operation_);
    BlockStep step;
    while (walk.next(step)) {
      if (step.kind == BlockStep::Kind::begin && !operation_.overwrite)
        bytes.read += bytes_of(operation_.out, box_of(formula_, operation_, operation_.out, step.tiles));
      if (step.kind == BlockStep::Kind::multiply) bytes.read += factors(step);
    }
    return bytes;
  }

 private:
  using Block = std::pair<int, Box>;

  compile::Cuts cuts_of(const Operand& operand) const {
    return compile::cuts_of(formula_.arrays[operand.array].shape->extents(), tile_of(operand));
  }
  std::vector<std::int64_t> tile_of(const Operand& operand) const {
    std::vector<std::int64_t> tile;
    for (int label : operand.labels) tile.push_back(operation_.tile[label]);
    return tile;
  }

  std::int64_t bytes_of(const Operand& operand, const Box& box) const {
    const auto file = files_.find({operand.array, tile_of(operand)});
    if (file != files_.end()) return file->second.bytes_of(box);
    const auto found = arrays_.find(operand.array);
    return found == arrays_.end() ? 0 : found->second.bytes_of(box);
  }

  std::int64_t factors(const BlockStep& step) {
    std::vector<Block> now;
    std::int64_t read = 0;
    for (const Operand& factor : operation_.terms[step.term].product.factors) {
      const Block block{factor.array, box_of(formula_, operation_, factor, step.tiles)};
      const auto is_it = [&](const Block& other) { return other == block; };
      const bool there = std::any_of(now.begin(), now.end(), is_it) || std::any_of(held_.begin(), held_.end(), is_it);
      if (!there) read += bytes_of(factor, block.second);
      now.push_back(block);
    }
    held_ = std::move(now);
    return read;
  }

  const compile::Formula& formula_;
  const compile::BlockedOperation& operation_;
  std::map<int, BlocksOnDisk> arrays_;
  std::map<std::pair<int, std::vector<std::int64_t>>, BlocksInFile> files_;  // by array and tiles
  std::int64_t written_ = 0;
  std::vector<Block> held_;  // by the product before
};

}  // namespace

DiskBytes bytes_of_copy(const compile::Array& array, const compile::Cuts& cuts, bool is_packed, std::int64_t limit,
                        int ranks, int rank) {
  const BlocksOnDisk on_disk(array, cuts, ranks, rank);
  const BlockCatalog& catalog = on_disk.catalog;
  const BlocksInFile file(array, cuts, is_packed, ranks, rank);
  DiskBytes bytes;
  if (is_packed) {
    for (std::int64_t n = 0; n < catalog.blocks(); ++n) {
      const Box box = catalog.box(catalog.tiles_of(n));
      bytes += {on_disk.bytes_of(box), file.bytes_of(box)};
    }
    return bytes;
  }
  const std::int64_t most = is_in_file_order(*array.shape, ranks) ? std::numeric_limits<std::int64_t>::max()
                                                                  : most_in_a_slab(array.type, ranks, limit);
  const auto part_bytes = [&](std::int64_t elements) {
    return layout::part_of(elements, ranks, rank).count() * static_cast<std::int64_t>(element_size(array.type));
  };
  std::vector<std::int64_t> tiles(cuts.size(), 0);
  for (bool more = catalog.blocks() > 0; more;) {
    const Box box = catalog.box(tiles);
    bytes.read += on_disk.bytes_of(box);
    for (const Box& slab : slabs_of(box, most)) bytes.written += part_bytes(storage::elements(slab));
    more = false;
    for (std::size_t m = tiles.size(); m-- > 0 && !more;) {
      more = ++tiles[m] < catalog.tiles(static_cast<int>(m));
      if (!more) tiles[m] = 0;
    }
  }
  return bytes;
}

DiskBytes predict_traffic(const compile::Formula& formula, const compile::BlockedOperation& operation,
                          const std::vector<Home>& homes, const Tilings& tilings, const PackedFiles& packed_files,
                          int ranks, int rank) {
  return Prediction(formula, operation, homes, tilings, packed_files, ranks, rank).run();
}

std::int64_t bytes_on_disk(const compile::Array& array, const compile::Cuts& cuts, int ranks, int rank) {
  const BlocksOnDisk on_disk(array, cuts, ranks, rank);
  return std::accumulate(on_disk.bytes.begin(), on_disk.bytes.end(), std::int64_t{0});
}

}  // namespace ricci::program
