#pragma once
// The other way to contract packed operands: unpack the groups that the contraction breaks while an operand is moved to
// where the contraction wants it (CTF's way), then contract it like any other. The rival of fetching packed tiles
// (CAST).
#include <limits>
#include <optional>
#include <vector>

#include "plan/spread.hpp"

namespace ricci::planning {

/// The symmetry that an operand keeps where labels that do not run together in the blocks are in no common group.
Symmetry unbroken_symmetry(const SpreadProblem& problem, const PlacedTensor& operand);
/// Whether the contraction breaks a group of it.
bool breaks_groups(const SpreadProblem& problem, const PlacedTensor& operand);

/// An operand that is unpacked first.
struct UnpackedOperand {
  bool is_b = false;
  SpreadProblem problem;  // of the copy
  Spread spread;
};

/// A contraction after some of its operands have been unpacked.
struct Desymmetrised {
  std::vector<UnpackedOperand> operands;
  SpreadProblem problem;
  Spread spread;

  double seconds() const;
  std::int64_t words() const;
  std::int64_t buffers() const;  // the unpacked operands are among them
};

/// Which operands to unpack.
struct Unpack {
  bool a = false, b = false;
};
/// Every choice of operands whose groups are broken; none where no group is. An operand that has a label twice stays as
/// it is.
std::vector<Unpack> ways_to_unpack(const SpreadProblem& problem);

/// The best after unpacking these (or the rival that the goal asks for). `direct`: how the contraction is done without,
/// if that is known. What cannot take less than `enough` seconds is not simulated.
Desymmetrised desymmetrise(const SpreadProblem& problem, Unpack which, const Spread* direct,
                           const MachineModel& machine, const SpreadGoal& goal,
                           double enough = std::numeric_limits<double>::infinity());

/// The faster of both strategies, unless the goal asks for one of them. The loser is among the winner's rivals.
struct StrategyChoice {
  Spread direct;
  std::optional<Desymmetrised> desymmetrised;  // instead
};
StrategyChoice choose_strategy(const SpreadProblem& problem, const MachineModel& machine, const SpreadGoal& goal);

}  // namespace ricci::planning
