#include "notation/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <ostream>

#include <fmt/format.h>

namespace ricci::notation {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Characters that look like one of ours, and come with text that was copied from a page.
struct LookAlike {
  char32_t code;
  const char* instead;
};
constexpr LookAlike look_alikes[] = {{0x2212, "`-`"},
                                     {0x2013, "`-`"},
                                     {0x2014, "`-`"},
                                     {0xd7, "`*`"},
                                     {0xb7, "`*`"},
                                     {0x22c5, "`*`"},
                                     {0xf7, "`/`"},
                                     {0x201c, "`\"`"},
                                     {0x201d, "`\"`"},
                                     {0x2019, "`'`"},
                                     {0x2018, "`'`"},
                                     {0xa0, "an ordinary blank"},
                                     {0x2009, "an ordinary blank"}};

const char* ordinary_form(char32_t code) {
  for (const LookAlike& pair : look_alikes) {
    if (pair.code == code) return pair.instead;
  }
  return nullptr;
}

/// Letters beyond ASCII may stand in names: α, β. What is no letter there, such as spaces and quotes, is mostly found
/// in the block of general punctuation.
bool is_foreign_letter(const Character& c) {
  return c.valid && c.code > 0xa0 && !(c.code >= 0x2000 && c.code < 0x2070) && !ordinary_form(c.code) &&
         c.code != 0xfeff;
}

class Lexer {
 public:
  Lexer(const Source& source, Diagnostics& diagnostics) : text_(source.text()), diagnostics_(diagnostics) {}

  Lexed run() {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;  // the mark that some editors put first
    while (at_ < text_.size()) step();
    add(Token::Kind::end, at_, place());
    return std::move(lexed_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      ++at_;
      ++line_;
      column_ = 1;
      fresh_line_ = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      advance(1);
    } else if (c == '#') {
      comment();
    } else if (c == '"') {
      quoted_text();
    } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      number();
    } else if (name_character() > 0) {
      name();
    } else {
      symbol();
    }
  }

  Where place() const { return {{line_, column_}, 1}; }

  void advance(int bytes) {
    at_ += static_cast<std::size_t>(bytes);
    ++column_;
  }

  /// The bytes of the character here, if it may stand in a name; digits and primes not at the start.
  int name_character() const {
    if (at_ >= text_.size()) return 0;
    const Character c = first_character(text_.substr(at_));
    return (c.bytes == 1 && c.valid && is_letter(text_[at_])) || is_foreign_letter(c) ? c.bytes : 0;
  }

  Token& add(Token::Kind kind, std::size_t begin, Where where) {
    where.width = std::max(1, column_ - where.column);
    lexed_.tokens.push_back({kind, text_.substr(begin, at_ - begin), where, fresh_line_});
    fresh_line_ = false;
    return lexed_.tokens.back();
  }

  void comment() {
    const Where where = place();
    const std::size_t begin = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    std::string_view body = text_.substr(begin + 1, at_ - begin - 1);
    body = body.substr(0, body.find_last_not_of(" \t\r") + 1);
    const bool glued = !body.empty() && body[0] != ' ' && body[0] != '\t' && body[0] != '#' && body[0] != '!';
    std::string text = (glued ? "# " : "#") + std::string(body);
    lexed_.comments.push_back({std::move(text), where, fresh_line_, lexed_.tokens.size()});
  }

