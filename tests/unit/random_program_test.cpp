// Random programs, and programs with random damage.
#include "random_program.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "notation/lexer.hpp"
#include "program_text.hpp"
#include "property/dice.hpp"

namespace ricci::notation {
namespace {

using ricci_test::Dice;
using ricci_test::random_program;

double value_of(const ProgramExpression& expression, const Program& program,
                const std::map<std::string, double>& scalars) {
  using Kind = ProgramExpression::Kind;
  std::vector<double> operands;
  for (const auto& operand : expression.operands) operands.push_back(value_of(operand, program, scalars));
  double result = 0;
  switch (expression.kind) {
    case Kind::number:
      return expression.number;
    case Kind::tensor:
      return scalars.at(program.tensors[expression.tensor].name);
    case Kind::sum:
      for (const double operand : operands) result += operand;
      return result;
    case Kind::product:
      result = 1;
      for (const double operand : operands) result *= operand;
      return result;
    case Kind::quotient:
      return operands.at(0) / operands.at(1);
    case Kind::norm:
      break;
  }
  throw std::logic_error("a norm has no value here");
}

void collect_values(const std::vector<ProgramStatement>& statements, const Program& program,
                    const std::map<std::string, double>& scalars, std::vector<double>& values) {
  for (const ProgramStatement& statement : statements) {
    if (statement.kind == ProgramStatement::Kind::print) values.push_back(value_of(statement.right, program, scalars));
    collect_values(statement.body, program, scalars, values);
  }
}

std::vector<std::string> comments_of(const std::string& text) {
  const Source source("t.ric", text);
  Diagnostics diagnostics(source);
  std::vector<std::string> comments;
  for (const auto& comment : lex(source, diagnostics).comments) comments.push_back(comment.text);
  std::sort(comments.begin(), comments.end());
  return comments;
}

TEST(RandomProgram, MeansWhatItSaysHoweverItIsLaidOut) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto random = random_program(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + random.text);
    const std::string tidy = formatted(random.text);
    EXPECT_EQ(formatted(tidy), tidy);
    EXPECT_EQ(parsed(tidy), parsed(random.text));
    EXPECT_EQ(shown(tidy), shown(random.text));
    EXPECT_EQ(comments_of(tidy), random.comments);
    const Program program = bound(tidy);
    std::vector<double> values;
    collect_values(program.statements, program, random.scalars, values);
    ASSERT_EQ(values.size(), random.printed.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], random.printed[i], 1e-9 * std::max(1.0, std::abs(random.printed[i]))) << "print " << i;
    }
    if (HasFailure()) return;
  }
}

/// Bytes changed, left out, doubled, swapped, or put in from elsewhere.
std::string damaged(std::string text, Dice& dice) {
  static const std::string pieces[] = {
      "[",      "]",      "(",  ")",    "{", "}",       "\"",     "#",     "\n",    "+=",    "=",
      "*",      "/",      "-",  ",",    ":", "repeat ", "until ", " max ", "norm(", "conj(", "space ",
      "index ", "input ", "\\", "\xff", "α", "1e999",   "0",      " ",     "\t",    "'",     std::string(1, '\0')};
  for (int i = dice.between(1, 6); i > 0 && !text.empty(); --i) {
    const auto place = static_cast<std::size_t>(dice.between(0, static_cast<int>(text.size()) - 1));
    const auto length = static_cast<std::size_t>(dice.between(1, 30));
    switch (dice.between(0, 5)) {
      case 0:
        text[place] = static_cast<char>(dice.between(0, 255));
        break;
      case 1:
        text.erase(place, length);
        break;
      case 2:
        text.insert(place,
                    text.substr(static_cast<std::size_t>(dice.between(0, static_cast<int>(text.size()) - 1)), length));
        break;
      case 3:
        text.resize(place);
        break;
      default:
        text.insert(place, pieces[static_cast<std::size_t>(dice.between(0, std::size(pieces) - 1))]);
    }
  }
  return text;
}

/// Whether it is a program; else every line of the message that begins with the file's name must have a place.
bool is_program(const std::string& text) {
  try {
    bound(text);
    return true;
  } catch (const ProgramError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("t.ric:", 0), 0u) << error.what();
  }
  return false;
}

TEST(DamagedProgram, IsAProgramOrAnErrorWithItsPlace) {
  const auto examples = example_programs();
  const int cases = 1500;
  int programs = 0;
  for (int seed = 0; seed < cases; ++seed) {
    Dice dice(static_cast<std::uint64_t>(seed));
    auto example = examples.begin();
    std::advance(example, dice.between(0, static_cast<int>(examples.size()) - 1));
    const std::string text = damaged(example->second, dice);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    if (is_program(text)) {
      ++programs;
      const std::string tidy = formatted(text);
      EXPECT_EQ(formatted(tidy), tidy);
      EXPECT_EQ(parsed(tidy), parsed(text));
      EXPECT_EQ(shown(tidy), shown(text));
      EXPECT_EQ(comments_of(tidy), comments_of(text));
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(programs, cases / 100) << "damage that leaves nothing to read tests little";
  EXPECT_LT(programs, cases);
}

TEST(DamagedProgram, BytesAtRandom) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Dice dice(seed);
    std::string text;
    for (int i = dice.between(0, 200); i > 0; --i) text += static_cast<char>(dice.between(0, 255));
    is_program(text);
  }
}

}  // namespace
}  // namespace ricci::notation
