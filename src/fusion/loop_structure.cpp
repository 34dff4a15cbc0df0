#include "fusion/loop_structure.hpp"

#include <fmt/format.h>

#include "fusion/loop_scopes.hpp"

namespace ricci::fusion {

bool is_legal(const Tree& tree, const LoopStructure& structure) {
  const std::vector<int> parent = parents(tree);
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    const Node& node = tree.nodes[v];
    const EdgeFusion& fusion = structure[v];
    const LabelSet consumer = parent[v] < 0 ? 0 : loops_of(tree, parent[v]);
    if (fusion.consume & ~consumer) return false;
    if (fusion.produce & ~(node.is_leaf() ? 0 : loops_of(tree, static_cast<int>(v)))) return false;
    if (fusion.on_disk) continue;
    // What stays in memory is consumed where it is made, complete: only its own dimensions may be fused.
    if (!node.is_leaf() && parent[v] >= 0 && fusion.produce != fusion.consume) return false;
    if ((fusion.produce | fusion.consume) & ~set_of(node.labels)) return false;
    if ((node.is_leaf() || parent[v] < 0) && (fusion.produce | fusion.consume)) return false;
  }
  return are_nested(tree, loop_scopes(tree, structure));
}

std::vector<int> part_roots(const Tree& tree, const LoopStructure& structure) {
  std::vector<int> roots;
  for (int v = 0; v <= tree.root(); ++v) {
    const bool made = !tree.nodes[static_cast<std::size_t>(v)].is_leaf();
    if (made && (v == tree.root() || structure[static_cast<std::size_t>(v)].on_disk)) roots.push_back(v);
  }
  return roots;
}

namespace {

/// The loops of `set` at a point as an indexset sequence: loops of one scope in one set.
IndexsetSequence ranked(const LoopScopes& scopes, std::size_t point, LabelSet set) {
  IndexsetSequence result;
  std::size_t width = 0;
  for (const int l : scopes.around[point]) {
    const FusedLoop& loop = scopes.loops[static_cast<std::size_t>(l)];
    if (!contains(set, loop.label)) continue;
    if (result.sets.empty() || loop.scope.count() != width) result.sets.push_back(0);
    width = loop.scope.count();
    result.sets.back() |= bit(loop.label);
  }
  return result;
}

}  // namespace

std::string to_string(const Forest& forest, const Tree& tree, const LoopStructure& structure) {
  const LoopScopes scopes = loop_scopes(tree, structure);
  const std::size_t n = tree.nodes.size();
  const std::vector<int> parent = parents(tree);
  std::string text;
  for (std::size_t v = 0; v < n; ++v) {
    const Node& node = tree.nodes[v];
    const EdgeFusion& fusion = structure[v];
    text += to_string(forest, node) + ":";
    if (!fusion.on_disk) {
      text += " memory";
      if (!node.is_leaf() && parent[v] >= 0) text += " " + to_string(forest, ranked(scopes, v, fusion.produce));
    } else {
      if (!node.is_leaf()) text += " write " + to_string(forest, ranked(scopes, 2 * n + v, fusion.produce));
      if (!node.is_leaf() && parent[v] >= 0) text += ",";
      if (parent[v] >= 0) text += " read " + to_string(forest, ranked(scopes, n + v, fusion.consume));
    }
    text += '\n';
  }
  return text;
}

}  // namespace ricci::fusion
