// Section 4 of seed 003, with one more rule. What two parts of a tree have between them is on disk, so they run one
// after the other, each with all of the memory and with tiles of its own: of a subtree whose root is on disk only the
// fastest way is kept, where the paper keeps every way that is not inferior array by array.
#include <algorithm>

#include <fmt/format.h>

#include "fusion/part_search.hpp"

namespace ricci::fusion {

namespace {

struct Best {
  LoopStructure structure;
  double seconds = 0;
};

class OptimalSearch {
 public:
  OptimalSearch(const Forest& forest, const Tree& tree, double limit, const SearchOptions& options)
      : forest_(forest),
        tree_(tree),
        limit_(limit),
        options_(options),
        part_(forest, tree, limit, options),
        best_(tree.nodes.size()),
        may_cut_(tree.nodes.size(), false) {}

  SearchResult run() {
    for (int v = 0; v <= tree_.root(); ++v) {
      const Node& node = tree_.nodes[static_cast<std::size_t>(v)];
      if (node.is_leaf()) continue;
      const Home home = forest_.arrays[static_cast<std::size_t>(node.array)].home;
      if (v != tree_.root() && home == Home::memory) continue;
      solve(v);
      may_cut_[static_cast<std::size_t>(v)] = best_[static_cast<std::size_t>(v)].has_value();
    }
    result_.candidates = part_.candidates;
    result_.exhaustive = result_.exhaustive && part_.exhaustive;
    if (const auto& best = best_.back()) result_.best = tile(forest_, tree_, best->structure, limit_, options_);
    return std::move(result_);
  }

 private:
  /// What is on disk around a part, with the best ways of the parts below it.
  Best below(const Members& members) const {
    Best sum{undecided(forest_, tree_), 0};
    sum.structure[static_cast<std::size_t>(members.back())].on_disk |= members.back() != tree_.root();
    for (const int v : members) {
      const Node& node = tree_.nodes[static_cast<std::size_t>(v)];
      for (const int child : {node.left, node.right}) {
        if (child < 0 || tree_.nodes[static_cast<std::size_t>(child)].is_leaf()) continue;
        if (std::find(members.begin(), members.end(), child) != members.end()) continue;
        const Best& cut = *best_[static_cast<std::size_t>(child)];
        sum.seconds += cut.seconds;
        for (std::size_t u = 0; u < cut.structure.size(); ++u) {
          if (is_below(static_cast<int>(u), child)) sum.structure[u] = cut.structure[u];
        }
      }
    }
    return sum;
  }

  bool is_below(int v, int root) const {
    if (v == root) return true;
    const Node& node = tree_.nodes[static_cast<std::size_t>(root)];
    return (node.left >= 0 && is_below(v, node.left)) || (node.right >= 0 && is_below(v, node.right));
  }

  void solve(int root) {
    std::optional<Best>& best = best_[static_cast<std::size_t>(root)];
    for (const Members& members :
         parts_with_root(forest_, tree_, root, may_cut_, options_.most_fused, result_.exhaustive)) {
      Best way = below(members);
      const double least = way.seconds + part_.least_seconds(members, way.structure);
      const double limit =
          best ? best->seconds * (1 - options_.tiles.tolerance) : std::numeric_limits<double>::infinity();
      std::string reason;
      if (options_.prune && least >= limit) {
        reason = fmt::format("takes {:.4g} s at least", least);
      } else if (const auto found = part_.run(members, way.structure, limit - way.seconds)) {
        way.structure = found->structure;
        way.seconds += found->seconds;
        if (best && root == tree_.root()) note(best->structure, fmt::format("takes {:.4g} s", best->seconds));
        best = std::move(way);
        continue;
      } else {
        reason = best ? fmt::format("no tiles make it faster than {:.4g} s", best->seconds) : "does not fit";
      }
      if (root == tree_.root()) note(way.structure, reason);
    }
  }

  void note(const LoopStructure& structure, std::string reason) {
    result_.rivals.push_back({disk_arrays(forest_, tree_, structure), std::move(reason)});
  }

  const Forest& forest_;
  const Tree& tree_;
  double limit_;
  const SearchOptions& options_;
  PartSearch part_;
  std::vector<std::optional<Best>> best_;  // by contraction: of its subtree, its result on disk
  std::vector<bool> may_cut_;
  SearchResult result_;
};

}  // namespace

SearchResult optimal_search(const Forest& forest, const Tree& tree, double limit_bytes, const SearchOptions& options) {
  return OptimalSearch(forest, tree, limit_bytes, options).run();
}

double least_memory(const Forest& forest, const Tree& tree, const SearchOptions& options) {
  PartSearch part(forest, tree, 0, options);
  std::vector<double> least(tree.nodes.size(), std::numeric_limits<double>::infinity());
  std::vector<bool> may_cut(tree.nodes.size(), false);
  bool exhaustive = true;
  for (int v = 0; v <= tree.root(); ++v) {
    const Node& node = tree.nodes[static_cast<std::size_t>(v)];
    const Home home = forest.arrays[static_cast<std::size_t>(node.array)].home;
    if (node.is_leaf() || (v != tree.root() && home == Home::memory)) continue;
    may_cut[static_cast<std::size_t>(v)] = true;
    for (const Members& members : parts_with_root(forest, tree, v, may_cut, options.most_fused, exhaustive)) {
      // Intermediates that may be on disk are better off there: a contraction by itself takes three elements.
      LoopStructure structure = undecided(forest, tree);
      double below = 0;
      for (const int member : members) {
        const Node& made = tree.nodes[static_cast<std::size_t>(member)];
        for (const int child : {made.left, made.right}) {
          if (child < 0 || tree.nodes[static_cast<std::size_t>(child)].is_leaf()) continue;
          if (std::find(members.begin(), members.end(), child) != members.end()) continue;
          structure[static_cast<std::size_t>(child)].on_disk = true;
          below = std::max(below, least[static_cast<std::size_t>(child)]);
        }
      }
      structure[static_cast<std::size_t>(v)].on_disk |= v != tree.root();
      least[static_cast<std::size_t>(v)] =
          std::min(least[static_cast<std::size_t>(v)], std::max(below, part.least_memory(members, structure)));
      break;
    }
  }
  return least.back();
}

}  // namespace ricci::fusion
