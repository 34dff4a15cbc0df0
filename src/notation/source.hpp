#pragma once
// The text of a program, and its lines.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ricci::notation {

class Source {
 public:
  /// `name` is for messages: that of the file.
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  int line_count() const { return static_cast<int>(begins_.size()); }
  /// Lines count from 1; without the end of the line. Empty for a line that is not there.
  std::string_view line(int number) const;
  bool is_blank(int number) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> begins_;  // of each line
};

/// The file's text. InputError where it cannot be read.
Source read_source(const std::string& path);

/// A character of UTF-8. A byte that begins none is one character that is not valid.
struct Character {
  char32_t code = 0;
  int bytes = 1;
  bool valid = true;
};
/// The one at the start of a text that is not empty.
Character first_character(std::string_view text);

}  // namespace ricci::notation
