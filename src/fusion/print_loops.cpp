// Loop programs in the notation of seed 003, figures 4 to 6: iI runs inside of a tile of i, iT over its tiles.
#include <algorithm>

#include <fmt/format.h>

#include "fusion/loop_program.hpp"

namespace ricci::fusion {

namespace {

class Printer {
 public:
  explicit Printer(const LoopProgram& program) : program_(program) {}

  void operator()(const std::vector<Statement>& body) {
    for (const Statement& statement : body) std::visit(*this, statement.what);
  }

  /// Loops that have nothing else in them go on one line.
  void operator()(const Loop& loop) {
    const std::size_t around = around_.size();
    std::vector<std::string> names;
    const Loop* inner = &loop;
    for (;;) {
      const TileLoop& l = program_.loops[static_cast<std::size_t>(inner->loop)];
      names.push_back(fmt::format("{}T by {}", name(l.label), l.tile));
      around_.push_back(inner->loop);
      const Loop* next = inner->body.size() == 1 ? std::get_if<Loop>(&inner->body.front().what) : nullptr;
      if (next == nullptr) break;
      inner = next;
    }
    line(fmt::format("FOR {}", fmt::join(names, ", ")));
    ++depth_;
    (*this)(inner->body);
    --depth_;
    around_.resize(around);
  }

  void operator()(const Clear& clear) { line(block(clear.buffer) + " = 0.0"); }

  void operator()(const Read& read) {
    std::string text = fmt::format("{} = Read {}", block(read.buffer), array(read.buffer));
    if (!read.unless_first.empty()) {
      std::vector<std::string> names;
      for (const int loop : read.unless_first)
        names.push_back(name(program_.loops[static_cast<std::size_t>(loop)].label) + "T");
      text += fmt::format(", or 0.0 in the first {}", fmt::join(names, ", "));
    }
    line(text);
  }

  void operator()(const Write& write) { line(fmt::format("Write {} to {}", block(write.buffer), array(write.buffer))); }

  void operator()(const Contract& contract) {
    std::string text =
        fmt::format("{} {} {}", block(contract.out), contract.accumulate ? "+=" : "=", block(contract.a));
    if (contract.b >= 0) text += " * " + block(contract.b);
    line(text);
  }

  std::string text;

 private:
  const std::string& name(int label) const { return program_.labels[static_cast<std::size_t>(label)].name; }

  void line(const std::string& content) { text += std::string(2 * depth_, ' ') + content + '\n'; }

  std::string array(int number) const {
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(number)];
    std::vector<std::string> names;
    for (const int label : buffer.labels) names.push_back(name(label));
    return fmt::format("{}[{}]", program_.arrays[static_cast<std::size_t>(buffer.array)].name, fmt::join(names, ","));
  }

  /// "T1[aT+aI,q,rI]": a is whole in the buffer and used tile by tile, q is whole, and of r there is one tile.
  std::string block(int number) const {
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(number)];
    std::vector<std::string> modes;
    for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
      const std::string& label = name(buffer.labels[m]);
      const bool tiled = std::any_of(around_.begin(), around_.end(), [&](int loop) {
        return program_.loops[static_cast<std::size_t>(loop)].label == buffer.labels[m];
      });
      modes.push_back(buffer.loops[m] >= 0 ? label + "I" : tiled ? fmt::format("{0}T+{0}I", label) : label);
    }
    return fmt::format("{}[{}]", program_.arrays[static_cast<std::size_t>(buffer.array)].name, fmt::join(modes, ","));
  }

  const LoopProgram& program_;
  std::vector<int> around_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string to_string(const LoopProgram& program) {
  Printer printer(program);
  printer(program.body);
  return printer.text;
}

}  // namespace ricci::fusion
