// Operations block by block: the loops that compile::BlockWalk walks through.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/emitter.hpp"

namespace ricci::emit {

using compile::BlockedOperation;
using compile::BlockedTerm;
using compile::Home;
using compile::Operand;
using compile::Operation;

/// The loops of one operation.
class BlockLoops {
 public:
  BlockLoops(Emitter& emitter, const program::PlannedOperation& planned)
      : emitter_(emitter),
        out_(emitter.out_),
        names_(emitter.names_),
        planned_(planned),
        operation_(planned.blocks->operation),
        kind_(planned.operation->kind),
        tile_(emitter.formula_.labels.size()) {}

  void emit() {
    if (kind_ == Operation::Kind::norm)
      norm();
    else
      sum();
  }

 private:
  using Groups = std::vector<std::vector<int>>;  // of labels whose tiles ascend

  bool is_loop(int label) const {
    const std::int64_t extent = emitter_.formula_.labels[static_cast<std::size_t>(label)].extent;
    return extent == 0 || operation_.tile[static_cast<std::size_t>(label)] < extent;
  }
  std::string& tile(int label) { return tile_[static_cast<std::size_t>(label)]; }

  /// How many were opened.
  int open_loops(const std::vector<int>& loops, const Groups& groups) {
    int opened = 0;
    for (int label : loops) {
      if (!is_loop(label)) continue;
      const compile::Label& of = emitter_.formula_.labels[static_cast<std::size_t>(label)];
      tile(label) = names_.take(of.name + "T");
      out_.open(fmt::format("for (const Tile {} : tiles({}, {}))", tile(label), of.extent,
                            std::max<std::int64_t>(1, operation_.tile[static_cast<std::size_t>(label)])));
      ++opened;
      for (const std::vector<int>& group : groups) {
        for (std::size_t i = 1; i < group.size(); ++i) {
          const int x = group[i - 1], y = group[i];
          if (x == y || (x != label && y != label) || tile(x).empty() || tile(y).empty()) continue;
          out_.line(fmt::format("if ({} < {}) continue;", tile(y), tile(x)));
        }
      }
    }
    return opened;
  }
  void close_loops(const std::vector<int>& loops, int opened) {
    for (; opened > 0; --opened) out_.close();
    for (int label : loops) tile(label).clear();
  }

  std::string box(const Operand& operand) {
    std::vector<std::string> modes;
    for (int label : operand.labels) modes.push_back(tile(label).empty() ? "all" : tile(label));
    return fmt::format("{{{}}}", fmt::join(modes, ", "));
  }

  void norm() {
    emitter_.header({planned_.operation}, planned_, "Block by block");
    out_.open();
    out_.line("double squares = 0;");
    out_.line("Factors factors;");
    for (const BlockedTerm& term : operation_.terms) {
      const Names outside = names_;
      const int opened = open_loops(term.summed, term.sorted);
      if (opened == 0) out_.open();
      const Operand& factor = term.product.factors[0];
      const std::string block = names_.take(emitter_.name(factor.array) + "_block");
      out_.line(
          fmt::format("const auto [{}] = factors.read(at({}, {}));", block, emitter_.name(factor.array), box(factor)));
      std::vector<std::string> parts = weights(term);
      parts.push_back(fmt::format("{0}.norm2() * {0}.norm2()", block));
      out_.line(fmt::format("squares += {};", fmt::join(parts, " * ")));
      if (opened == 0) out_.close();
      close_loops(term.summed, opened);
      names_ = outside;
    }
    emitter_.set_scalar(operation_.out.array, "std::sqrt(squares)");
    out_.close();
  }

