#include "notation/parser.hpp"

#include <fmt/format.h>

#include "notation/lexer.hpp"
#include "notation/nearest_name.hpp"
#include "notation/parse_declaration.hpp"
#include "notation/parse_expression.hpp"
#include "notation/token_stream.hpp"

namespace ricci::notation {

namespace {

using syntax::Item;

class Parser {
 public:
  Parser(const Source& source, const Lexed& lexed, Diagnostics& diagnostics)
      : source_(source), tokens_(lexed, diagnostics), taken_(lexed.comments.size(), false) {}

  syntax::Program run() {
    syntax::Program program;
    items(program.items);
    while (tokens_.peek().kind != Token::Kind::end) {  // a brace that nothing has opened
      tokens_.report(tokens_.peek().where, "this `}` closes nothing", "a block begins with `repeat ... {`");
      tokens_.next();
      items(program.items);
    }
    return program;
  }

 private:
  /// Everything up to a closing brace or the end.
  void items(std::vector<Item>& items) {
    const bool continues = !items.empty();
    for (;;) {
      own_comments(items);
      if (tokens_.peek().kind == Token::Kind::end || tokens_.peek().is("}")) break;
      item(items);
    }
    if (!continues && !items.empty()) items.front().blank_before = false;
  }

  void item(std::vector<Item>& items) {
    const std::size_t begin = tokens_.position();
    Item item{.what = syntax::Broken{}, .where = tokens_.peek().where};
    item.blank_before = source_.is_blank(item.where.line - 1);
    try {
      statement(item);
      if (!tokens_.at_statement_end()) tokens_.fail_here("the end of the line");
    } catch (const SyntaxFailure&) {
      auto names = tokens_.recover(begin);
      if (!std::holds_alternative<syntax::Repeat>(item.what)) item.what = syntax::Broken{std::move(names)};
    }
    if (!std::holds_alternative<syntax::Repeat>(item.what)) item.comment = comment_behind();
    hoist_comments(items, begin, item);
    items.push_back(std::move(item));
  }

  void statement(Item& item) {
    const Token& first = tokens_.peek();
    if (first.kind == Token::Kind::broken) throw SyntaxFailure{};
    if (first.kind != Token::Kind::name) fail_beginning(first);
    if (tokens_.accept_word("space")) {
      item.what = parse_space(tokens_);
    } else if (tokens_.accept_word("index")) {
      item.what = parse_index(tokens_);
    } else if (tokens_.accept_word("input")) {
      item.what = parse_tensor(tokens_, Role::input);
    } else if (tokens_.accept_word("output")) {
      item.what = parse_tensor(tokens_, Role::output);
    } else if (tokens_.accept_word("tensor")) {
      item.what = parse_tensor(tokens_, Role::temporary);
    } else if (tokens_.accept_word("print")) {
      item.what = syntax::Print{parse_expression(tokens_)};
    } else if (tokens_.accept_word("repeat")) {
      repeat(item);
    } else {
      item.what = assignment();
    }
  }

  [[noreturn]] void fail_beginning(const Token& first) {
    const std::vector<std::string> words(std::begin(statement_words), std::end(statement_words));
    const std::string near = nearest_name(std::string(first.text), words);
    tokens_.fail(first.where, fmt::format("no statement begins with `{}`", first.text),
                 near.empty() ? fmt::format("there are {}, and assignments", fmt::join(words, ", "))
                              : fmt::format("did you mean `{}`?", near));
  }

  syntax::Assignment assignment() {
    const Token& second = tokens_.peek_next();
    if (second.kind == Token::Kind::name && !second.starts_line) fail_beginning(tokens_.peek());
    syntax::Assignment assignment;
    assignment.target.kind = syntax::Expression::Kind::tensor;
    assignment.target.name = tokens_.expect_name("the name of a tensor");
    assignment.target.where = assignment.target.name.where;
    assignment.target.labels = notation::parse_labels(tokens_);
    if (tokens_.accept("=")) {
      assignment.kind = ProgramStatement::Kind::assign;
    } else if (tokens_.accept("+=")) {
      assignment.kind = ProgramStatement::Kind::add;
    } else if (tokens_.accept("-=")) {
      assignment.kind = ProgramStatement::Kind::subtract;
    } else {
      tokens_.fail_here("`=`, `+=` or `-=`");
    }
    TermComments comments{taken_};
    assignment.right = parse_expression(tokens_, &comments);
    return assignment;
  }

