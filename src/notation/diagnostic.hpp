#pragma once
// What is wrong with a program, and where: collected, so that all of it is said in one go.
#include <cstddef>
#include <string>
#include <vector>

#include "notation/place.hpp"
#include "notation/source.hpp"

namespace ricci::notation {

struct Diagnostic {
  Where where;
  std::string message;
  std::string hint;  // what was expected, or what to do; may be empty
};

/// `file:3:7: error: message`, the line, a caret under the place, and the hint. `kind` is `error` or `note`.
std::string describe(const Source& source, const Diagnostic& diagnostic, const char* kind);

class Diagnostics {
 public:
  /// Errors beyond this many are only counted.
  static constexpr std::size_t most = 20;

  explicit Diagnostics(const Source& source) : source_(&source) {}

  void error(Where where, std::string message, std::string hint = {});
  void note(Where where, std::string message, std::string hint = {});

  bool has_errors() const { return !errors_.empty(); }
  /// ProgramError with all errors in the order of their places, one a place; nothing where there is none.
  void throw_errors() const;
  /// The notes, as text, in the order of their places.
  std::vector<std::string> notes() const;

 private:
  const Source* source_;
  std::vector<Diagnostic> errors_;
  std::vector<Diagnostic> notes_;
};

}  // namespace ricci::notation
