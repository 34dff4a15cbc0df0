#include "notation/parse_expression.hpp"

#include <fmt/format.h>

namespace ricci::notation {

namespace {

using syntax::Expression;
using Kind = Expression::Kind;

class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, TermComments* comments, const char* wanted)
      : tokens_(tokens), comments_(comments), wanted_(wanted) {}

  Expression sum(bool outermost) {
    Expression first = product();
    if (!tokens_.peek().is("+") && !tokens_.peek().is("-")) return first;
    Expression whole{.kind = Kind::sum, .where = first.where};
    whole.operands.push_back(std::move(first));
    while (tokens_.peek().is("+") || tokens_.peek().is("-")) {
      const std::size_t position = tokens_.position();
      const Token& join = tokens_.next();
      const bool own_line = join.starts_line || tokens_.peek().starts_line;
      Expression term = product();
      term.join = join.text[0];
      term.line_break.here = own_line;
      if (outermost && comments_ && own_line) keep_comments(position, whole.operands.back(), term);
      whole.operands.push_back(std::move(term));
    }
    return whole;
  }

 private:
  Expression product() {
    Expression first = factor();
    if (!tokens_.peek().is("*") && !tokens_.peek().is("/")) return first;
    Expression whole{.kind = Kind::product, .where = first.where};
    whole.operands.push_back(std::move(first));
    while (tokens_.peek().is("*") || tokens_.peek().is("/")) {
      const char join = tokens_.next().text[0];
      whole.operands.push_back(factor());
      whole.operands.back().join = join;
    }
    return whole;
  }

  Expression factor() {
    const TokenStream::Level level(tokens_);
    const Where where = tokens_.peek().where;
    if (tokens_.accept("+")) return factor();
    if (tokens_.accept("-")) {
      Expression negated{.kind = Kind::negate, .where = where};
      negated.operands.push_back(factor());
      return negated;
    }
    if (tokens_.accept("(")) {
      Expression inner = sum(false);
      tokens_.expect(")", "to close the parenthesis");
      return inner;
    }
    return plain_factor();
  }

  Expression plain_factor() {
    const Token& token = tokens_.peek();
    if (token.kind == Token::Kind::number) {
      tokens_.next();
      return {.kind = Kind::number, .name = {std::string(token.text), token.where}, .where = token.where};
    }
    if (token.kind != Token::Kind::name) tokens_.fail_here(wanted_);
    if (tokens_.peek_next().is("(")) return call();
    Expression tensor{.kind = Kind::tensor, .name = tokens_.expect_operand(wanted_)};
    tensor.where = tensor.name.where;
    tensor.labels = notation::parse_labels(tokens_);
    return tensor;
  }

  Expression call() {
    const Token& function = tokens_.next();
    tokens_.next();
    Expression result{.where = function.where};
    if (function.text == "norm") {
      result.kind = Kind::norm;
      result.name = tokens_.expect_name("the name of a tensor");
      if (tokens_.peek().is("[")) {
        tokens_.fail(tokens_.peek().where, "norm takes the name of a tensor, without labels",
                     fmt::format("write norm({})", result.name.text));
      }
    } else if (function.text == "conj") {
      result.kind = Kind::conj;
      result.operands.push_back(sum(false));
    } else {
      tokens_.fail(function.where, fmt::format("there is no function `{}`", function.text),
                   "there are norm(X) and conj(EXPR); labels stand in brackets: X[i,j]");
    }
    tokens_.expect(")", "to close the parenthesis");
    return result;
  }

  /// The comments around an operator that stands at `position`: the one behind `before` is its own, the others belong
  /// to the term after the operator.
  void keep_comments(std::size_t position, Expression& before, Expression& after) {
    const auto& all = tokens_.comments();
    for (std::size_t i = tokens_.first_comment(position); i < all.size(); ++i) {
      if (all[i].next_token > position + 1) break;
      comments_->taken[i] = true;
      if (!all[i].own_line && before.comment_after.empty()) {
        before.comment_after = all[i].text;
      } else {
        after.comments_before.push_back(all[i].text);
      }
    }
  }

  TokenStream& tokens_;
  TermComments* comments_;
  const char* wanted_;  // what a factor is, for messages
};

}  // namespace

syntax::Expression parse_expression(TokenStream& tokens, TermComments* comments) {
  return ExpressionParser(tokens, comments, "a tensor, a number or `(`").sum(true);
}

syntax::Expression parse_size(TokenStream& tokens) {
  return ExpressionParser(tokens, nullptr, "a number or a space").sum(true);
}

std::vector<syntax::Name> parse_names(TokenStream& tokens, std::string_view close, std::string_view what) {
  std::vector<syntax::Name> names;
  if (tokens.accept(close)) return names;
  for (;;) {
    names.push_back(tokens.expect_operand(what));
    if (tokens.accept(close)) return names;
    if (!tokens.accept(",")) tokens.fail_here(fmt::format("`,` or `{}`", close));
  }
}

std::vector<syntax::Name> parse_labels(TokenStream& tokens) {
  if (tokens.peek().starts_line || !tokens.accept("[")) return {};
  return parse_names(tokens, "]", "an index");
}

}  // namespace ricci::notation
