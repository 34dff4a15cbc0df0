// Loops that turn once are no loops.
#include "fusion/simplify_loops.hpp"

#include <algorithm>

#include "fusion/loop_counts.hpp"

namespace ricci::fusion {

namespace {

class Simplify {
 public:
  explicit Simplify(LoopProgram& program) : program_(program) {
    for (const Transfer& transfer : transfers(program)) {
      Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
      const auto turns = [&](int loop) { return program.trips(loop) > 1; };
      if (std::none_of(transfer.around.begin(), transfer.around.end(), turns)) buffer.doubled = false;
    }
  }

  void run() {
    program_.body = flat(std::move(program_.body));
    for (Buffer& buffer : program_.buffers) {
      for (int& loop : buffer.loops) {
        if (loop >= 0 && gone(loop)) loop = -1;
      }
    }
  }

 private:
  bool gone(int loop) const { return std::find(gone_.begin(), gone_.end(), loop) != gone_.end(); }

  /// A second buffer lives as long as the body that it is filled in: that body stays as it is.
  bool fills_doubled(const std::vector<Statement>& body) const {
    return std::any_of(body.begin(), body.end(), [&](const Statement& statement) {
      const auto* read = std::get_if<Read>(&statement.what);
      const auto* write = std::get_if<Write>(&statement.what);
      const int buffer = read ? read->buffer : write ? write->buffer : -1;
      return buffer >= 0 && program_.buffers[static_cast<std::size_t>(buffer)].doubled;
    });
  }

  std::vector<Statement> flat(std::vector<Statement> body) {
    std::vector<Statement> result;
    for (Statement& statement : body) {
      if (auto* read = std::get_if<Read>(&statement.what)) {
        const bool reads_back = !read->unless_first.empty();
        std::erase_if(read->unless_first, [&](int loop) { return program_.trips(loop) == 1; });
        if (reads_back && read->unless_first.empty()) statement = {Clear{read->buffer}};
      }
      auto* loop = std::get_if<Loop>(&statement.what);
      if (loop == nullptr) {
        result.push_back(std::move(statement));
        continue;
      }
      const bool leaves = program_.trips(loop->loop) == 1 && !fills_doubled(loop->body);
      if (leaves) gone_.push_back(loop->loop);
      loop->body = flat(std::move(loop->body));
      if (!leaves) {
        result.push_back(std::move(statement));
        continue;
      }
      for (Statement& inner : loop->body) result.push_back(std::move(inner));
    }
    overwrite(result);
    return result;
  }

  /// A buffer that is cleared and then added to by one product of all of it need not be cleared; operands may be read
  /// in between.
  static void overwrite(std::vector<Statement>& body) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      const auto* clear = std::get_if<Clear>(&body[i].what);
      if (clear == nullptr) continue;
      std::size_t next = i + 1;
      while (next < body.size() && std::holds_alternative<Read>(body[next].what)) ++next;
      auto* contract = next < body.size() ? std::get_if<Contract>(&body[next].what) : nullptr;
      if (contract == nullptr || contract->out != clear->buffer) continue;
      contract->accumulate = false;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  LoopProgram& program_;
  std::vector<int> gone_;
};

}  // namespace

void simplify(LoopProgram& program) { Simplify(program).run(); }

}  // namespace ricci::fusion
