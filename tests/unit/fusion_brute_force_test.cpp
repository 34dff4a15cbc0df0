// All fusions, all placements, all tiles of small trees: nothing is better than what the optimal search finds.
#include <algorithm>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "fusion/search.hpp"
#include "fusion_oracle.hpp"

namespace ricci::fusion {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<LabelSet> subsets(LabelSet set) {
  std::vector<LabelSet> result;
  for (LabelSet s = set;; s = (s - 1) & set) {
    result.push_back(s);
    if (s == 0) return result;
  }
}

/// Everything that an edge could be.
std::vector<EdgeFusion> edge_choices(const Forest& forest, const Tree& tree, int v) {
  const Node& node = tree.nodes[static_cast<std::size_t>(v)];
  const int parent = parents(tree)[static_cast<std::size_t>(v)];
  const Home home = forest.arrays[static_cast<std::size_t>(node.array)].home;
  const LabelSet produce = node.is_leaf() ? 0 : loops_of(tree, v), consume = parent < 0 ? 0 : loops_of(tree, parent);
  const bool outside = node.is_leaf() || parent < 0;
  std::vector<EdgeFusion> result;
  if (home == Home::disk || (home == Home::anywhere)) {
    for (const LabelSet p : subsets(produce)) {
      for (const LabelSet c : subsets(consume)) result.push_back({true, p, c});
    }
  }
  if (outside ? home == Home::memory : home != Home::disk) {
    for (const LabelSet f : subsets(outside ? 0 : set_of(node.labels))) result.push_back({false, f, f});
  }
  const auto is_made = [&](int child) { return child >= 0 && !tree.nodes[static_cast<std::size_t>(child)].is_leaf(); };
  if (is_made(node.left) && is_made(node.right)) {
    const std::vector<EdgeFusion> left_first = result;
    for (EdgeFusion choice : left_first) {
      choice.right_first = true;
      result.push_back(choice);
    }
  }
  return result;
}

/// The least seconds of one part for each limit, by trying every tile of every loop.
void try_tiles(const TileProblem& problem, const std::vector<double>& limits, std::vector<double>& best) {
  std::vector<std::int64_t> tiles = problem.extents, trips(tiles.size(), 1);
  for (;;) {
    const double bytes = problem.bytes(tiles, trips), seconds = problem.seconds(trips);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (bytes <= limits[i]) best[i] = std::min(best[i], seconds);
    }
    std::size_t l = 0;
    for (; l < tiles.size(); ++l) {
      tiles[l] = tiles[l] == 1 ? problem.extents[l] : tiles[l] - 1;
      trips[l] = (problem.extents[l] + tiles[l] - 1) / tiles[l];
      if (tiles[l] != problem.extents[l]) break;
    }
    if (l == tiles.size()) return;
  }
}

std::vector<double> brute_force(const Forest& forest, const std::vector<double>& limits, const SearchOptions& options) {
  const Tree& tree = forest.trees[0];
  std::vector<double> best(limits.size(), infinite);
  LoopStructure structure(tree.nodes.size());
  const std::function<void(int)> choose = [&](int v) {
    if (v > tree.root()) {
      std::vector<double> sum(limits.size(), 0);
      for (const int root : part_roots(tree, structure)) {
        std::vector<double> part(limits.size(), infinite);
        try_tiles(make_tile_problem(lower(forest, tree, structure, root, options.lower).program, options.disk), limits,
                  part);
        for (std::size_t i = 0; i < limits.size(); ++i) sum[i] += part[i];
      }
      for (std::size_t i = 0; i < limits.size(); ++i) best[i] = std::min(best[i], sum[i]);
      return;
    }
    const EdgeFusion before = structure[static_cast<std::size_t>(v)];
    for (const EdgeFusion& choice : edge_choices(forest, tree, v)) {
      structure[static_cast<std::size_t>(v)] = choice;
      if (is_legal(tree, structure)) choose(v + 1);
    }
    structure[static_cast<std::size_t>(v)] = before;
  };
  choose(0);
  return best;
}

