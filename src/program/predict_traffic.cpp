#include "program/predict_traffic.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ricci::program {

using compile::BlockCatalog;
using compile::BlockStep;
using compile::Box;
using compile::Home;
using compile::Operand;

namespace {

/// An array on disk: its blocks, and the bytes that this rank has of each.
struct OnDisk {
  BlockCatalog catalog;
  std::vector<std::int64_t> bytes;

  OnDisk(const compile::Array& array, const std::vector<std::int64_t>& tiling, int ranks, int rank)
      : catalog(*array.shape, tiling), bytes(compile::share_of_blocks(catalog, ranks, rank)) {
    for (std::int64_t& share : bytes) share *= static_cast<std::int64_t>(element_size(array.type));
  }

  std::int64_t bytes_of(const Box& box) const {
    const Box touched = catalog.tiles_touched(box);
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

class Prediction {
 public:
  Prediction(const compile::Formula& formula, const compile::BlockedOperation& operation,
             const std::vector<Home>& homes, const Tilings& tilings, int ranks, int rank)
      : formula_(formula), operation_(operation) {
    const auto add = [&](int array) {
      if (homes[array] == Home::file) files_.insert(array);
      const auto tiling = tilings.find(array);
      if (homes[array] == Home::disk && tiling != tilings.end() && arrays_.count(array) == 0)
        arrays_.emplace(array, OnDisk(formula.arrays[array], tiling->second, ranks, rank));
    };
    for (const compile::BlockedTerm& term : operation.terms) {
      for (const Operand& factor : term.product.factors) add(factor.array);
    }
    if (!operation.overwrite) add(operation.out.array);
    if (homes[operation.out.array] != Home::disk) return;
    std::vector<std::int64_t> tiling;
    for (int label : operation.out.labels) tiling.push_back(operation.tile[label]);
    written_ = bytes_on_disk(formula.arrays[operation.out.array], tiling, ranks, rank);
  }

  DiskBytes run() {
    DiskBytes bytes{0, written_};
    compile::BlockWalk walk(formula_, operation_);
    BlockStep step;
    while (walk.next(step)) {
      if (step.kind == BlockStep::Kind::begin && !operation_.overwrite)
        bytes.read += bytes_of(operation_.out.array, box_of(formula_, operation_, operation_.out, step.tiles));
      if (step.kind == BlockStep::Kind::multiply) bytes.read += factors(step);
    }
    return bytes;
  }

 private:
  using Block = std::pair<int, Box>;

  std::int64_t bytes_of(int array, const Box& box) const {
    if (files_.count(array) > 0) {
      std::int64_t bytes = static_cast<std::int64_t>(element_size(formula_.arrays[array].type));
      for (std::size_t m = 0; m < box.lo.size(); ++m) bytes *= box.hi[m] - box.lo[m];
      return bytes;
    }
    const auto found = arrays_.find(array);
    return found == arrays_.end() ? 0 : found->second.bytes_of(box);
  }

  std::int64_t factors(const BlockStep& step) {
    std::vector<Block> now;
    std::int64_t read = 0;
    for (const Operand& factor : operation_.terms[step.term].product.factors) {
      const Block block{factor.array, box_of(formula_, operation_, factor, step.tiles)};
      const auto is_it = [&](const Block& other) { return other == block; };
      const bool there = std::any_of(now.begin(), now.end(), is_it) || std::any_of(held_.begin(), held_.end(), is_it);
      if (!there) read += bytes_of(block.first, block.second);
      now.push_back(block);
    }
    held_ = std::move(now);
    return read;
  }

  const compile::Formula& formula_;
  const compile::BlockedOperation& operation_;
  std::map<int, OnDisk> arrays_;
  std::set<int> files_;
  std::int64_t written_ = 0;
  std::vector<Block> held_;  // by the product before
};

}  // namespace

DiskBytes bytes_of_copy(const compile::Array& array, const std::vector<std::int64_t>& tiling, int ranks, int rank) {
  const OnDisk on_disk(array, tiling, ranks, rank);
  const Extents& extents = array.shape->extents();
  if (array.shape->full_size() == 0) return {};
  return {on_disk.bytes_of({std::vector<std::int64_t>(extents.size(), 0), {extents.begin(), extents.end()}}),
          array.shape->full_size() * static_cast<std::int64_t>(element_size(array.type))};
}

DiskBytes predict_traffic(const compile::Formula& formula, const compile::BlockedOperation& operation,
                          const std::vector<Home>& homes, const Tilings& tilings, int ranks, int rank) {
  return Prediction(formula, operation, homes, tilings, ranks, rank).run();
}

std::int64_t bytes_on_disk(const compile::Array& array, const std::vector<std::int64_t>& tiling, int ranks, int rank) {
  const OnDisk on_disk(array, tiling, ranks, rank);
  return std::accumulate(on_disk.bytes.begin(), on_disk.bytes.end(), std::int64_t{0});
}

}  // namespace ricci::program
