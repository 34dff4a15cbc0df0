// Loop programs of random fusions and tiles, run by the interpreter of the tests: results, traffic and peak.
#include <gtest/gtest.h>

#include "fusion/simplify_loops.hpp"
#include "fusion/verify_loops.hpp"
#include "fusion_oracle.hpp"

namespace ricci::fusion {
namespace {

LoopProgram lower_all(const Forest& forest, const LoopStructure& structure, const LowerOptions& options) {
  LoopProgram program;
  program.labels = forest.labels;
  program.arrays = forest.arrays;
  for (const int root : part_roots(forest.trees[0], structure)) {
    append(program, lower(forest, forest.trees[0], structure, root, options).program);
  }
  return program;
}

void expect_right(const Forest& forest, const LoopProgram& program, const std::map<int, oracle::Values>& inputs,
                  const std::map<int, oracle::Values>& wanted, bool exact_peak) {
  ASSERT_NO_THROW(verify(program)) << to_string(program);
  const oracle::Run run = oracle::run(program, inputs);
  const int root = forest.trees[0].nodes.back().array;
  EXPECT_EQ(run.arrays.at(root), wanted.at(root)) << to_string(forest) << to_string(program);
  const LoopCounts counts = count(program);
  EXPECT_EQ(counts.arrays, run.traffic) << to_string(program);
  if (exact_peak) {
    EXPECT_EQ(counts.peak_bytes, run.peak_bytes) << to_string(program);
  } else {
    EXPECT_GE(counts.peak_bytes, run.peak_bytes) << to_string(program);
  }
}

/// With a turn that is neither the first nor the last one, all that is in memory throughout a loop is in use before and
/// after some moment of it; with two turns, one block may come in the first as another one goes in the last.
bool has_middle_turns(const LoopProgram& program, const std::vector<Statement>& body) {
  for (const Statement& statement : body) {
    const auto* loop = std::get_if<Loop>(&statement.what);
    if (loop && (program.trips(loop->loop) < 3 || !has_middle_turns(program, loop->body))) return false;
  }
  return true;
}

TEST(CompileLowering, RandomProgramsComputeWhatTheirTreesSay) {
  int fused = 0, partial = 0, exact = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Forest forest = oracle::random_forest(random, 1 + static_cast<int>(seed % 4), 5);
    check(forest);
    const LoopStructure structure = oracle::random_structure(random, forest, forest.trees[0]);
    ASSERT_TRUE(is_legal(forest.trees[0], structure));
    const LowerOptions options{seed % 5 == 0, seed % 10 == 0};
    LoopProgram program = lower_all(forest, structure, options);
    for (TileLoop& loop : program.loops) {
      loop.tile = std::uniform_int_distribution<std::int64_t>(1, program.extent(loop.label))(random);
    }
    const auto inputs = oracle::random_inputs(random, forest);
    const auto wanted = oracle::evaluate(forest, inputs);
    expect_right(forest, program, inputs, wanted, false);
    const LoopCounts before = count(program);
    simplify(program);
    const bool exact_peak = !options.read_ahead && has_middle_turns(program, program.body);
    expect_right(forest, program, inputs, wanted, exact_peak);
    exact += exact_peak;
    EXPECT_LE(count(program).peak_bytes, before.peak_bytes);
    for (std::size_t v = 0; v < structure.size(); ++v) {
      fused += !structure[v].on_disk && structure[v].produce;
      partial += structure[v].on_disk && (structure[v].produce & ~set_of(forest.trees[0].nodes[v].labels));
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(fused, 500);
  EXPECT_GT(partial, 500);
  EXPECT_GT(exact, 500);
}

}  // namespace
}  // namespace ricci::fusion
