#include "fusion/search.hpp"

#include <fmt/format.h>

#include "fusion/simplify_loops.hpp"
#include "fusion/verify_loops.hpp"

namespace ricci::fusion {

std::optional<TiledTree> tile(const Forest& forest, const Tree& tree, const LoopStructure& structure,
                              double limit_bytes, const SearchOptions& options) {
  TiledTree result{structure, {}, 0};
  result.program.labels = forest.labels;
  result.program.arrays = forest.arrays;
  for (const int root : part_roots(tree, structure)) {
    LoopProgram part = lower(forest, tree, structure, root, options.lower).program;
    const TileProblem problem = make_tile_problem(part, options.disk);
    std::optional<TileChoice> choice = search_tiles(problem, limit_bytes, options.tiles);
    if (!choice) return std::nullopt;
    grow_tiles(problem, limit_bytes, choice->tiles);
    for (std::size_t l = 0; l < part.loops.size(); ++l) part.loops[l].tile = choice->tiles[l];
    simplify(part);
    verify(part);
    result.seconds += choice->seconds;
    append(result.program, std::move(part));
  }
  return result;
}

LoopStructure undecided(const Forest& forest, const Tree& tree) {
  LoopStructure structure(tree.nodes.size());
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    const Node& node = tree.nodes[v];
    const bool outside = node.is_leaf() || static_cast<int>(v) == tree.root();
    const Home home = forest.arrays[static_cast<std::size_t>(node.array)].home;
    structure[v].on_disk = outside ? on_disk(forest, node) : home == Home::disk;
  }
  return structure;
}

std::string disk_arrays(const Forest& forest, const Tree& tree, const LoopStructure& structure) {
  std::vector<std::string> names;
  for (int v = 0; v < tree.root(); ++v) {
    const Node& node = tree.nodes[static_cast<std::size_t>(v)];
    if (!node.is_leaf() && structure[static_cast<std::size_t>(v)].on_disk) {
      names.push_back(forest.arrays[static_cast<std::size_t>(node.array)].name);
    }
  }
  return names.empty() ? "all in memory" : fmt::format("{} on disk", fmt::join(names, ", "));
}

}  // namespace ricci::fusion
