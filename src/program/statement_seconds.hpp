#pragma once
// How long statements will take, by the planner that will plan them.
#include <map>
#include <string>

#include <ricci/machine.hpp>
#include <ricci/options.hpp>

#include "compile/choose_tiles.hpp"
#include "compile/formula.hpp"
#include "notation/bound_statement.hpp"

namespace ricci::program {

/// Statements that look alike are planned once. They are those of a program that has been planned: operations at once
/// in memory, and products of blocks.
class StatementSeconds {
 public:
  StatementSeconds(int ranks, const MachineModel& machine, const Options& options)
      : ranks_(ranks), machine_(machine), options_(options) {
    options_.memory_limit = 0;  // what does not fit runs in blocks
  }

  /// Of an operation in memory; `times` of them.
  double at_once(const compile::Formula& formula, const compile::Operation& operation, double times);
  /// Of all products of blocks, of making room for the blocks of the output, and of copying parts of tensors that are
  /// in memory. Reading and writing are not in it.
  double in_blocks(const compile::Formula& formula, const compile::BlockedOperation& operation,
                   const std::vector<compile::Home>& homes);

 private:
  struct Seconds {
    double multiplying = 0;
    double moving = 0;  // all else
    double all() const { return multiplying + moving; }
  };
  const Seconds& seconds(const notation::WrittenStatement& statement);
  Seconds plan(const notation::WrittenStatement& statement) const;

  int ranks_;
  const MachineModel& machine_;
  Options options_;
  std::map<std::string, Seconds> known_;  // by what is in a statement
};

}  // namespace ricci::program
