// Programs of ranks that were broken on purpose, and what the verifier makes of them.
#include "plan/verify_program.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "spread_case.hpp"

namespace ricci::planning {
namespace {

using Where = TilePlace::Where;
using Change = std::function<void(BlockProgram&)>;

/// C[abk]- = A[abc] B[ck]: A is read in two orders, which are summed up where their tiles are alike.
SpreadProblem problem() {
  SpreadProblem problem = spread_problem({{"abk", antisymmetric(0, 1), {}}, {"abc", {}, {}}, {"ck", {}, {}}},
                                         {{'a', 8}, {'b', 8}, {'c', 8}, {'k', 6}}, 4);
  problem.accumulate = false;
  return problem;
}

class VerifyProgram : public testing::Test {
 protected:
  /// A program of a rank that has something; the first of all spreads.
  void find(const std::function<bool(const BlockProgram&)>& wanted) {
    for (int rival = 1; rival < 400; ++rival) {
      contraction_.emplace(block_contraction(problem_, choose_spread(problem_, MachineModel{}, {-1, rival})));
      for (rank_ = 0; rank_ < problem_.ranks; ++rank_) {
        program_ = make_program(*contraction_, rank_);
        if (wanted(program_)) return verify(program_, *contraction_, rank_);
      }
    }
    throw std::logic_error("there is no such program");
  }

  void expect_rejected(const Change& change, const std::string& why) {
    BlockProgram broken = program_;
    change(broken);
    try {
      verify(broken, *contraction_, rank_);
      ADD_FAILURE() << "accepted, though " << why;
    } catch (const InternalError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(why));
      EXPECT_THAT(error.what(), testing::HasSubstr("the program of rank " + std::to_string(rank_)));
    }
  }

  /// The first operation of all phases that fits.
  static TileOperation& operation(BlockProgram& program, const std::function<bool(const TileOperation&)>& fits) {
    for (Phase& phase : program.phases) {
      for (TileOperation& operation : phase.operations) {
        if (fits(operation)) return operation;
      }
    }
    throw std::logic_error("there is no such operation");
  }
  static bool has(const BlockProgram& program, const std::function<bool(const TileOperation&)>& fits) {
    for (const Phase& phase : program.phases) {
      if (std::any_of(phase.operations.begin(), phase.operations.end(), fits)) return true;
    }
    return false;
  }

