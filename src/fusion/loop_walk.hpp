#pragma once
// The statements of a loop program in the order in which they are run.
#include <cstdint>
#include <vector>

#include "fusion/loop_program.hpp"

namespace ricci::fusion {

/// A statement that is no loop, and where the loops around it stand.
struct LoopStep {
  const Statement* statement = nullptr;
  std::size_t nest = 0;            // the statement of LoopProgram::body that it is, or is in
  std::vector<std::int64_t> turn;  // [loop]: 0 where the loop is not around it
};

/// Can be copied: a copy goes ahead by itself. The program has to stay.
class LoopWalk {
 public:
  explicit LoopWalk(const LoopProgram& program);
  /// False at the end.
  bool next(LoopStep& step);

 private:
  struct Frame {
    const std::vector<Statement>* body;
    std::size_t at;  // the statement that comes next
    int loop;        // around the body; -1: none
  };
  const LoopProgram* program_;
  std::vector<Frame> frames_;
  std::vector<std::int64_t> turn_;
};

}  // namespace ricci::fusion
