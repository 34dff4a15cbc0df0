// A program of coupled-cluster terms: planned quickly, and within its memory limit.
#include <chrono>
#include <map>

#include <gtest/gtest.h>

#include "fusion/out_of_core_plan.hpp"

namespace ricci::fusion {
namespace {

struct Factor {
  std::string name, labels;
  std::string product;  // labels of the product of all factors so far; none for the first
};

/// Letters from i to l are occupied orbitals, from a to d virtual ones.
class TermForest {
 public:
  TermForest(std::int64_t occupied, std::int64_t virtuals) {
    for (const char letter : std::string("ijkl")) forest.labels.push_back({std::string(1, letter), occupied});
    for (const char letter : std::string("abcd")) forest.labels.push_back({std::string(1, letter), virtuals});
  }

  void add(const std::vector<Factor>& factors) {
    Tree tree;
    for (const Factor& factor : factors) {
      const int product = tree.root();
      tree.nodes.push_back({array(factor.name), labels(factor.labels)});
      if (product < 0) continue;
      const std::string name = "R" + std::to_string(forest.trees.size()) + "_" + std::to_string(tree.root());
      tree.nodes.push_back({array(name), labels(factor.product), product, product + 1});
    }
    forest.trees.push_back(tree);
  }

  Forest forest;

 private:
  int array(const std::string& name) {
    const auto [found, is_new] = arrays_.emplace(name, static_cast<int>(forest.arrays.size()));
    if (is_new) forest.arrays.push_back({name});
    return found->second;
  }

  static std::vector<int> labels(const std::string& letters) {
    std::vector<int> result;
    for (const char letter : letters) result.push_back(letter >= 'i' ? letter - 'i' : letter - 'a' + 4);
    return result;
  }

  std::map<std::string, int> arrays_;
};

Forest doubles(std::int64_t occupied, std::int64_t virtuals) {
  TermForest terms(occupied, virtuals);
  terms.add({{"Vvvvv", "abcd", ""}, {"T2", "cdij", "abij"}});
  terms.add({{"Voooo", "klij", ""}, {"T2", "abkl", "abij"}});
  terms.add({{"Vovvo", "kbcj", ""}, {"T2", "acik", "abij"}});
  terms.add({{"Voovv", "klcd", ""}, {"T2", "cdij", "klij"}, {"T2", "abkl", "abij"}});
  terms.add({{"Voovv", "klcd", ""}, {"T2", "acik", "ilad"}, {"T2", "dblj", "abij"}});
  terms.add({{"Voovv", "klcd", ""}, {"T2", "cdik", "il"}, {"T2", "abjl", "abij"}});
  terms.add({{"Vvvvv", "abcd", ""}, {"T1", "ci", "abid"}, {"T1", "dj", "abij"}});
  terms.add({{"Voovv", "klcd", ""}, {"T1", "ci", "klid"}, {"T1", "dj", "klij"}, {"T2", "abkl", "abij"}});
  terms.add(
      {{"Voovv", "klcd", ""}, {"T1", "ci", "klid"}, {"T1", "dj", "klij"}, {"T1", "ak", "alij"}, {"T1", "bl", "abij"}});
  terms.add({{"Vovvv", "kbcd", ""}, {"T1", "ci", "kbid"}, {"T1", "dj", "kbij"}, {"T1", "ak", "abij"}});
  terms.add({{"Vovvv", "kacd", ""}, {"T1", "ck", "ad"}, {"T2", "dbij", "abij"}});
  return terms.forest;
}

class CompileCcsd : public testing::TestWithParam<std::int64_t> {};

TEST_P(CompileCcsd, IsPlannedInSeconds) {
  const Forest forest = doubles(20, 100);
  for (const SearchKind search : {SearchKind::optimal, SearchKind::efficient}) {
    OutOfCoreOptions options;
    options.search = search;
    const auto start = std::chrono::steady_clock::now();
    const LoopPlan plan = plan_out_of_core(forest, GetParam(), {}, options);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 30.0);
    EXPECT_LE(plan.counts.peak_bytes, GetParam());
    EXPECT_TRUE(plan.exhaustive);
    // Each integral is read once a term at least.
    EXPECT_GE(plan.counts.arrays[0].read_bytes, 2 * 8 * std::int64_t{100'000'000});
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, CompileCcsd, testing::Values(1'000'000, 20'000'000, 200'000'000));

}  // namespace
}  // namespace ricci::fusion
