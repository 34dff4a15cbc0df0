#include "fusion/loop_scopes.hpp"

#include <algorithm>

namespace ricci::fusion {

namespace {

class ScopeMaker {
 public:
  ScopeMaker(const Tree& tree, const LoopStructure& structure)
      : structure_(structure), parents_(parents(tree)), points_(tree.nodes.size()) {
    scopes.around.resize(3 * points_);
    for (int v = tree.root(); v >= 0; --v) add(tree.nodes[static_cast<std::size_t>(v)], v);
    for (std::vector<int>& loops : scopes.around) {
      std::sort(loops.begin(), loops.end(), [&](int a, int b) {
        const std::size_t wide_a = scopes.loops[static_cast<std::size_t>(a)].scope.count();
        const std::size_t wide_b = scopes.loops[static_cast<std::size_t>(b)].scope.count();
        return wide_a != wide_b ? wide_a > wide_b : a < b;
      });
    }
  }

  LoopScopes scopes;

 private:
  /// From the root down: a contraction takes over the loops that it shares with its consumer, and adds its own.
  void add(const Node& node, int v) {
    const auto here = static_cast<std::size_t>(v);
    const EdgeFusion& fusion = structure_[here];
    const int parent = parents_[here];
    if (fusion.on_disk && parent >= 0) join(static_cast<std::size_t>(parent), points_ + here, fusion.consume);
    if (node.is_leaf()) return;
    if (fusion.on_disk) {
      join(here, 2 * points_ + here, fusion.produce);
    } else if (parent >= 0) {
      join(static_cast<std::size_t>(parent), here, fusion.produce);
    }
  }

  void join(std::size_t point, std::size_t other, LabelSet labels) {
    for (int l = 0; labels >> l; ++l) {
      if (contains(labels, l)) enclose(loop_at(point, l), other);
      if (l == 63) break;
    }
  }

  int loop_at(std::size_t point, int label) {
    for (const int loop : scopes.around[point]) {
      if (scopes.loops[static_cast<std::size_t>(loop)].label == label) return loop;
    }
    scopes.loops.push_back({label, {}});
    const int loop = static_cast<int>(scopes.loops.size()) - 1;
    enclose(loop, point);
    return loop;
  }

  void enclose(int loop, std::size_t point) {
    scopes.loops[static_cast<std::size_t>(loop)].scope.set(point);
    scopes.around[point].push_back(loop);
  }

  const LoopStructure& structure_;
  std::vector<int> parents_;
  std::size_t points_;
};

}  // namespace

LoopScopes loop_scopes(const Tree& tree, const LoopStructure& structure) { return ScopeMaker(tree, structure).scopes; }

bool are_nested(const Tree& tree, const LoopScopes& scopes) {
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    const std::vector<int>& loops = scopes.around[v];
    for (std::size_t i = 1; i < loops.size(); ++i) {  // widest first, so neighbours decide
      const Scope& wide = scopes.loops[static_cast<std::size_t>(loops[i - 1])].scope;
      if ((scopes.loops[static_cast<std::size_t>(loops[i])].scope & ~wide).any()) return false;
    }
  }
  return true;
}

}  // namespace ricci::fusion