  void name() {
    const Where where = place();
    const std::size_t begin = at_;
    for (int bytes = name_character(); bytes > 0; bytes = name_character()) {
      advance(bytes);
      while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '\'')) advance(1);
    }
    add(Token::Kind::name, begin, where);
  }

  void digits() {
    while (at_ < text_.size() && is_digit(text_[at_])) advance(1);
  }

  void number() {
    const Where where = place();
    const std::size_t begin = at_;
    digits();
    if (at_ < text_.size() && text_[at_] == '.') advance(1);
    digits();
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t exponent = at_ + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      if (exponent < text_.size() && is_digit(text_[exponent])) {
        while (at_ < exponent) advance(1);
        digits();
      }
    }
    bool good = true;
    while (at_ < text_.size() && (name_character() > 0 || is_digit(text_[at_]) || text_[at_] == '.')) {
      advance(std::max(1, name_character()));
      good = false;
    }
    check_number(add(good ? Token::Kind::number : Token::Kind::broken, begin, where));
  }

  void check_number(Token& token) {
    double value = 0;
    const char* const end = token.text.data() + token.text.size();
    if (token.kind == Token::Kind::broken) {
      diagnostics_.error(token.where, fmt::format("`{}` is neither a number nor a name", token.text),
                         "names begin with a letter; numbers are written 80, 0.5 or 1e-8");
    } else if (token.text[0] == '.') {
      token.kind = Token::Kind::broken;
      diagnostics_.error(token.where, fmt::format("`{}` has no digit before the point", token.text),
                         fmt::format("write 0{}", token.text));
    } else if (std::from_chars(token.text.data(), end, value).ec != std::errc{}) {
      token.kind = Token::Kind::broken;
      diagnostics_.error(token.where, fmt::format("the number {} is beyond the range of double", token.text));
    }
  }

  void quoted_text() {
    const Where where = place();
    const std::size_t begin = at_;
    std::string value;
    advance(1);
    bool good = true;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      if (text_[at_] == '\\') {
        good = escape(value) && good;
        continue;
      }
      const int bytes = first_character(text_.substr(at_)).bytes;
      value += text_.substr(at_, static_cast<std::size_t>(bytes));
      advance(bytes);
    }
    const bool closed = at_ < text_.size() && text_[at_] == '"';
    if (closed) advance(1);
    Token& token = add(good && closed ? Token::Kind::text : Token::Kind::broken, begin, where);
    token.value = std::move(value);
    if (!closed) diagnostics_.error(where, "this text is not closed on its line", "end it with `\"`");
  }

  bool escape(std::string& value) {
    const Where where = place();
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\n';
    constexpr std::string_view written = "\"\\nt", meant = "\"\\\n\t";
    const auto number = written.find(c);
    advance(1);
    if (c == '\n') return false;  // the text is not closed either, which is the error to report
    if (number == std::string_view::npos) {
      diagnostics_.error({where, 2}, "unknown escape in a text", R"(there are \", \\, \n and \t)");
      return false;
    }
    value += meant[number];
    advance(1);
    return true;
  }

  void symbol() {
    const Where where = place();
    const std::size_t begin = at_;
    const std::string_view rest = text_.substr(at_);
    if (rest.substr(0, 2) == "+=" || rest.substr(0, 2) == "-=") {
      advance(1);
      advance(1);
      add(Token::Kind::symbol, begin, where);
    } else if (std::string_view("[](){},:=+-*/<").find(rest[0]) != std::string_view::npos) {
      advance(1);
      add(Token::Kind::symbol, begin, where);
    } else {
      const Character c = first_character(rest);
      advance(c.bytes);
      report_character(c, add(Token::Kind::broken, begin, where));
    }
  }

  /// One a line: what is not quoted, or comes from another language, has many.
  void report_character(const Character& c, const Token& token) {
    if (reported_line_ == token.where.line) return;
    reported_line_ = token.where.line;
    if (!c.valid) {
      diagnostics_.error(token.where, fmt::format("the byte {:#04x} is no UTF-8 text", static_cast<unsigned>(c.code)),
                         "save the program as UTF-8");
    } else if (c.code < ' ' || c.code == 0x7f) {
      diagnostics_.error(token.where,
                         fmt::format("a character with the code {} cannot stand here", static_cast<unsigned>(c.code)));
    } else {
      const char* const instead = ordinary_form(c.code);
      diagnostics_.error(token.where, fmt::format("the character `{}` cannot stand here", token.text),
                         instead ? fmt::format("write {}", instead) : hint_for(token.text[0]));
    }
  }

  static std::string hint_for(char c) {
    if (c == ';') return "statements end with their line";
    if (c == '>') return "a condition is written `EXPR < NUMBER`";
    if (c == '\'' || c == '.') return "files are written in double quotes";
    return {};
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  Lexed lexed_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  int reported_line_ = 0;  // the last one with an error about a character
  bool fresh_line_ = true;
};

}  // namespace

Lexed lex(const Source& source, Diagnostics& diagnostics) { return Lexer(source, diagnostics).run(); }

std::ostream& operator<<(std::ostream& out, const Token& token) {
  constexpr const char* kinds[] = {"name", "number", "text", "symbol", "broken", "end"};
  out << token.where.line << ':' << token.where.column << ' ' << kinds[static_cast<int>(token.kind)];
  if (!token.text.empty()) out << ' ' << token.text;
  return out;
}

}  // namespace ricci::notation
