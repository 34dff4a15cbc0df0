#include "notation/format_program.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "notation/format_expression.hpp"
#include "notation/parse_declaration.hpp"
#include "notation/source.hpp"

namespace ricci::notation {

namespace {

using namespace syntax;

// A sum that is wider gets a line for each of its terms.
constexpr std::size_t widest = 100;

struct Line {
  std::string text;
  std::string comment = {};
};

/// Characters, not bytes.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (; !text.empty(); ++width) text.remove_prefix(static_cast<std::size_t>(first_character(text).bytes));
  return width;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t now = width_of(text);
  if (now < width) text.append(width - now, ' ');
  return text;
}

std::string_view word_of(Role role) {
  return role == Role::input ? "input" : role == Role::output ? "output" : "tensor";
}

/// What follows the labels of a declaration.
std::string details(const TensorDeclaration& tensor) {
  std::string text;
  for (const Attribute& attribute : tensor.attributes) {
    text += fmt::format(" {}", notation::word_of(attribute.kind));
    if (is_symmetry(attribute.kind)) text += fmt::format("({})", format_names(attribute.labels, ","));
  }
  if (tensor.origin == Origin::file) text += " from " + quoted(tensor.file);
  if (tensor.origin == Origin::random) text += fmt::format(" random({})", tensor.seed);
  if (tensor.origin == Origin::zero) text += " zero";
  if (tensor.origin == Origin::given) text += " given";
  if (tensor.role == Role::output && !tensor.file.empty()) text += " to " + quoted(tensor.file);
  return text.empty() ? text : text.substr(1);
}

/// A declaration as cells, which stand under each other in a run of such lines.
std::vector<std::string> cells(const Item& item) {
  if (const auto* space = std::get_if<SpaceDeclaration>(&item.what)) {
    return {"space", space->name.text, "= " + format_expression(space->value)};
  }
  if (const auto* index = std::get_if<IndexDeclaration>(&item.what)) {
    return {"index", format_names(index->names, " "), ": " + format_expression(index->range)};
  }
  if (const auto* tensor = std::get_if<TensorDeclaration>(&item.what)) {
    return {std::string(word_of(tensor->role)), format_labelled(tensor->name, tensor->labels), details(*tensor)};
  }
  return {};
}

class Formatter {
 public:
  std::string run(const syntax::Program& program) {
    block(program.items, 0);
    return text();
  }

 private:
  void block(const std::vector<Item>& items, std::size_t indent) {
    for (std::size_t i = 0; i < items.size();) {
      if (items[i].blank_before && i > 0) lines_.push_back({});
      if (const std::size_t run = run_length(items, i); run > 0) {
        declarations(items, i, run, indent);
        i += run;
      } else {
        item(items[i++], indent);
      }
    }
  }

  /// How many declarations of one kind follow each other without a gap.
  static std::size_t run_length(const std::vector<Item>& items, std::size_t begin) {
    std::size_t end = begin;
    while (end < items.size() && !cells(items[end]).empty() && items[end].what.index() == items[begin].what.index() &&
           (end == begin || !items[end].blank_before)) {
      ++end;
    }
    return end - begin;
  }

  void declarations(const std::vector<Item>& items, std::size_t begin, std::size_t count, std::size_t indent) {
    std::vector<std::vector<std::string>> rows;
    std::size_t first = 0, second = 0;
    for (std::size_t i = begin; i < begin + count; ++i) {
      rows.push_back(cells(items[i]));
      first = std::max(first, rows.back()[0].size());
      if (!rows.back()[2].empty()) second = std::max(second, width_of(rows.back()[1]));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto& row = rows[i];
      std::string line = std::string(indent, ' ') + padded(row[0], first) + ' ';
      line += row[2].empty() ? row[1] : padded(row[1], second) + ' ' + row[2];
      lines_.push_back({std::move(line), items[begin + i].comment});
    }
  }

  void item(const Item& item, std::size_t indent) {
    const std::string margin(indent, ' ');
    if (const auto* comment = std::get_if<Comment>(&item.what)) {
      lines_.push_back({margin + comment->text});
    } else if (const auto* print = std::get_if<Print>(&item.what)) {
      lines_.push_back({margin + "print " + format_expression(print->value), item.comment});
    } else if (const auto* assigned = std::get_if<Assignment>(&item.what)) {
      assignment(*assigned, margin);
      lines_.back().comment = item.comment;
    } else if (const auto* repeated = std::get_if<Repeat>(&item.what)) {
      repeat(*repeated, item.comment, indent);
    }
  }

  void assignment(const Assignment& assignment, const std::string& margin) {
    constexpr const char* words[] = {"=", "+=", "-="};
    const std::string left = margin + format_labelled(assignment.target.name, assignment.target.labels) + ' ' +
                             words[static_cast<int>(assignment.kind)];
    const std::string whole = left + ' ' + format_expression(assignment.right);
    if (assignment.right.kind != Expression::Kind::sum) {
      lines_.push_back({whole});
      return;
    }
    // The signs of later lines stand under the `=`.
    const auto& terms = assignment.right.operands;
    const std::string under(width_of(left) - 1, ' ');
    const bool too_wide = width_of(whole) > widest && none_breaks(terms);
    lines_.push_back({left + ' ' + format_term(terms[0])});
    for (std::size_t i = 1; i < terms.size(); ++i) {
      const std::string text = fmt::format("{} {}", terms[i].join, format_term(terms[i]));
      if (!too_wide && !terms[i].line_break.here) {
        lines_.back().text += ' ' + text;
        continue;
      }
      lines_.back().comment = terms[i - 1].comment_after;
      for (const std::string& comment : terms[i].comments_before) lines_.push_back({under + comment});
      lines_.push_back({under + text});
    }
  }

  static bool none_breaks(const std::vector<Expression>& terms) {
    return std::none_of(terms.begin(), terms.end(), [](const Expression& term) { return term.line_break.here; });
  }

  void repeat(const Repeat& repeat, const std::string& comment, std::size_t indent) {
    const std::string margin(indent, ' ');
    std::string head = margin + "repeat ";
    if (repeat.has_condition) {
      head +=
          fmt::format("until {} < {} max ", format_expression(repeat.condition), format_expression(repeat.threshold));
    }
    lines_.push_back({head + format_expression(repeat.times) + " {", comment});
    block(repeat.body, indent + 2);
    lines_.push_back({margin + '}', repeat.end_comment});
  }

  /// The lines with their comments, those of neighbouring lines under each other.
  std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < lines_.size();) {
      std::size_t end = i, width = 0;
      for (; end < lines_.size() && !lines_[end].comment.empty(); ++end)
        width = std::max(width, width_of(lines_[end].text));
      for (; i < end; ++i) all += padded(lines_[i].text, width) + "  " + lines_[i].comment + '\n';
      if (i < lines_.size()) all += lines_[i++].text + '\n';
    }
    return all;
  }

  std::vector<Line> lines_;
};

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string format_program(const syntax::Program& program) { return Formatter().run(program); }

}  // namespace ricci::notation
