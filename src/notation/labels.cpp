#include "notation/labels.hpp"

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::notation {

namespace {

bool may_stand_in_a_name(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\'' ||
         c >= 0x80;
}

/// The text with characters that cannot be shown as their codes.
std::string printable(std::string_view text) {
  std::string shown;
  for (unsigned char c : text) {
    const bool hidden = c < ' ' || c == 0x7f;
    shown += hidden ? fmt::format("\\x{:02x}", c) : std::string(1, static_cast<char>(c));
  }
  return shown;
}

[[noreturn]] void throw_bad_form(std::string_view text, std::string_view problem) {
  throw InputError(
      fmt::format("the labels \"{}\" {}; write one letter a mode (\"abij\") or names separated by commas "
                  "(\"i1,i2,a\")",
                  printable(text), problem));
}

void check_characters(std::string_view name, std::string_view text) {
  for (unsigned char c : name) {
    if (may_stand_in_a_name(c)) continue;
    if (c > ' ' && c < 0x7f) throw_bad_form(text, fmt::format("contain the character '{}'", static_cast<char>(c)));
    throw_bad_form(text, c == ' ' ? "contain a blank" : fmt::format("contain the character with code {}", c));
  }
}

std::vector<std::string> names_between_commas(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string_view name = text.substr(begin, end - begin);
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (name.empty()) throw_bad_form(text, "have an empty name between commas");
    check_characters(name, text);
    names.emplace_back(name);
    begin = end + 1;
  }
  return names;
}

// One character is one code point of UTF-8: continuation bytes, whose top bits are 10, belong to
// the byte before.
std::vector<std::string> single_characters(std::string_view text) {
  check_characters(text, text);
  std::vector<std::string> names;
  for (char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (continues && !names.empty()) {
      names.back() += c;
    } else {
      names.emplace_back(1, c);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> parse_labels(std::string_view text, int order) {
  std::vector<std::string> names =
      text.find(',') != std::string_view::npos ? names_between_commas(text) : single_characters(text);
  // A vector's one label may have a long name, with no comma to show it.
  if (order == 1 && names.size() > 1 && text.find(',') == std::string_view::npos) names = {std::string(text)};
  if (static_cast<int>(names.size()) != order) {
    throw InputError(fmt::format("the labels \"{}\" are {}, but the tensor has order {}; give one label a mode{}", text,
                                 names.size(), order, order == 0 ? ", for a scalar the empty string" : ""));
  }
  return names;
}

}  // namespace ricci::notation