/// For many limits: the optimum, with bounds and without; no other search is better, and more memory never costs more.
/// Returns how many limits made a difference.
int expect_optimal(const Forest& forest, const SearchOptions& options) {
  const Tree& tree = forest.trees[0];
  const double least = least_memory(forest, tree, options);
  std::vector<double> limits = {least - 1};
  for (const double factor : {1.0, 1.3, 1.7, 2.2, 3.0, 5.0, 8.0, 20.0}) limits.push_back(least * factor);
  const std::vector<double> wanted = brute_force(forest, limits, options);
  EXPECT_EQ(wanted[0], infinite) << "less than the least memory is enough";
  EXPECT_LT(wanted[1], infinite);
  double previous = infinite;
  int differences = 0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const SearchResult found = optimal_search(forest, tree, limits[i], options);
    const double seconds = found.best ? found.best->seconds : infinite;
    EXPECT_TRUE(seconds == wanted[i] || std::abs(seconds - wanted[i]) < 1e-9 * wanted[i])
        << seconds << " s found, " << wanted[i] << " s possible in " << limits[i] << " bytes of\n"
        << to_string(forest);
    EXPECT_LE(seconds, previous * (1 + 1e-9)) << "more memory costs more";
    differences += seconds < 0.999 * previous && previous < infinite;
    previous = seconds;
    SearchOptions everything = options;
    everything.prune = false;
    const SearchResult all = optimal_search(forest, tree, limits[i], everything);
    EXPECT_EQ(all.best.has_value(), found.best.has_value());
    if (all.best) {
      EXPECT_NEAR(all.best->seconds, seconds, 1e-9 * seconds) << "pruning changes the result";
    }
    for (const auto search : {efficient_search, decoupled_search}) {
      const SearchResult other = search(forest, tree, limits[i], options);
      if (other.best) {
        EXPECT_GE(other.best->seconds, seconds * (1 - 1e-12));
      }
    }
  }
  return differences;
}

SearchOptions exact() {
  SearchOptions options;
  options.tiles.tolerance = 0;
  options.disk = {3.0, 2.0, 0};
  return options;
}

/// T[j,k,i] = A[j] * B[k,i,j]; S[k,i] = T[j,k,i]: S wants j inside of k and i, A wants it outside; best is k, j, i.
TEST(CompileBruteForce, TransfersThatWantDifferentOrdersMeetInTheMiddle) {
  Forest forest;
  forest.labels = {{"i", 3}, {"j", 4}, {"k", 3}};
  for (const char* name : {"A", "B", "T", "S"}) forest.arrays.push_back({name});
  enum : int { i, j, k };
  forest.trees = {{{{0, {j}}, {1, {k, i, j}}, {2, {j, k, i}, 0, 1}, {3, {k, i}, 2}}}};
  EXPECT_GT(expect_optimal(forest, exact()), 0);
}

/// S[i] = (A[i,k] B[k]) * (C[i,l] D[l]): the operand whose making takes more memory is made first.
TEST(CompileBruteForce, OperandsAreMadeInTheBetterOrder) {
  Forest forest;
  forest.labels = {{"i", 3}, {"k", 2}, {"l", 3}};
  for (const char* name : {"A", "B", "T", "C", "D", "U", "S"}) forest.arrays.push_back({name});
  enum : int { i, k, l };
  forest.trees = {{{{0, {i, k}}, {1, {k}}, {2, {i}, 0, 1}, {3, {i, l}}, {4, {l}}, {5, {i}, 3, 4}, {6, {i}, 2, 5}}}};
  for (const int array : {2, 5}) forest.arrays[static_cast<std::size_t>(array)].home = Home::memory;
  EXPECT_GT(expect_optimal(forest, exact()), 0);
}

struct SmallCase {
  int contractions;
  std::size_t labels;
  std::int64_t longest;
  int cases;
};

class CompileBruteForceOf : public testing::TestWithParam<SmallCase> {};

TEST_P(CompileBruteForceOf, RandomTreesFindsNothingBetter) {
  const SmallCase c = GetParam();
  int tried = 0, differences = 0;
  for (unsigned seed = 0; tried < c.cases && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Forest forest = oracle::random_forest(random, c.contractions, c.longest);
    if (forest.labels.size() > c.labels || static_cast<int>(forest.trees[0].nodes.size()) > 2 * c.contractions + 1) {
      continue;
    }
    ++tried;
    differences += expect_optimal(forest, exact());
  }
  EXPECT_GT(differences, tried / 4);  // limits matter
}

INSTANTIATE_TEST_SUITE_P(SmallTrees, CompileBruteForceOf,
                         testing::Values(SmallCase{1, 4, 5, 40}, SmallCase{2, 3, 3, 12}, SmallCase{3, 2, 4, 8}));

}  // namespace
}  // namespace ricci::fusion
