// Loops that operations share: a loop program (fusion::LoopProgram) statement by statement.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "emit/emitter.hpp"
#include "fusion/loop_counts.hpp"

namespace ricci::emit {

using compile::Home;
using fusion::Buffer;
using fusion::Statement;

class SharedLoops {
 public:
  SharedLoops(Emitter& emitter, const program::PlannedOperation& planned)
      : emitter_(emitter),
        out_(emitter.out_),
        names_(emitter.names_),
        planned_(planned),
        nest_(*planned.loops),
        program_(nest_.plan.program),
        ends_(fusion::last_uses(program_)),
        tile_(program_.loops.size()),
        variable_(program_.buffers.size()) {}

  void emit() {
    emitter_.header(nest_.tree.operations, planned_, "In shared loops");
    out_.open();
    const Names outside = names_;
    for (const auto& [array, cuts] : nest_.cuts) {
      result_[array] = names_.take(emitter_.name(array) + "_new");
      out_.line(emitter_.new_disk_tensor(array, result_[array], cuts));
    }
    out_.line("Parts part(world);");
    for (std::size_t n = 0; n < program_.body.size(); ++n) find_writers({program_.body[n]}, n);
    body(program_.body, true);
    names_ = outside;
    out_.close();
  }

 private:
  const Buffer& buffer(int b) const { return program_.buffers[static_cast<std::size_t>(b)]; }
  std::string& variable(int b) { return variable_[static_cast<std::size_t>(b)]; }
  int array_of(const Buffer& buffer) const { return nest_.tree.arrays[static_cast<std::size_t>(buffer.array)]; }
  bool adds_to(const Buffer& buffer) const {
    return nest_.tree.adds && array_of(buffer) == nest_.tree.root().out.array;
  }

  // ---- which buffers a statement uses

  static bool is(const Statement& statement, int b) {
    if (const auto* clear = std::get_if<fusion::Clear>(&statement.what)) return clear->buffer == b;
    if (const auto* read = std::get_if<fusion::Read>(&statement.what)) return read->buffer == b;
    if (const auto* write = std::get_if<fusion::Write>(&statement.what)) return write->buffer == b;
    if (const auto* contract = std::get_if<fusion::Contract>(&statement.what))
      return contract->out == b || contract->a == b || contract->b == b;
    const auto& loop = std::get<fusion::Loop>(statement.what);
    return std::any_of(loop.body.begin(), loop.body.end(), [&](const Statement& inner) { return is(inner, b); });
  }

  /// Whether it is filled from disk in there, and not made.
  static bool reads(const Statement& statement, int b) {
    if (const auto* read = std::get_if<fusion::Read>(&statement.what))
      return read->buffer == b && read->unless_first.empty();
    const auto* loop = std::get_if<fusion::Loop>(&statement.what);
    return loop != nullptr &&
           std::any_of(loop->body.begin(), loop->body.end(), [&](const Statement& inner) { return reads(inner, b); });
  }

  void find_writers(const std::vector<Statement>& body, std::size_t nest) {
    for (const Statement& statement : body) {
      if (const auto* const loop = std::get_if<fusion::Loop>(&statement.what)) find_writers(loop->body, nest);
      if (const auto* const write = std::get_if<fusion::Write>(&statement.what))
        writer_[array_of(buffer(write->buffer))] = nest;
    }
  }

  // ---- statements

  void body(const std::vector<Statement>& body, bool is_outermost) {
    const Names outside = names_;
    const std::vector<std::string> variables = variable_;
    for (std::size_t n = 0; n < body.size(); ++n) {
      declare_before_loop(body, n);
      std::visit([this](const auto& what) { emit(what); }, body[n].what);
      for (std::size_t b = 0; n + 1 < body.size() && b < ends_.size(); ++b) {
        if (ends_[b] == &body[n] && !variable_[b].empty() && !std::holds_alternative<fusion::Write>(body[n].what))
          out_.line(fmt::format("{} = {{}};", variable_[b]));
      }
      for (const auto& [array, writer] : writer_) {
        if (is_outermost && writer == n)
          out_.line(fmt::format("{} = std::move({});", emitter_.name(array), result_.at(array)));
      }
    }
    variable_ = variables;
    names_ = outside;
  }

  /// What two loops use, or a loop and a statement after it, has to be there before the loop.
  void declare_before_loop(const std::vector<Statement>& body, std::size_t n) {
    if (!std::holds_alternative<fusion::Loop>(body[n].what)) return;
    for (int b = 0; b < static_cast<int>(program_.buffers.size()); ++b) {
      if (buffer(b).resident || !variable(b).empty() || !is(body[n], b)) continue;
      if (std::none_of(body.begin() + static_cast<std::ptrdiff_t>(n) + 1, body.end(),
                       [&](const Statement& later) { return is(later, b); }))
        continue;
      if (reads(body[n], b))
        out_.line(fmt::format("Block {};", name_variable(b)));
      else
        start_sum(b);
    }
  }

  const std::string& name_variable(int b) {
    return variable(b) = names_.take(emitter_.name(array_of(buffer(b))) + "_block");
  }
  /// `auto x`, or `x` where it has been declared.
  std::string left_side(int b) { return variable(b).empty() ? "auto " + name_variable(b) : variable(b); }

  void emit(const fusion::Loop& loop) {
    const Names outside = names_;
    const fusion::TileLoop& of = program_.loops[static_cast<std::size_t>(loop.loop)];
    const fusion::Label& label = program_.labels[static_cast<std::size_t>(of.label)];
    std::string& tile = tile_[static_cast<std::size_t>(loop.loop)];
    tile = names_.take(label.name + "T");
    around_.push_back(loop.loop);
    out_.open(fmt::format("for (const Tile {} : tiles({}, {}))", tile, label.extent, of.tile));
    body(loop.body, false);
    out_.close();
    around_.pop_back();
    names_ = outside;
  }

