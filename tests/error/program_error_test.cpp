// The messages about programs with mistakes: each program in tests/error/programs stands beside its messages.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "expect_error.hpp"

namespace ricci_test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(ProgramMessages, AreTheseTexts) {
  int programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RICCI_ERROR_PROGRAMS)) {
    if (entry.path().extension() != ".ric") continue;
    ++programs;
    const std::string name = entry.path().filename().string();
    const std::string message =
        message_of<ricci::ProgramError>([&] { ricci::Program::parse(text_of(entry.path()), name); });
    auto expected = entry.path();
    expected.replace_extension(".txt");
    EXPECT_EQ(message + '\n', text_of(expected)) << name;
  }
  EXPECT_GE(programs, 15);
}

TEST(ProgramMessages, FilesThatCannotBeRead) {
  expect_input_error([] { ricci::Program::load("nowhere/none.ric"); }, {"nowhere/none.ric", "No such file", remedy});
}

TEST(ProgramMessages, SpacesThatAreSetFromOutside) {
  const std::string text = "space n = 3\nspace m = 4\nindex i : n\nindex j : m\n";
  expect_input_error(
      [&] {
        ricci::Program::parse(text, "t.ric", {.spaces = {{"q", 1}}});
      },
      {"t.ric", "`q`", "m, n", remedy});
  expect_input_error([&] { ricci::Program::parse(text, "t.ric", {.spaces = {{"n", -2}}}); }, {"-2", "`n`", "or more"});
  expect_input_error([&] { ricci::Program::parse("print 1", "t.ric", {.spaces = {{"n", 2}}}); }, {"`n`", "has none"});
}

TEST(ProgramMessages, ProgramsPrintAndTellWhatIsOdd) {
  const auto program = ricci::Program::parse("index i j : 3\ninput A[i] zero\nX = A[i]\nprint X\n", "t.ric");
  EXPECT_EQ(program.name(), "t.ric");
  std::ostringstream out;
  out << program;
  EXPECT_EQ(out.str(), "index i j : 3\ninput A[i]: double 3 zero\ntensor X: double\nX = A[i]\nprint X\n");
  ASSERT_EQ(program.notes().size(), 1u);
  EXPECT_EQ(program.notes()[0], "t.ric:1:9: note: index `j` is not used\n    index i j : 3\n            ^");
}

TEST(ProgramMessages, FormattingRefusesWhatItCannotRead) {
  EXPECT_EQ(ricci::format_program("X=1"), "X = 1\n");
  EXPECT_EQ(message_of<ricci::ProgramError>([] { ricci::format_program("X=", "t.ric"); }),
            "t.ric:1:3: error: expected a tensor, a number or `(`, but the line ends\n    X=\n      ^");
}

}  // namespace
}  // namespace ricci_test
