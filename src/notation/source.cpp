#include "notation/source.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::notation {

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  begins_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') begins_.push_back(i + 1);
  }
}

std::string_view Source::line(int number) const {
  if (number < 1 || number > line_count()) return {};
  const std::size_t begin = begins_[static_cast<std::size_t>(number) - 1];
  std::string_view line = text().substr(begin);
  line = line.substr(0, line.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

bool Source::is_blank(int number) const { return line(number).find_first_not_of(" \t\r") == std::string_view::npos; }

Source read_source(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  const bool is_empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
  if (file && !is_empty) text << file.rdbuf();
  if (!is_empty && (!file || !text)) {
    throw InputError(fmt::format("{}: cannot be read ({}); give the name of a program, such as matmul.ric", path,
                                 errno != 0 ? std::strerror(errno) : "unknown reason"));
  }
  return {path, text.str()};
}

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const int bytes = lead >= 0xf0 && lead < 0xf5   ? 4
                    : lead >= 0xe0 && lead < 0xf0 ? 3
                    : lead >= 0xc2 && lead < 0xe0 ? 2
                                                  : 0;
  const Character broken{lead, 1, false};
  if (bytes == 0 || text.size() < static_cast<std::size_t>(bytes)) return broken;
  char32_t code = lead & (0x7fU >> bytes);
  for (int i = 1; i < bytes; ++i) {
    const unsigned char next = byte(static_cast<std::size_t>(i));
    if ((next & 0xc0U) != 0x80) return broken;
    code = (code << 6U) | (next & 0x3fU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least[bytes] || code > 0x10ffff || surrogate) return broken;
  return {code, bytes, true};
}

}  // namespace ricci::notation
