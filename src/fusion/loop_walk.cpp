#include "fusion/loop_walk.hpp"

namespace ricci::fusion {

LoopWalk::LoopWalk(const LoopProgram& program)
    : program_(&program), frames_{{&program.body, 0, -1}}, turn_(program.loops.size(), 0) {}

bool LoopWalk::next(LoopStep& step) {
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.at < frame.body->size()) {
      const Statement& statement = (*frame.body)[frame.at++];
      if (const Loop* const loop = std::get_if<Loop>(&statement.what)) {
        if (program_->trips(loop->loop) > 0) frames_.push_back({&loop->body, 0, loop->loop});
        continue;
      }
      step = {&statement, frames_.front().at - 1, turn_};
      return true;
    }
    if (frame.loop >= 0 && ++turn_[static_cast<std::size_t>(frame.loop)] < program_->trips(frame.loop)) {
      frame.at = 0;
      continue;
    }
    if (frame.loop >= 0) turn_[static_cast<std::size_t>(frame.loop)] = 0;
    frames_.pop_back();
  }
  return false;
}

}  // namespace ricci::fusion
