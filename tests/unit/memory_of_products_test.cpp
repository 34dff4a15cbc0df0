// How much memory plans of matrix products need, and what they receive for it: all ranks, without MPI.
#include <gtest/gtest.h>

#include "exec/distributed.hpp"
#include "exec/tensor_moves.hpp"
#include "plan/lean_search.hpp"
#include "plan/sequence.hpp"

namespace ricci::planning {
namespace {

constexpr std::int64_t n = 2048;

/// C[ij] = A[ik] B[kj] in default layouts.
Sequence product(int ranks, int runs) {
  const auto shape = std::make_shared<const symmetry::Shape>(Extents{n, n}, Symmetry{});
  notation::WrittenStatement written;
  written.output = {shape, "ij"};
  written.overwrite = true;
  written.terms = {{{shape, "ik"}, {shape, "kj"}}};
  Sequence sequence;
  sequence.ranks = ranks;
  sequence.runs = runs;
  sequence.tensors.assign(3, {shape, layout::default_layout(*shape, ranks), false});
  sequence.statements.push_back(
      {plan_statement(notation::bind(written), MachineModel{}, Options{.threads = 1}), {0, 1, 2}});
  sequence.goals.emplace_back();
  return sequence;
}

struct Outcome {
  DistributedPlan plan;
  std::int64_t needed = 0;  // bytes, on the rank that needs most
  std::int64_t words = 0;   // that come to the rank that gets most, moves before not included
};

/// On every rank, or on every so many.
Outcome outcome_of(const Sequence& sequence, int step = 1) {
  Outcome outcome;
  outcome.plan = *plan_sequence(sequence, MachineModel{})[0];
  for (int rank = 0; rank < sequence.ranks; rank += step) {
    const exec::DistributedExecutable executable(outcome.plan, rank);
    std::vector<exec::MovedTensor> tensors;
    for (std::size_t t = 0; t < 3; ++t) {
      tensors.push_back({sequence.tensors[t].shape, outcome.plan.before[t], outcome.plan.layouts[t], t == 0});
    }
    exec::RedistributionCache known;
    const exec::MovesNeed moves = exec::need_of_moves(tensors, 8, rank, known);
    const Cost cost = executable.cost(1);
    outcome.needed = std::max({outcome.needed, moves.most, moves.after + cost.peak_bytes});
    outcome.words = std::max(outcome.words, cost.received_bytes / 8);
  }
  return outcome;
}

/// What is chosen for a limit; nothing where none fits.
std::optional<Outcome> within(std::int64_t limit, int ranks, int runs) {
  Sequence sequence = product(ranks, runs);
  // To choose, a few ranks will do; what is chosen must fit on all.
  const int step = std::max(1, ranks / 4);
  Outcome outcome = outcome_of(sequence, step);
  if (outcome.needed <= limit) return outcome_of(sequence);
  KnownSpreads known;
  const auto try_out = [&](SpreadGoal goal) -> TriedGoal {
    goal.known = &known;
    sequence.goals[0] = goal;
    outcome = outcome_of(sequence, step);
    const Spread& spread = outcome.plan.nodes[0].spread;
    return {outcome.needed, spread.buffers, spread.seconds};
  };
  const std::optional<SpreadGoal> choice = choose_lean_goal({}, limit, 8, runs > 1, try_out);
  if (!choice) {
    ADD_FAILURE() << ranks << " ranks need " << outcome.needed << " bytes, but have " << limit;
    return std::nullopt;
  }
  sequence.goals[0] = *choice;
  return outcome_of(sequence);
}

struct Row {
  int ranks;
  double words, memory;  // millions of words
};

// In their own layouts they receive no more than COSMA does with so much memory.
TEST(MemoryOfProducts, AsMuchAsCosmaUses) {
  for (const Row& row :
       {Row{4, 2.10, 7.3}, Row{8, 1.575, 4.7}, Row{16, 1.315, 2.9}, Row{32, 0.92, 1.7}, Row{64, 0.59, 0.98}}) {
    const auto limit = static_cast<std::int64_t>(row.memory * 8e6);
    const std::optional<Outcome> outcome = within(limit, row.ranks, 100);
    if (!outcome) continue;
    EXPECT_LE(outcome->needed, limit) << row.ranks;
    EXPECT_LE(static_cast<double>(outcome->words), row.words * 1e6) << row.ranks;
  }
}

// With hardly more than the three matrices they receive no more than ScaLAPACK does on its best grid.
TEST(MemoryOfProducts, HardlyMoreThanTheMatrices) {
  for (const Row& row : {Row{4, 2.10, 0}, Row{8, 2.10, 0}, Row{16, 1.575, 0}, Row{32, 1.315, 0}, Row{64, 0.92, 0}}) {
    const auto limit = static_cast<std::int64_t>(1.15 * 3 * n * n / row.ranks * 8);
    const std::optional<Outcome> outcome = within(limit, row.ranks, 1);
    if (!outcome) continue;
    EXPECT_LE(outcome->needed, limit) << row.ranks;
    EXPECT_LE(static_cast<double>(outcome->words), row.words * 1e6) << row.ranks;
  }
}

}  // namespace
}  // namespace ricci::planning
