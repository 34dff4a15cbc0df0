#include "fusion/fusion.hpp"

#include <random>

#include <gtest/gtest.h>

#include "fusion/loop_structure.hpp"
#include "fusion_oracle.hpp"

namespace ricci::fusion {
namespace {

enum : int { i, j, k, l };

/// Seed 003, figure 3: W[k] = sum over i, j, l of A[i,j] B[j,k,l] C[k,l].
Forest figure_3() {
  Forest forest;
  for (const char* name : {"i", "j", "k", "l"}) forest.labels.push_back({name, 4});
  for (const char* name : {"A", "f1", "B", "C", "f2", "f3", "W"}) forest.arrays.push_back({name});
  forest.trees = {{{{0, {i, j}},
                    {1, {j}, 0},           // f1[j] = sum over i of A
                    {2, {j, k, l}},        // B
                    {3, {k, l}},           // C
                    {4, {j, k, l}, 2, 3},  // f2 = B * C
                    {5, {j, k}, 4},        // f3 = sum over l of f2
                    {6, {k}, 1, 5}}}};     // W = f1 * f3
  return forest;
}

TEST(CompileFusion, IndexsetSequencesPrintAsInThePaper) {
  const Forest forest = figure_3();
  EXPECT_EQ(to_string(forest, IndexsetSequence{{bit(k), bit(j) | bit(l)}}), "<k,jl>");
  EXPECT_EQ(to_string(forest, IndexsetSequence{}), "<>");
  const IndexsetSequence f{{bit(i) | bit(k), bit(j)}};
  EXPECT_EQ(to_string(forest, f), "<ik,j>");
  EXPECT_EQ(f.set(), bit(i) | bit(j) | bit(k));
  EXPECT_EQ(f.rank(k), 0);
  EXPECT_EQ(f.rank(j), 1);
  EXPECT_EQ(f.rank(l), 2);
}

TEST(CompileFusion, TheFusionBetweenBAndF2OfFigure3) {
  const Forest forest = figure_3();
  const Tree& tree = forest.trees[0];
  // B is read and f2 is made for one k, j and l at a time; C is read for one k, as it does not depend on j.
  LoopStructure structure(tree.nodes.size());
  structure[0] = {true, 0, 0};
  structure[2] = {true, 0, bit(k) | bit(j) | bit(l)};
  structure[3] = {true, 0, bit(k)};
  structure[6] = {true, bit(k), 0};
  ASSERT_TRUE(is_legal(tree, structure));
  EXPECT_EQ(to_string(forest, tree, structure),
            "A[i,j]: read <>\n"
            "f1[j]: memory <>\n"
            "B[j,k,l]: read <k,jl>\n"
            "C[k,l]: read <k>\n"
            "f2[j,k,l]: memory <>\n"
            "f3[j,k]: memory <>\n"
            "W[k]: write <k>\n");
  // j and l with both f2 and its consumer, but k with C only: scopes that overlap and contain neither the other.
  structure[4] = {false, bit(j) | bit(l), bit(j) | bit(l)};
  EXPECT_FALSE(is_legal(tree, structure));
}

TEST(CompileFusion, NestingsThatMeetAreRankedAlike) {
  const IndexsetSequence empty, i_j{{bit(i), bit(j)}}, j_i{{bit(j), bit(i)}}, ij{{bit(i) | bit(j)}}, only_i{{bit(i)}},
      i_k{{bit(i), bit(k)}};
  EXPECT_TRUE(compatible(i_j, ij));
  EXPECT_TRUE(compatible(i_j, only_i));
  EXPECT_TRUE(compatible(i_j, empty));
  EXPECT_FALSE(compatible(i_j, j_i));
  EXPECT_FALSE(compatible(i_j, i_k));
  EXPECT_EQ(merged(ij, only_i), i_j);
  EXPECT_EQ(merged(empty, ij), ij);
  EXPECT_TRUE(may_fuse(i_j, bit(i)));
  EXPECT_FALSE(may_fuse(i_j, bit(j)));
  EXPECT_TRUE(may_fuse(i_j, bit(i) | bit(j) | bit(k)));
  EXPECT_EQ(restricted(i_j, bit(i) | bit(k) | bit(j)), (IndexsetSequence{{bit(i), bit(j), bit(k)}}));
}

IndexsetSequence random_sequence(std::mt19937& random, int labels) {
  IndexsetSequence result;
  LabelSet left = bit(labels) - 1;
  while (left && random() % 3) {
    const LabelSet set = left & random();
    if (set) result.sets.push_back(set);
    left &= ~set;
  }
  return result;
}

/// By the definition: no two loops in opposite order.
bool opposite(const IndexsetSequence& a, const IndexsetSequence& b) {
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      if (a.rank(x) < a.rank(y) && b.rank(x) > b.rank(y)) return true;
    }
  }
  return false;
}

