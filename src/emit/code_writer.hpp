#pragma once
// Lines of C++: indented by two blanks, of 120 columns at most where that can be.
#include <string>

namespace ricci::emit {

class CodeWriter {
 public:
  explicit CodeWriter(std::size_t depth = 0) : depth_(depth) {}
  /// Code that is broken where it is too long, at blanks outside of texts in quotes.
  void line(const std::string& code);
  void blank() { text_ += '\n'; }
  void comment(const std::string& text);
  /// `for (…) {`, or `{`; what follows is indented until close().
  void open(const std::string& code = "");
  void close();

  const std::string& text() const { return text_; }

 private:
  void broken(const std::string& text, const std::string& first, const std::string& next, bool has_quotes);

  std::string text_;
  std::size_t depth_;
};

/// In quotes, with what must not stand there escaped.
std::string quoted(const std::string& text);
/// A number as C++ reads it back, exactly: `0.5`, `2.0`.
std::string number(double value);

}  // namespace ricci::emit
