#include "notation/token_stream.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ricci::notation {

namespace {

constexpr std::string_view other_words[] = {"until", "max", "norm", "conj"};

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// A line goes on after one of these, and where the next begins with one.
bool is_operator(const Token& token) {
  constexpr std::string_view operators[] = {"+", "-", "*", "/", "=", "+=", "-=", ",", "<", ":"};
  return token.kind == Token::Kind::symbol && is_one_of(operators, token.text);
}

std::string in_words(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the program";
    case Token::Kind::text:
      return "a text in quotes";
    case Token::Kind::number:
      return fmt::format("the number {}", token.text);
    default:
      return fmt::format("`{}`", token.text);
  }
}

}  // namespace

bool begins_statement(std::string_view word) { return is_one_of(statement_words, word); }
bool is_reserved(std::string_view word) { return begins_statement(word) || is_one_of(other_words, word); }

TokenStream::Level::Level(TokenStream& stream) : stream_(stream) {
  if (stream.depth_ >= deepest) {
    stream.fail(stream.peek().where, fmt::format("this is nested deeper than {} levels", deepest),
                "set an intermediate tensor to a part of it");
  }
  ++stream.depth_;
}

std::size_t TokenStream::first_comment(std::size_t token) const {
  const auto& all = lexed_.comments;
  const auto stands_before = [](const SourceComment& comment, std::size_t t) { return comment.next_token < t; };
  return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), token, stands_before) - all.begin());
}

const Token& TokenStream::next() {
  const Token& token = peek();
  if (token.kind != Token::Kind::end) ++at_;
  return token;
}

bool TokenStream::accept(std::string_view symbol) {
  if (!peek().is(symbol)) return false;
  ++at_;
  return true;
}

bool TokenStream::accept_word(std::string_view word) {
  if (!peek().is_word(word)) return false;
  ++at_;
  return true;
}

void TokenStream::expect(std::string_view symbol, std::string_view where) {
  if (!accept(symbol)) fail_here(fmt::format("`{}` {}", symbol, where));
}

syntax::Name TokenStream::expect_name(std::string_view what) {
  const Token& token = peek();
  if (token.kind != Token::Kind::name) fail_here(std::string(what));
  if (is_reserved(token.text)) {
    fail(token.where, fmt::format("expected {}, but `{}` is a word of the language", what, token.text),
         "choose another name");
  }
  ++at_;
  return {std::string(token.text), token.where};
}

syntax::Name TokenStream::expect_name_on_line(std::string_view what) {
  if (peek().starts_line) fail_here(std::string(what));
  return expect_name(what);
}

syntax::Name TokenStream::expect_operand(std::string_view what) {
  if (begins_like_statement(at_)) fail_here(std::string(what));
  return expect_name(what);
}

void TokenStream::fail(Where where, std::string message, std::string hint) {
  report(where, std::move(message), std::move(hint));
  throw SyntaxFailure{};
}

void TokenStream::fail_here(const std::string& expected, std::string hint) {
  const Token& token = peek();
  if (token.kind == Token::Kind::broken) throw SyntaxFailure{};
  const bool line_ended = (token.starts_line || token.kind == Token::Kind::end) && at_ > 0;
  if (!line_ended) fail(token.where, fmt::format("expected {}, found {}", expected, in_words(token)), std::move(hint));
  Where where = previous().where;
  where.column += where.width;
  where.width = 1;
  fail(where, fmt::format("expected {}, but the line ends", expected), std::move(hint));
}

bool TokenStream::at_statement_end() const {
  return peek().starts_line || peek().kind == Token::Kind::end || peek().is("}");
}

bool TokenStream::begins_like_statement(std::size_t position) const {
  const auto& tokens = lexed_.tokens;
  const Token& first = tokens[position];
  if (!first.starts_line || first.kind != Token::Kind::name) return false;
  if (begins_statement(first.text)) return true;
  // NAME = or NAME[…] =, on one line
  bool inside = false;
  for (std::size_t i = position + 1; i < tokens.size() && !tokens[i].starts_line; ++i) {
    if (!inside && (tokens[i].is("=") || tokens[i].is("+=") || tokens[i].is("-="))) return true;
    if (tokens[i].is("[")) inside = true;
    if (!inside) return false;
    if (tokens[i].is("]")) inside = false;
  }
  return false;
}

std::vector<std::string> TokenStream::recover(std::size_t begin) {
  const auto& tokens = lexed_.tokens;
  const std::size_t stop = std::max(at_, begin + 1);
  int open = 0;  // brackets
  std::vector<std::string> names;
  for (at_ = begin; peek().kind != Token::Kind::end; ++at_) {
    const Token& token = peek();
    if (at_ >= stop) {
      const bool goes_on = open > 0 || is_operator(token) || is_operator(previous());
      if (token.is("}") || begins_like_statement(at_) || (token.starts_line && !goes_on)) break;
    }
    if (token.is("(") || token.is("[")) ++open;
    if (token.is(")") || token.is("]")) --open;
    if (token.kind == Token::Kind::name) names.emplace_back(tokens[at_].text);
  }
  return names;
}

}  // namespace ricci::notation
