#pragma once
// A program of the language (.ric): read, checked and printed.
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ricci {

namespace detail {
struct ProgramState;
}

struct ProgramOptions {
  /// Sizes in place of those that the program gives its spaces. InputError where it has no space of a name.
  std::map<std::string, std::int64_t> spaces = {};
};

class Program {
 public:
  /// Reads a file. InputError where it cannot be read; ProgramError with everything that is wrong with the program. Not
  /// collective: every rank that asks reads the file.
  static Program load(const std::string& path, const ProgramOptions& options = {});
  /// The same from text; `name` stands for the file in messages.
  static Program parse(std::string_view text, const std::string& name = "program", const ProgramOptions& options = {});

  const std::string& name() const;
  /// What is odd but no error, such as names that nothing uses; each with its place, the line and a caret.
  const std::vector<std::string>& notes() const;

  explicit Program(std::shared_ptr<const detail::ProgramState> state) : state_(std::move(state)) {}
  const detail::ProgramState& state() const { return *state_; }

 private:
  std::shared_ptr<const detail::ProgramState> state_;
};

/// What it declares, with extents, symmetries and element types, and its statements.
std::ostream& operator<<(std::ostream&, const Program&);

/// The program's text laid out tidily; comments are kept, and what it says is the same. ProgramError where it cannot be
/// read. Names and extents are not looked at.
std::string format_program(std::string_view text, const std::string& name = "program");

}  // namespace ricci