TEST(CompileFusion, RandomSequencesKeepToTheDefinitions) {
  std::mt19937 random(1);
  std::vector<IndexsetSequence> all, rests;  // the rest of a tree may have loops that come after all of theirs
  for (int n = 0; n < 250; ++n) all.push_back(random_sequence(random, 4));
  for (int n = 0; n < 1000; ++n) rests.push_back(random_sequence(random, 5));
  for (const IndexsetSequence& a : all) {
    for (const IndexsetSequence& b : all) {
      ASSERT_EQ(compatible(a, b), !opposite(a, b));
      if (compatible(a, b)) {
        const IndexsetSequence both = merged(a, b);
        for (int x = 0; x < 4; ++x) {
          for (int y = 0; y < 4; ++y) {
            ASSERT_EQ(both.rank(x) < both.rank(y), a.rank(x) < a.rank(y) || b.rank(x) < b.rank(y));
          }
        }
      }
      // More constraining: whatever goes with a goes with b.
      bool everything = true;
      for (const IndexsetSequence& rest : rests)
        everything = everything && (!compatible(a, rest) || compatible(b, rest));
      ASSERT_EQ(more_constraining(a, b), everything);
    }
  }
}

/// Figures 4 and 5 of seed 003: T2 or T1 on disk.
TEST(CompileFusion, TheStructuresOfThePaperAreLegal) {
  const Forest forest = oracle::four_index(70, 80);
  const Tree& tree = forest.trees[0];
  enum : int { a, b, c, d, p, q, r, s };
  LoopStructure figure_4(9);
  figure_4[0] = {true, 0, bit(r) | bit(s) | bit(p) | bit(q)};
  figure_4[1] = {true, 0, bit(r) | bit(s) | bit(p)};
  figure_4[2] = {false, bit(r) | bit(s), bit(r) | bit(s)};
  figure_4[3] = {true, 0, bit(r) | bit(s) | bit(b) | bit(q)};
  figure_4[4] = {true, bit(r) | bit(s) | bit(b), bit(a) | bit(b) | bit(c) | bit(r) | bit(s)};
  figure_4[5] = {true, 0, bit(a) | bit(b) | bit(c) | bit(r)};
  figure_4[6] = {false, bit(a) | bit(b) | bit(c), bit(a) | bit(b) | bit(c)};
  figure_4[7] = {true, 0, bit(a) | bit(b) | bit(c) | bit(d) | bit(s)};
  figure_4[8] = {true, bit(a) | bit(b) | bit(c) | bit(d), 0};
  EXPECT_TRUE(is_legal(tree, figure_4));
  EXPECT_EQ(part_roots(tree, figure_4), (std::vector<int>{4, 8}));
  LoopProgram first = lower(forest, tree, figure_4, 4, {}).program;
  EXPECT_EQ(to_string(first),
            "FOR rT by 1, sT by 1\n"
            "  T1[a,q,rI,sI] = 0.0\n"
            "  FOR pT by 1\n"
            "    C4[pI,a] = Read C4[p,a]\n"
            "    FOR qT by 1\n"
            "      A[pI,qI,rI,sI] = Read A[p,q,r,s]\n"
            "      T1[a,qT+qI,rI,sI] += A[pI,qI,rI,sI] * C4[pI,a]\n"
            "  FOR bT by 1\n"
            "    T2[a,bI,rI,sI] = 0.0\n"
            "    FOR qT by 1\n"
            "      C3[qI,bI] = Read C3[q,b]\n"
            "      T2[a,bI,rI,sI] += T1[a,qT+qI,rI,sI] * C3[qI,bI]\n"
            "    Write T2[a,bI,rI,sI] to T2[a,b,r,s]\n");
  LoopStructure figure_5(9);
  figure_5[0] = {true, 0, bit(q) | bit(r) | bit(s) | bit(p)};
  figure_5[1] = {true, 0, bit(q) | bit(r) | bit(s) | bit(p) | bit(a)};
  figure_5[2] = {true, bit(q) | bit(r) | bit(s), bit(b) | bit(a) | bit(r) | bit(s) | bit(q)};
  figure_5[3] = {true, 0, bit(b)};
  figure_5[4] = {false, bit(b) | bit(a) | bit(r) | bit(s), bit(b) | bit(a) | bit(r) | bit(s)};
  figure_5[5] = {true, 0, bit(b) | bit(a) | bit(r)};
  figure_5[6] = {false, bit(b) | bit(a), bit(b) | bit(a)};
  figure_5[7] = {true, 0, bit(b) | bit(a) | bit(d) | bit(s)};
  figure_5[8] = {true, bit(b) | bit(a) | bit(d), 0};
  EXPECT_TRUE(is_legal(tree, figure_5));
}

}  // namespace
}  // namespace ricci::fusion
