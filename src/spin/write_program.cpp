#include "spin/write_program.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "notation/format_program.hpp"
#include "spin/write_declarations.hpp"
#include "spin/write_statement.hpp"

namespace ricci::spin {

using notation::ProgramExpression;
using notation::ProgramStatement;
using notation::syntax::Assignment;
using notation::syntax::Comment;
using notation::syntax::Expression;
using notation::syntax::Item;
using notation::syntax::Print;
using notation::syntax::Repeat;

namespace {

/// What a statement was, as a comment above what it has become.
std::vector<Item> comment_of(const Item& item) {
  std::string text = notation::format_program({.items = {{.what = item.what, .comment = item.comment}}});
  std::vector<Item> comments;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    comments.push_back({.what = Comment{"# " + text.substr(begin, end - begin)}});
  }
  return comments;
}

class ProgramWriter {
 public:
  ProgramWriter(const SpinTensors& spins, const Blocks& blocks, SpinNames& names)
      : spins_(spins), statements_(spins, blocks, names), declarations_(spins, blocks, names) {}

  notation::syntax::Program run(const notation::syntax::Program& tree) {
    // Statements first: declarations follow from what they need.
    std::vector<std::vector<Item>> written;
    std::size_t next = 0;
    for (const Item& item : tree.items) written.push_back(statement(item, spins_.program->statements, next));
    notation::syntax::Program result;
    std::vector<std::vector<Item>> declared;
    for (const Item& item : tree.items) declared.push_back(declarations_.tensors(item, statements_.saved()));
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      append(result.items, declarations_.spaces_and_indices(tree.items[i]), tree.items[i].blank_before);
      append(result.items, std::move(declared[i]), tree.items[i].blank_before);
      append(result.items, std::move(written[i]), tree.items[i].blank_before);
    }
    return result;
  }

 private:
  static void append(std::vector<Item>& all, std::vector<Item> items, bool blank_before) {
    if (items.empty()) return;
    items[0].blank_before = items[0].blank_before || blank_before;
    std::ranges::move(items, std::back_inserter(all));
  }

  std::vector<Item> block(const std::vector<Item>& items, const std::vector<ProgramStatement>& bound) {
    std::vector<Item> result;
    std::size_t next = 0;
    for (const Item& item : items) append(result, statement(item, bound, next), item.blank_before);
    return result;
  }

  /// `next`: which of the bound statements is this one, if it is one.
  std::vector<Item> statement(const Item& item, const std::vector<ProgramStatement>& bound, std::size_t& next) {
    if (std::holds_alternative<Comment>(item.what)) return {item};
    if (std::holds_alternative<Assignment>(item.what)) return assignment(item, bound[next++]);
    if (std::holds_alternative<Print>(item.what)) return print(item, bound[next++]);
    if (const auto* repeat = std::get_if<Repeat>(&item.what)) return {loop(item, *repeat, bound[next++])};
    return {};
  }

  std::vector<Item> assignment(const Item& item, const ProgramStatement& bound) {
    std::vector<Item> items = statements_.assignment(bound);
    if (!spins_.has_spin(bound.tensor) && !involves_spin(bound.right)) return {item};
    return items.empty() ? items : under_comment(item, std::move(items));
  }

  std::vector<Item> print(const Item& item, const ProgramStatement& bound) {
    if (!involves_spin(bound.right)) return {item};
    std::vector<Item> items;
    Expression value = statements_.scalar(bound, items);
    items.push_back({.what = Print{std::move(value)}});
    Item said = item;
    if (statements_.is_squared(bound)) said.comment += said.comment.empty() ? "# squared" : "; squared";
    return under_comment(said, std::move(items));
  }

  static std::vector<Item> under_comment(const Item& item, std::vector<Item> items) {
    std::vector<Item> all = comment_of(item);
    all[0].blank_before = true;
    std::ranges::move(items, std::back_inserter(all));
    return all;
  }

  Item loop(const Item& item, const Repeat& repeat, const ProgramStatement& bound) {
    Repeat result = repeat;
    result.body = block(repeat.body, bound.body);
    result.times = declarations_.size(repeat.times);
    if (bound.has_condition && involves_spin(bound.right)) {
      result.condition = statements_.scalar(bound, result.body);
      if (statements_.is_squared(bound) && bound.threshold > 0) {
        result.threshold = Expression{.kind = Expression::Kind::number};
        result.threshold.name.text = fmt::format("{:.15g}", bound.threshold * bound.threshold);
      }
    }
    Item whole{.what = std::move(result), .comment = item.comment};
    return whole;
  }

  bool involves_spin(const ProgramExpression& expression) const {
    if (expression.tensor >= 0 && spins_.has_spin(expression.tensor)) return true;
    return std::ranges::any_of(expression.operands, [&](const auto& operand) { return involves_spin(operand); });
  }

  const SpinTensors& spins_;
  StatementWriter statements_;
  DeclarationWriter declarations_;
};

}  // namespace

notation::syntax::Program write_program(const notation::syntax::Program& tree, const SpinTensors& spins,
                                        const Blocks& blocks, SpinNames& names) {
  return ProgramWriter(spins, blocks, names).run(tree);
}

}  // namespace ricci::spin