  void repeat_header(syntax::Repeat& repeat) {
    repeat.has_condition = tokens_.accept_word("until");
    if (repeat.has_condition) {
      repeat.condition = parse_expression(tokens_);
      tokens_.expect("<", "and a threshold");
      repeat.threshold = parse_expression(tokens_);
      if (!tokens_.accept_word("max")) tokens_.fail_here("`max` and the greatest number of repetitions");
    }
    repeat.times = parse_size(tokens_);
    if (!tokens_.peek().is("{")) tokens_.fail_here("`{`");
  }

  void repeat(Item& item) {
    item.what = syntax::Repeat{};
    auto& repeat = std::get<syntax::Repeat>(item.what);
    try {
      repeat_header(repeat);
    } catch (const SyntaxFailure&) {
      // The body is read nevertheless, and its brace is not left over.
      while (!tokens_.at_statement_end() && !tokens_.peek().is("{")) tokens_.next();
      if (!tokens_.peek().is("{")) {
        item.what = syntax::Broken{};
        throw;
      }
      repeat = {};
      repeat.times = {.kind = syntax::Expression::Kind::number, .name = {"1"}};
    }
    const TokenStream::Level level(tokens_);
    const Where brace = tokens_.next().where;
    item.comment = comment_behind();
    items(repeat.body);
    if (!tokens_.accept("}")) fail_unclosed(brace);
    repeat.end_comment = comment_behind();
  }

  /// One brace is missing, most likely: the innermost block tells, and those around it are silent.
  [[noreturn]] void fail_unclosed(const Where& brace) {
    if (unclosed_) throw SyntaxFailure{};
    unclosed_ = true;
    tokens_.fail(brace, "this `{` is never closed", "end the block with `}`");
  }

  /// The comment at the end of the line of the last token, if there is one.
  std::string comment_behind() {
    const auto& comments = tokens_.comments();
    const std::size_t i = tokens_.first_comment(tokens_.position());
    if (i == comments.size() || comments[i].next_token != tokens_.position() || taken_[i]) return {};
    if (comments[i].where.line != tokens_.previous().where.line) return {};
    taken_[i] = true;
    return comments[i].text;
  }

  /// The comments on lines of their own before the next token.
  void own_comments(std::vector<Item>& items) {
    const auto& comments = tokens_.comments();
    for (std::size_t i = tokens_.first_comment(tokens_.position()); i < comments.size(); ++i) {
      if (comments[i].next_token != tokens_.position()) break;
      if (taken_[i]) continue;
      taken_[i] = true;
      items.push_back({.what = syntax::Comment{comments[i].text},
                       .where = comments[i].where,
                       .blank_before = source_.is_blank(comments[i].where.line - 1)});
    }
  }

  /// Comments inside a statement that belong to no term of a sum go above it.
  void hoist_comments(std::vector<Item>& items, std::size_t begin, Item& item) {
    const auto& comments = tokens_.comments();
    for (std::size_t i = tokens_.first_comment(begin + 1); i < comments.size(); ++i) {
      if (comments[i].next_token >= tokens_.position()) break;
      if (taken_[i]) continue;
      taken_[i] = true;
      items.push_back({.what = syntax::Comment{comments[i].text}, .where = comments[i].where});
      items.back().blank_before = item.blank_before;
      item.blank_before = false;
    }
  }

  const Source& source_;
  TokenStream tokens_;
  std::vector<bool> taken_;  // of each comment: it has its place in the tree
  bool unclosed_ = false;    // a block without its end has been reported
};

}  // namespace

syntax::Program parse_program(const Source& source, Diagnostics& diagnostics) {
  const Lexed lexed = lex(source, diagnostics);
  return Parser(source, lexed, diagnostics).run();
}

}  // namespace ricci::notation
