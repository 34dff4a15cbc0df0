// Which buffers of a loop program are in memory together. The sum over all arrays (seed 003, section 5) is a bound from
// above: nests that only share arrays on disk run one after the other, and what one held is gone when the next begins.
#include <algorithm>

#include "fusion/loop_counts.hpp"

namespace ricci::fusion {

namespace {

using Used = std::vector<bool>;  // by buffer

class Liveness {
 public:
  explicit Liveness(const LoopProgram& program)
      : ends(program.buffers.size(), nullptr), program_(program), live_(program.buffers.size(), false) {}

  void run() { run(program_.body, false); }

  std::vector<Used> sets;
  std::vector<const Statement*> ends;  // by buffer

 private:
  void mark(const std::vector<Statement>& body, Used& used) const {
    for (const Statement& statement : body) mark(statement, used);
  }

  void mark(const Statement& statement, Used& used) const {
    const auto set = [&](int buffer) {
      used[static_cast<std::size_t>(buffer)] = !program_.buffers[static_cast<std::size_t>(buffer)].resident;
    };
    if (const auto* loop = std::get_if<Loop>(&statement.what)) mark(loop->body, used);
    if (const auto* clear = std::get_if<Clear>(&statement.what)) set(clear->buffer);
    if (const auto* read = std::get_if<Read>(&statement.what)) set(read->buffer);
    if (const auto* write = std::get_if<Write>(&statement.what)) set(write->buffer);
    if (const auto* contract = std::get_if<Contract>(&statement.what)) {
      set(contract->out);
      set(contract->a);
      if (contract->b >= 0) set(contract->b);
    }
  }

  void run(const std::vector<Statement>& body, bool in_loop) {
    const std::size_t buffers = live_.size(), n = body.size();
    std::vector<Used> used(n, Used(buffers, false));
    for (std::size_t i = 0; i < n; ++i) mark(body[i], used[i]);
    // Buffers whose innermost common body this is: used by a statement itself, or by two loops.
    std::vector<std::size_t> first(buffers, n), last(buffers, 0);
    for (std::size_t b = 0; b < buffers; ++b) {
      std::size_t uses = 0;
      bool directly = false;
      for (std::size_t i = 0; i < n; ++i) {
        if (!used[i][b]) continue;
        if (uses++ == 0) first[b] = i;
        last[b] = i;
        directly = directly || !std::holds_alternative<Loop>(body[i].what);
      }
      if (live_[b] || (uses < 2 && !directly)) first[b] = n;
      // The next block is read, or the last one written, while the rest of the body runs.
      else if (program_.buffers[b].doubled && in_loop)
        first[b] = 0, last[b] = n - 1;
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t b = 0; b < buffers; ++b) {
        if (first[b] == i) live_[b] = true;
      }
      if (const auto* loop = std::get_if<Loop>(&body[i].what)) {
        run(loop->body, true);
      } else {
        sets.push_back(live_);
      }
      for (std::size_t b = 0; b < buffers; ++b) {
        if (first[b] >= n || last[b] != i) continue;
        live_[b] = false;
        ends[b] = &body[i];
      }
    }
  }

  const LoopProgram& program_;
  Used live_;
};

bool is_within(const Used& a, const Used& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] && !b[i]) return false;
  }
  return true;
}

}  // namespace

std::vector<const Statement*> last_uses(const LoopProgram& program) {
  Liveness liveness(program);
  liveness.run();
  return std::move(liveness.ends);
}

std::vector<std::vector<int>> live_together(const LoopProgram& program) {
  Liveness liveness(program);
  liveness.run();
  const std::vector<Used>& sets = liveness.sets;
  std::vector<std::vector<int>> result;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    bool largest = true;
    for (std::size_t t = 0; largest && t < sets.size(); ++t) {
      largest = t == s || !is_within(sets[s], sets[t]) || (t > s && sets[s] == sets[t]);
    }
    if (!largest) continue;
    result.emplace_back();
    for (std::size_t b = 0; b < sets[s].size(); ++b) {
      if (sets[s][b]) result.back().push_back(static_cast<int>(b));
    }
  }
  return result;
}

}  // namespace ricci::fusion
