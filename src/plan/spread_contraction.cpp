// From a spread to the contraction that programs are made from.
#include <algorithm>
#include <memory>

#include "plan/spread.hpp"

namespace ricci::planning {

namespace {

/// An operand in the tiles of the blocks, stored as it is where it has these tiles already.
TiledTensor tiled(const PlacedTensor& tensor, const Layout& where, const SpreadProblem& problem, const Spread& spread) {
  if (!tensor.shape) return {};
  std::vector<int> tiles;
  for (int label : tensor.labels) {
    const auto at = std::find(spread.labels.begin(), spread.labels.end(), label) - spread.labels.begin();
    tiles.push_back(spread.blocks.tiles()[at]);
  }
  const auto stored = std::make_shared<const layout::Distribution>(tensor.shape, where);
  const auto cut = std::make_shared<const layout::Distribution>(
      tensor.shape, Layout(Grid{problem.ranks}, std::vector<std::vector<int>>(tiles.size()), tiles));
  return {{tensor.shape.get(), tensor.labels}, stored->same_tiles(*cut) ? stored : cut, stored};
}

}  // namespace

BlockContraction block_contraction(const SpreadProblem& problem, const Spread& spread) {
  const auto output = std::make_shared<const layout::Distribution>(problem.c.shape, spread.c);
  return {TileTerms(problem.fold, {{problem.c.shape.get(), problem.c.labels}, output, output},
                    tiled(problem.a, spread.a, problem, spread), tiled(problem.b, spread.b, problem, spread)),
          BlockMapping(problem.fold, spread.labels, spread.blocks, problem.extents.size()),
          problem.extents,
          spread.phases,
          problem.accumulate,
          problem.element_size,
          {spread.fetch[0], spread.fetch[1]},
          spread.sums,
          spread.lean};
}

}  // namespace ricci::planning
