#include "notation/parse_declaration.hpp"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "notation/nearest_name.hpp"
#include "notation/parse_expression.hpp"

namespace ricci::notation {

namespace {

using syntax::Attribute;
using syntax::TensorDeclaration;

constexpr std::array<std::string_view, 7> attribute_words = {"symmetric", "antisymmetric", "hollow", "complex",
                                                             "single",    "disk",          "sparse"};

std::optional<Attribute::Kind> attribute_kind(const Token& token) {
  for (std::size_t i = 0; i < attribute_words.size(); ++i) {
    if (token.is_word(attribute_words[i])) return static_cast<Attribute::Kind>(i);
  }
  return std::nullopt;
}

Attribute parse_attribute(TokenStream& tokens, Attribute::Kind kind) {
  const Token& word = tokens.next();
  Attribute attribute{kind, {}, word.where};
  if (!is_symmetry(kind)) return attribute;
  tokens.expect("(", fmt::format("and the indices that are {}", word.text));
  attribute.labels = parse_names(tokens, ")", "an index");
  return attribute;
}

/// What follows `from` or `to`.
void parse_file(TokenStream& tokens, TensorDeclaration& tensor) {
  const Token& token = tokens.peek();
  if (token.kind != Token::Kind::text || token.starts_line) {
    tokens.fail_here("a file in quotes", R"(write "A.npy" or "A.h5:/name")");
  }
  if (token.value.empty())
    tokens.fail(token.where, "the name of the file is empty", R"(write "A.npy" or "A.h5:/name")");
  tensor.file = tokens.next().value;
}

void parse_seed(TokenStream& tokens, TensorDeclaration& tensor) {
  tokens.expect("(", "and a seed: random(1)");
  const Token& token = tokens.peek();
  const bool whole = token.text.find_first_not_of("0123456789") == std::string_view::npos;
  if (token.kind != Token::Kind::number || !whole) tokens.fail_here("a seed, which is a whole number");
  tensor.seed = tokens.next().text;
  tensor.source_where = token.where;
  tokens.expect(")", "after the seed");
}

/// `from FILE`, `random(SEED)`, `zero`, `given` or `to FILE`, if one stands here.
bool parse_origin(TokenStream& tokens, TensorDeclaration& tensor) {
  const Token& word = tokens.peek();
  Origin origin = Origin::none;
  if (word.is_word("from")) origin = Origin::file;
  if (word.is_word("random")) origin = Origin::random;
  if (word.is_word("zero")) origin = Origin::zero;
  if (word.is_word("given")) origin = Origin::given;
  const bool is_target = word.is_word("to");
  if (origin == Origin::none && !is_target) return false;
  if (is_target && tensor.role != Role::output) {
    tokens.fail(word.where, fmt::format("`{}` does not go to a file", tensor.name.text),
                tensor.role == Role::input ? "an input comes `from` one" : "declare it as an output");
  }
  const bool is_of_output = is_target || (origin == Origin::given && tensor.role == Role::output);
  if (!is_of_output && tensor.role != Role::input) {
    tokens.fail(word.where, fmt::format("`{}` has no elements of its own at the start", tensor.name.text),
                "declare it as an input, or assign to it");
  }
  if (tensor.origin != Origin::none || !tensor.file.empty()) {
    tokens.fail(
        word.where,
        fmt::format("`{}` is said twice where `{}` {}", word.text, tensor.name.text, is_target ? "goes" : "comes from"),
        "keep one of `from`, `random`, `zero` and `given`, or one `to`");
  }
  tokens.next();
  tensor.origin = origin;
  tensor.source_where = word.where;
  if (origin == Origin::file || is_target) parse_file(tokens, tensor);
  if (origin == Origin::random) parse_seed(tokens, tensor);
  return true;
}

[[noreturn]] void fail_attribute(TokenStream& tokens, const TensorDeclaration& tensor) {
  const Token& token = tokens.peek();
  if (token.kind != Token::Kind::name) tokens.fail_here("the end of the line or an attribute");
  std::vector<std::string> words(attribute_words.begin(), attribute_words.end());
  if (tensor.role == Role::input) words.insert(words.end(), {"from", "random", "zero", "given"});
  if (tensor.role == Role::output) words.insert(words.end(), {"to", "given"});
  const std::string near = nearest_name(std::string(token.text), words);
  tokens.fail(
      token.where, fmt::format("unknown attribute `{}`", token.text),
      near.empty() ? fmt::format("there are {}", fmt::join(words, ", ")) : fmt::format("did you mean `{}`?", near));
}

}  // namespace

std::string_view word_of(Attribute::Kind kind) { return attribute_words[static_cast<std::size_t>(kind)]; }
bool is_symmetry(Attribute::Kind kind) { return kind <= Attribute::Kind::hollow; }

syntax::SpaceDeclaration parse_space(TokenStream& tokens) {
  syntax::SpaceDeclaration space;
  space.name = tokens.expect_name_on_line("the name of the space");
  tokens.expect("=", "and the size of the space");
  space.value = parse_size(tokens);
  return space;
}

syntax::IndexDeclaration parse_index(TokenStream& tokens) {
  syntax::IndexDeclaration index;
  do {
    index.names.push_back(tokens.expect_name_on_line("the name of an index"));
    tokens.accept(",");
  } while (tokens.peek().kind == Token::Kind::name && !tokens.peek().starts_line);
  tokens.expect(":", "and a space or a number");
  index.range = parse_size(tokens);
  return index;
}

TensorDeclaration parse_tensor(TokenStream& tokens, Role role) {
  TensorDeclaration tensor{.role = role};
  tensor.name = tokens.expect_name_on_line("the name of the tensor");
  tensor.labels = parse_labels(tokens);
  while (!tokens.at_statement_end()) {
    if (const auto kind = attribute_kind(tokens.peek())) {
      tensor.attributes.push_back(parse_attribute(tokens, *kind));
    } else if (!parse_origin(tokens, tensor)) {
      fail_attribute(tokens, tensor);
    }
  }
  return tensor;
}

}  // namespace ricci::notation
