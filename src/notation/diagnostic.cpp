#include "notation/diagnostic.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::notation {

namespace {

// A line longer than this is shown in part, around the place.
constexpr int widest = 110;
constexpr const char* margin = "    ";

/// The line as single characters that a terminal can show.
std::vector<std::string> shown_characters(std::string_view line) {
  std::vector<std::string> shown;
  while (!line.empty()) {
    const Character c = first_character(line);
    const bool hidden = !c.valid || (c.code < ' ' && c.code != '\t') || c.code == 0x7f;
    shown.push_back(hidden ? "?" : std::string(line.substr(0, static_cast<std::size_t>(c.bytes))));
    line.remove_prefix(static_cast<std::size_t>(c.bytes));
  }
  return shown;
}

std::string line_with_caret(const Source& source, const Where& where) {
  const auto line = shown_characters(source.line(where.line));
  const int length = static_cast<int>(line.size());
  const int column = std::clamp(where.column - 1, 0, length);
  const int begin = length > widest ? std::clamp(column - widest / 2, 0, length - widest) : 0;
  const int end = std::min(length, begin + widest);
  std::string text = margin, caret = margin;
  if (begin > 0) {
    text += "...";
    caret += "   ";
  }
  for (int i = begin; i < end; ++i) {
    text += line[i];
    // A tab is as wide as the terminal makes it, so the caret's line has it, too.
    if (i < column) caret += line[i] == "\t" ? '\t' : ' ';
  }
  if (end < length) text += "...";
  const int width = std::clamp(where.width, 1, std::max(1, end - column));
  return text + '\n' + caret + '^' + std::string(static_cast<std::size_t>(width) - 1, '~') + '\n';
}

bool stands_before(const Diagnostic& a, const Diagnostic& b) {
  return a.where.line != b.where.line ? a.where.line < b.where.line : a.where.column < b.where.column;
}

bool same_place(const Diagnostic& a, const Diagnostic& b) { return !stands_before(a, b) && !stands_before(b, a); }

}  // namespace

std::string describe(const Source& source, const Diagnostic& diagnostic, const char* kind) {
  const Where& where = diagnostic.where;
  std::string text =
      fmt::format("{}:{}:{}: {}: {}\n", source.name(), where.line, where.column, kind, diagnostic.message);
  text += line_with_caret(source, where);
  if (!diagnostic.hint.empty()) text += margin + diagnostic.hint + '\n';
  text.pop_back();
  return text;
}

void Diagnostics::error(Where where, std::string message, std::string hint) {
  errors_.push_back({where, std::move(message), std::move(hint)});
}

void Diagnostics::note(Where where, std::string message, std::string hint) {
  notes_.push_back({where, std::move(message), std::move(hint)});
}

void Diagnostics::throw_errors() const {
  if (errors_.empty()) return;
  auto sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), stands_before);
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same_place), sorted.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) {
    if (i > 0) text += '\n';
    text += describe(*source_, sorted[i], "error");
  }
  if (sorted.size() > most) text += fmt::format("\n{}: and {} more errors", source_->name(), sorted.size() - most);
  throw ProgramError(text);
}

std::vector<std::string> Diagnostics::notes() const {
  auto sorted = notes_;
  std::stable_sort(sorted.begin(), sorted.end(), stands_before);
  std::vector<std::string> texts;
  for (const Diagnostic& note : sorted) texts.push_back(describe(*source_, note, "note"));
  return texts;
}

}  // namespace ricci::notation