  void emit(const fusion::Clear& clear) {
    const Buffer& cleared = buffer(clear.buffer);
    if (cleared.resident) {
      if (!nest_.tree.adds) out_.line(fmt::format("{}.fill(0);", emitter_.name(array_of(cleared))));
      return;
    }
    if (!variable(clear.buffer).empty() && !adds_to(cleared))
      out_.line(fmt::format("{}.fill(0);", variable(clear.buffer)));
    else
      start_sum(clear.buffer);
  }

  void emit(const fusion::Read& read) {
    const int array = array_of(buffer(read.buffer));
    const std::string where = box(buffer(read.buffer));
    if (read.unless_first.empty()) {
      const std::string left = left_side(read.buffer);
      out_.line(fmt::format("{} = read({}, {});", left, emitter_.name(array), where));
      return;
    }
    std::vector<std::string> first;
    for (int loop : read.unless_first) first.push_back(tile_[static_cast<std::size_t>(loop)] + ".lo == 0");
    const std::string zero = sum(read.buffer);
    const std::string left = left_side(read.buffer);
    out_.comment("Sums so far, or none in the first turn.");
    out_.line(fmt::format("{} = {} ? {} : read({}, {}).take<{}>();", left, fmt::join(first, " && "), zero,
                          result_.at(array), where, emitter_.type(array)));
  }

  /// Zero, or what the array held before.
  std::string sum(int b) {
    const int array = array_of(buffer(b));
    const std::string where = box(buffer(b));
    if (adds_to(buffer(b)))
      return fmt::format("read({}, {}).take<{}>()", emitter_.name(array), where, emitter_.type(array));
    const auto result = result_.find(array);
    if (result != result_.end()) return fmt::format("zero_block({}, {})", result->second, where);
    return fmt::format("Tensor<{}>(world, {})", emitter_.type(array), extents(buffer(b)));
  }
  void start_sum(int b) {
    const std::string value = sum(b);
    const std::string left = left_side(b);
    out_.line(fmt::format("{} = {};", left, value));
  }

  void emit(const fusion::Contract& contract) {
    const Buffer& out = buffer(contract.out);
    if (!out.resident && variable(contract.out).empty()) start_sum(contract.out);
    const bool accumulate = contract.accumulate || (out.resident && nest_.tree.adds) || adds_to(out);
    const auto& making = nest_.tree.making[static_cast<std::size_t>(out.array)];
    const auto factor = [&](int b, bool conjugate) { return conjugate ? fmt::format("conj({})", part(b)) : part(b); };
    out_.line(fmt::format(
        "{} {} {};", part(contract.out), accumulate ? "+=" : "=",
        product(making.coefficient, {factor(contract.a, making.conjugate_a), factor(contract.b, making.conjugate_b)})));
  }

  void emit(const fusion::Write& write) {
    const Buffer& written = buffer(write.buffer);
    out_.line(fmt::format("write_block({}, {}, std::move({}));", result_.at(array_of(written)), box(written),
                          variable(write.buffer)));
  }

  // ---- operands

  std::string box(const Buffer& buffer) const {
    std::vector<std::string> modes;
    for (int loop : buffer.loops) modes.push_back(loop < 0 ? "all" : tile_[static_cast<std::size_t>(loop)]);
    return fmt::format("{{{}}}", fmt::join(modes, ", "));
  }
  std::string extents(const Buffer& buffer) const {
    std::vector<std::string> modes;
    for (std::size_t m = 0; m < buffer.labels.size(); ++m)
      modes.push_back(buffer.loops[m] < 0 ? std::to_string(program_.extent(buffer.labels[m]))
                                          : tile_[static_cast<std::size_t>(buffer.loops[m])] + ".length()");
    return fmt::format("{{{}}}", fmt::join(modes, ", "));
  }

  /// What of a buffer is used inside of more loops than it is held in.
  std::string part(int b) {
    const Buffer& used = buffer(b);
    std::vector<std::string> modes, labels;
    bool is_whole = true;
    for (std::size_t m = 0; m < used.labels.size(); ++m) {
      labels.push_back(program_.labels[static_cast<std::size_t>(used.labels[m])].name);
      modes.emplace_back("all");
      if (used.loops[m] >= 0) continue;
      for (int loop : around_) {
        if (program_.loops[static_cast<std::size_t>(loop)].label != used.labels[m]) continue;
        modes.back() = tile_[static_cast<std::size_t>(loop)];
        is_whole = false;
      }
    }
    const std::string& of = used.resident ? emitter_.name(array_of(used)) : variable(b);
    const std::string where = is_whole ? "" : fmt::format(", {{{}}}", fmt::join(modes, ", "));
    return fmt::format("part({}{})[{}]", of, where, quoted(fmt::format("{}", fmt::join(labels, ","))));
  }

  Emitter& emitter_;
  CodeWriter& out_;
  Names& names_;
  const program::PlannedOperation& planned_;
  const program::FusedNest& nest_;
  const fusion::LoopProgram& program_;
  const std::vector<const Statement*> ends_;
  std::vector<std::string> tile_;      // [loop]: its variable
  std::vector<std::string> variable_;  // [buffer]: empty where there is none
  std::map<int, std::string> result_;  // [array]: the variable of its new value
  std::map<int, std::size_t> writer_;  // [array]: the statement of the program's body that writes it
  std::vector<int> around_;
};

void Emitter::loops(const program::PlannedOperation& planned) { SharedLoops(*this, planned).emit(); }

}  // namespace ricci::emit