  SpreadProblem problem_ = problem();
  std::optional<BlockContraction> contraction_;
  BlockProgram program_;
  int rank_ = 0;
};

bool is_sum(const TileOperation& operation) { return operation.out.where == Where::summed; }
bool overwrites_own(const TileOperation& operation) {
  return operation.out.where == Where::own && !operation.accumulate;
}
bool adds_to_own(const TileOperation& operation) { return operation.out.where == Where::own && operation.accumulate; }

TEST_F(VerifyProgram, Statements) {
  find([](const BlockProgram& program) { return has(program, overwrites_own); });
  const auto any = [](const TileOperation&) { return true; };
  expect_rejected([&](auto& p) { operation(p, any).operation = static_cast<int>(p.operations.size()); },
                  "a statement that is not there");
  expect_rejected([&](auto& p) { operation(p, any).operation = -1; }, "a statement that is not there");
  expect_rejected([&](auto& p) { operation(p, any).operand = 2; }, "an operand that is not there");
  expect_rejected([&](auto& p) { operation(p, any).factor = NAN; }, "a factor is no number");
  expect_rejected([&](auto& p) { p.operations[0].extents[p.operations[0].out_labels[0]] += 1; },
                  "do not fit its shapes");
  expect_rejected([&](auto& p) { p.operations[0].a_labels[0] = 99; }, "do not fit its shapes");
  expect_rejected([&](auto& p) { p.phases.emplace_back(); }, "as many phases");
}

TEST_F(VerifyProgram, PlacesOfOperands) {
  find([](const BlockProgram& program) {
    return program.sums > 0 && program.phases[0].fetched[0] > 0 && has(program, overwrites_own);
  });
  const auto reads = [](Where where) { return [where](const TileOperation& o) { return o.a.where == where; }; };
  expect_rejected([&](auto& p) { operation(p, reads(Where::fetched)).a.begin = p.phases[0].fetched[0]; },
                  "elements that are not fetched");
  expect_rejected([&](auto& p) { operation(p, reads(Where::fetched)).a.begin = -1; }, "elements that are not fetched");
  expect_rejected([&](auto& p) { operation(p, reads(Where::summed)).a.begin += 1; }, "a sum that is not there");
  expect_rejected([&](auto& p) { operation(p, reads(Where::fetched)).a.where = Where::partial; }, "reads results");
}

TEST_F(VerifyProgram, Sums) {
  find([](const BlockProgram& program) { return program.sums > 0; });
  expect_rejected([&](auto& p) { operation(p, is_sum).accumulate = true; }, "a sum that is not begun");
  expect_rejected([&](auto& p) { operation(p, is_sum).out.begin = p.sums; }, "outside of the sums");
  expect_rejected([&](auto& p) { p.sums = 0; }, "outside of the sums");
}

TEST_F(VerifyProgram, Results) {
  find([](const BlockProgram& program) { return has(program, overwrites_own) && has(program, adds_to_own); });
  expect_rejected([&](auto& p) { operation(p, overwrites_own).accumulate = true; }, "neither cleared nor written");
  expect_rejected([&](auto& p) { operation(p, adds_to_own).accumulate = false; }, "already");
  expect_rejected([&](auto& p) { operation(p, overwrites_own).out.begin = 1'000'000; }, "outside of the results");
  expect_rejected([&](auto& p) { operation(p, overwrites_own).out.where = Where::fetched; }, "writes to what it has");
  expect_rejected([&](auto& p) { p.cleared.push_back({operation(p, overwrites_own).out.begin, 1}); }, "already");
  expect_rejected([&](auto& p) { p.cleared.push_back({-1, 1}); }, "clears elements that are not there");
}

TEST_F(VerifyProgram, ClearedResults) {
  find([](const BlockProgram& program) { return !program.cleared.empty(); });
  expect_rejected([&](auto& p) { p.cleared.clear(); }, "neither cleared nor written");
  expect_rejected([&](auto& p) { p.cleared.push_back(p.cleared[0]); }, "clears elements twice");
}

TEST_F(VerifyProgram, ResultsThatAreAddedToAreNotCleared) {
  problem_.accumulate = true;
  find([](const BlockProgram& program) { return has(program, adds_to_own); });
  expect_rejected([&](auto& p) { p.cleared.push_back({0, 1}); }, "clears elements that are added to");
  expect_rejected([&](auto& p) { operation(p, adds_to_own).accumulate = false; }, "overwrites");
}

TEST_F(VerifyProgram, MessagesOfTiles) {
  problem_ = matrix_product(8, 8, 8, 4);
  problem_.a.layout = problem_.b.layout = problem_.c.layout = Layout(Grid{2, 2}, {{0}, {1}});
  find([](const BlockProgram& program) {
    return !program.phases[0].sends[0].empty() && !program.phases[0].receives[0].empty();
  });
  const auto sent = [](BlockProgram& program) -> TileMessage& { return program.phases[0].sends[0][0]; };
  const auto received = [](BlockProgram& program) -> TileMessage& { return program.phases[0].receives[0][0]; };
  expect_rejected([&](auto& p) { sent(p).peer = rank_; }, "to itself");
  expect_rejected([&](auto& p) { received(p).peer = rank_; }, "to itself");
  expect_rejected([&](auto& p) { sent(p).peer = 4; }, "goes to no rank");
  expect_rejected([&](auto& p) { p.phases[0].sends[0].push_back(sent(p)); }, "between the same ranks");
  expect_rejected([&](auto& p) { sent(p).ranges[0].begin = -1; }, "elements that the rank does not have");
  expect_rejected([&](auto& p) { sent(p).ranges[0].begin = 1'000'000; }, "elements that the rank does not have");
  expect_rejected([&](auto& p) { sent(p).size += 1; }, "not as long as its elements");
  expect_rejected([&](auto& p) { received(p).at += 1; }, "does not fit its buffer");
  expect_rejected([&](auto& p) { p.phases[0].fetched[0] += 1; }, "do not fill their buffer");
  expect_rejected([&](auto& p) { received(p).size = 0; }, "is empty");
  const auto reads_own = [](const TileOperation& o) { return o.a.where == Where::own; };
  expect_rejected([&](auto& p) { operation(p, reads_own).a.begin += 1'000'000; }, "that the rank does not have");
}

TEST_F(VerifyProgram, OperandsThatAreCutAnew) {
  find([](const BlockProgram& program) {
    return program.phases[0].cut_anew[0] && !program.phases[0].operations.empty();
  });
  expect_rejected([&](auto& p) { p.phases[0].fetched[0] += 1; }, "do not fill the tiles");
  expect_rejected([&](auto& p) { p.phases[0].sends[0].push_back({1, 1, 0, {{0, 1}}}); }, "has messages of tiles");
  const auto reads_a = [](const TileOperation& o) { return o.operand == 0 && o.a.where == Where::fetched; };
  expect_rejected([&](auto& p) { operation(p, reads_a).a.where = Where::own; }, "cut anew");
}

TEST_F(VerifyProgram, PartialSums) {
  find([](const BlockProgram& program) { return program.partial > 0 && program.partials_received > 0; });
  expect_rejected([&](auto& p) { p.partials_to.pop_back(); }, "a partial sum is not sent");
  expect_rejected(
      [&](auto& p) {
        TileMessage& message = p.partials_to[0];
        message.ranges.push_back(message.ranges[0]);
        message.size += message.ranges[0].size;
      },
      "a partial sum is sent twice");
  expect_rejected([&](auto& p) { p.partials_from[0].ranges[0].begin = 1'000'000; }, "the rank does not have");
  expect_rejected([&](auto& p) { p.partials_received += 1; }, "do not fill their buffer");
  expect_rejected([&](auto& p) { p.partial += 1; }, "neither cleared nor written");
}

TEST_F(VerifyProgram, AnOperandThatIsNotThere) {
  problem_ = spread_problem({{"ab", {}, {}}, {"ba", {}, {}}}, {{'a', 6}, {'b', 6}}, 4);
  find([](const BlockProgram& program) { return !program.phases[0].operations.empty(); });
  expect_rejected([&](auto& p) { p.phases[0].fetched[1] = 1; }, "fetches an operand that is not there");
  expect_rejected([&](auto& p) { p.phases[0].operations[0].operand = 1; }, "an operand that is not there");
}

}  // namespace
}  // namespace ricci::planning