  void sum() {
    const int array = operation_.out.array;
    const bool in_memory = emitter_.home(array) == Home::memory;
    const bool is_read = std::any_of(operation_.terms.begin(), operation_.terms.end(), [&](const BlockedTerm& term) {
      return std::any_of(term.product.factors.begin(), term.product.factors.end(),
                         [&](const Operand& factor) { return factor.array == array; });
    });
    emitter_.header({planned_.operation}, planned_, "Block by block");
    out_.open();
    const Names outside = names_;
    target_ = emitter_.name(array);
    // The old value is there until all of the new one is.
    const bool is_new = !in_memory || is_read;
    if (is_new) {
      target_ = names_.take(emitter_.name(array) + "_new");
      if (in_memory)
        out_.line(
            fmt::format("Tensor<{}> {}(world, {});", emitter_.type(array), target_, emitter_.shape(array, false)));
      else
        out_.line(emitter_.new_disk_tensor(array, target_, cuts_of_output()));
    }
    out_.line("Factors factors;");
    Groups groups;
    for (const SymmetryGroup& group :
         emitter_.formula_.arrays[static_cast<std::size_t>(array)].shape->symmetry().groups()) {
      groups.emplace_back();
      for (int mode : group.modes) groups.back().push_back(operation_.out.labels[static_cast<std::size_t>(mode)]);
    }
    const int opened = open_loops(operation_.loops, groups);
    const std::string where = box(operation_.out);
    out_.line(fmt::format("auto sum = zero_block({}, {});", target_, where));
    if (!operation_.overwrite) {
      std::vector<std::string> modes;  // a label that stands twice would only mean the diagonal
      for (std::size_t m = 0; m < operation_.out.labels.size(); ++m) modes.push_back(fmt::format("m{}", m));
      const std::string text = quoted(fmt::format("{}", fmt::join(modes, ",")));
      out_.line(fmt::format("sum[{0}] = read({1}, {2})[{0}];", text, emitter_.name(array), where));
    }
    for (const BlockedTerm& term : operation_.terms) add(term);
    if (kind_ == Operation::Kind::invert) {
      out_.line(fmt::format("sum = packed_block({}, {}, std::move(sum));", target_, where));
      out_.line(fmt::format("sum.transform([]({0} x) {{ return {0}(1) / x; }});", emitter_.type(array)));
    }
    out_.line(fmt::format("write_block({}, {}, std::move(sum));", target_, where));
    close_loops(operation_.loops, opened);
    if (is_new) out_.line(fmt::format("{} = std::move({});", emitter_.name(array), target_));
    names_ = outside;
    out_.close();
  }

  compile::Cuts cuts_of_output() const {
    std::vector<std::int64_t> sizes;
    for (int label : operation_.out.labels) sizes.push_back(operation_.tile[static_cast<std::size_t>(label)]);
    return compile::cuts_of(emitter_.formula_.arrays[static_cast<std::size_t>(operation_.out.array)].shape->extents(),
                            sizes);
  }

  /// Ascending tiles stand for all of their orders.
  std::vector<std::string> weights(const BlockedTerm& term) {
    std::vector<std::string> result;
    for (const std::vector<int>& group : term.sorted) {
      std::vector<std::string> names;
      for (int label : group) names.push_back(tile(label));
      result.push_back(fmt::format("orders({{{}}})", fmt::join(names, ", ")));
    }
    return result;
  }

  void add(const BlockedTerm& term) {
    const Names outside = names_;
    const int opened = open_loops(term.summed, term.sorted);
    if (opened == 0) out_.open();
    const std::string target = fmt::format("sum[{}]", emitter_.labels(operation_.out.labels));
    std::vector<std::string> parts = weights(term);
    std::vector<std::string> blocks, addresses;
    for (const Operand& factor : term.product.factors) {
      const std::string address = fmt::format("at({}, {})", emitter_.name(factor.array), box(factor));
      const auto known = std::find(addresses.begin(), addresses.end(), address);
      std::string block;
      if (known != addresses.end()) {
        block = blocks[static_cast<std::size_t>(known - addresses.begin())];
      } else {
        block = blocks.emplace_back(names_.take(emitter_.name(factor.array) + "_block"));
        addresses.push_back(address);
      }
      const std::string text = fmt::format("{}[{}]", block, emitter_.labels(factor.labels));
      parts.push_back(factor.conjugate ? fmt::format("conj({})", text) : text);
    }
    if (blocks.empty())
      out_.line("factors.forget();");
    else
      out_.line(
          fmt::format("const auto [{}] = factors.read({});", fmt::join(blocks, ", "), fmt::join(addresses, ", ")));
    const double coefficient = term.product.coefficient;
    const bool minus = coefficient < 0;
    const std::string right = product(minus ? -coefficient : coefficient, parts);
    out_.line(fmt::format("{} {} {};", target,
                          minus ? "-=" : "+=", blocks.empty() ? fmt::format("Expression({})", right) : right));
    if (opened == 0) out_.close();
    close_loops(term.summed, opened);
    names_ = outside;
  }

  Emitter& emitter_;
  CodeWriter& out_;
  Names& names_;
  const program::PlannedOperation& planned_;
  const BlockedOperation& operation_;
  const Operation::Kind kind_;
  std::vector<std::string> tile_;  // [label]: the variable of the loop around; empty: none
  std::string target_;
};

void Emitter::blocked(const program::PlannedOperation& planned) { BlockLoops(*this, planned).emit(); }

}  // namespace ricci::emit
