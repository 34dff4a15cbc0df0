#include "fusion/verify_loops.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "fusion/loop_counts.hpp"

namespace ricci::fusion {

namespace {

class Verifier {
 public:
  explicit Verifier(const LoopProgram& program)
      : program_(program),
        filled_(program.buffers.size(), false),
        cleared_in_(program.buffers.size()),
        read_back_(program.buffers.size()),
        incomplete_(program.arrays.size(), false) {
    for (std::size_t b = 0; b < filled_.size(); ++b) filled_[b] = program.buffers[b].resident;
    for (const Transfer& transfer : transfers(program)) {
      if (!transfer.is_read) incomplete_[static_cast<std::size_t>(buffer(transfer.buffer).array)] = true;
    }
  }

  void operator()(const std::vector<Statement>& body) {
    for (const Statement& statement : body) std::visit(*this, statement.what);
  }

  void operator()(const Loop& loop) {
    const TileLoop& l = program_.loops[static_cast<std::size_t>(loop.loop)];
    if (l.tile < 1 || l.tile > program_.extent(l.label)) fail("a tile is not within its loop", -1);
    const bool outermost = around_.empty();
    around_.push_back(loop.loop);
    (*this)(loop.body);
    around_.pop_back();
    if (outermost) finish_nest();
  }

  void operator()(const Clear& clear) {
    expect_tiles(clear.buffer);
    start_sum(clear.buffer, {});
  }

  void operator()(const Read& read) {
    expect_tiles(read.buffer);
    const Buffer& b = buffer(read.buffer);
    if (!read.unless_first.empty()) {
      start_sum(read.buffer, read.unless_first);
      return;
    }
    if (incomplete_[static_cast<std::size_t>(b.array)]) fail("is read before all of it is written", read.buffer);
    filled_[static_cast<std::size_t>(read.buffer)] = true;
  }

  void operator()(const Write& write) {
    expect_tiles(write.buffer);
    if (!filled_[static_cast<std::size_t>(write.buffer)]) fail("is written before it is computed", write.buffer);
    const Buffer& b = buffer(write.buffer);
    const std::vector<int>& read_back = read_back_[static_cast<std::size_t>(write.buffer)];
    for (const int loop : around_) {
      const bool own = std::find(b.loops.begin(), b.loops.end(), loop) != b.loops.end();
      const bool again = std::find(read_back.begin(), read_back.end(), loop) != read_back.end();
      if (program_.trips(loop) > 1 && own == again)
        fail("has partial sums that are written and not read back", write.buffer);
    }
    this_nest_.push_back(b.array);
    if (around_.empty()) finish_nest();
  }

  void operator()(const Contract& contract) {
    LabelSet labels = 0;
    for (const int b : {contract.out, contract.a, contract.b}) {
      if (b < 0) continue;
      expect_tiles(b);
      labels |= set_of(buffer(b).labels);
      if (b != contract.out && !filled_[static_cast<std::size_t>(b)]) fail("is used before it is filled", b);
    }
    LabelSet seen = 0;
    for (const int loop : around_) {
      const int label = program_.loops[static_cast<std::size_t>(loop)].label;
      if (!contains(labels, label) || contains(seen, label)) fail("is computed more than once", contract.out);
      seen |= bit(label);
    }
    expect_sum(contract);
    filled_[static_cast<std::size_t>(contract.out)] = true;
  }

 private:
  const Buffer& buffer(int b) const { return program_.buffers[static_cast<std::size_t>(b)]; }

  [[noreturn]] void fail(const std::string& what, int b) const {
    const std::string name = b < 0 ? "the program" : program_.arrays[static_cast<std::size_t>(buffer(b).array)].name;
    throw InternalError(fmt::format("loop program: {}: {}", name, what));
  }

  void expect_tiles(int b) const {
    for (const int loop : buffer(b).loops) {
      if (loop >= 0 && std::find(around_.begin(), around_.end(), loop) == around_.end())
        fail("is used outside of the loop whose tile it has", b);
    }
  }

  /// A sum over a loop is begun outside of it, or goes on with what is read back.
  void expect_sum(const Contract& contract) const {
    const auto out = static_cast<std::size_t>(contract.out);
    if (contract.accumulate && !filled_[out]) fail("is added to before it is cleared", contract.out);
    const auto has = [](const std::vector<int>& loops, int loop) {
      return std::find(loops.begin(), loops.end(), loop) != loops.end();
    };
    const LabelSet own = set_of(buffer(contract.out).labels);
    for (const int loop : around_) {
      if (contains(own, program_.loops[static_cast<std::size_t>(loop)].label) || program_.trips(loop) == 1) continue;
      if (!contract.accumulate) fail("is overwritten by each turn of a sum", contract.out);
      if (has(cleared_in_[out], loop) && !has(read_back_[out], loop)) fail("is cleared inside of a sum", contract.out);
    }
  }

  void start_sum(int b, std::vector<int> read_back) {
    filled_[static_cast<std::size_t>(b)] = true;
    cleared_in_[static_cast<std::size_t>(b)] = around_;
    read_back_[static_cast<std::size_t>(b)] = std::move(read_back);
  }

  void finish_nest() {
    for (const int array : this_nest_) incomplete_[static_cast<std::size_t>(array)] = false;
    this_nest_.clear();
  }

  const LoopProgram& program_;
  std::vector<bool> filled_;
  std::vector<std::vector<int>> cleared_in_, read_back_;  // loops, by buffer
  std::vector<bool> incomplete_;                          // by array: written by this program, and not yet all of it
  std::vector<int> around_, this_nest_;                   // loops; arrays
};

}  // namespace

void verify(const LoopProgram& program) { Verifier{program}(program.body); }

}  // namespace ricci::fusion
