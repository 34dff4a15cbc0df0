#include "emit/code_writer.hpp"

#include <fmt/format.h>

namespace ricci::emit {

namespace {

constexpr std::size_t columns = 120;

/// Where a text may be cut so that its first part has `room` columns: at the last blank before, else at the first
/// after.
std::size_t place_to_cut(const std::string& text, std::size_t room, bool has_quotes) {
  std::size_t best = std::string::npos;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (has_quotes && text[i] == '\\')
      ++i;
    else if (has_quotes && text[i] == '"')
      inside = !inside;
    else if (text[i] == ' ' && !inside) {
      if (i > room && best != std::string::npos) return best;
      best = i;
      if (i > room) return best;
    }
  }
  return best;
}

}  // namespace

void CodeWriter::broken(const std::string& text, const std::string& first, const std::string& next, bool has_quotes) {
  std::string rest = text, lead = first;
  while (lead.size() + rest.size() > columns) {
    const std::size_t cut = place_to_cut(rest, columns - lead.size(), has_quotes);
    if (cut == std::string::npos) break;
    text_ += lead + rest.substr(0, cut) + '\n';
    rest = rest.substr(cut + 1);
    lead = next;
  }
  text_ += lead + rest + '\n';
}

void CodeWriter::line(const std::string& code) {
  const std::string indent(2 * depth_, ' ');
  broken(code, indent, indent + "    ", true);
}

void CodeWriter::comment(const std::string& text) {
  const std::string lead = std::string(2 * depth_, ' ') + "// ";
  broken(text, lead, lead, false);
}

void CodeWriter::open(const std::string& code) {
  line(code.empty() ? "{" : code + " {");
  ++depth_;
}

void CodeWriter::close() {
  --depth_;
  line("}");
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (code < ' ' || code == 0x7f)
      result += fmt::format("\\{:03o}", code);
    else
      result += c;
  }
  return result + '"';
}

std::string number(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

}  // namespace ricci::emit
