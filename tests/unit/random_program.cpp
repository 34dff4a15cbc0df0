#include "random_program.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ricci_test {
namespace {

struct Written {
  std::string text;
  double value = 0;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : dice_(seed) {}

  RandomProgram run() {
    line("space n = 3");
    line("index i j k:n");
    for (int i = dice_.between(2, 5); i > 0; --i) declare_scalar();
    line(fmt::format("input{}M[i ,j]{}random( 4 ) symmetric(i, j)", blanks(1), blanks(1)));
    statements(dice_.between(2, 8), 0);
    std::sort(program_.comments.begin(), program_.comments.end());
    return std::move(program_);
  }

 private:
  std::string blanks(int least) { return std::string(static_cast<std::size_t>(dice_.between(least, least + 2)), ' '); }

  std::string comment() {
    program_.comments.push_back(fmt::format("# comment {}", program_.comments.size()));
    return program_.comments.back();
  }

  void line(const std::string& text) {
    if (dice_.chance(20)) program_.text += std::string(static_cast<std::size_t>(dice_.between(1, 3)), '\n');
    if (dice_.chance(20)) program_.text += blanks(0) + comment() + '\n';
    program_.text += blanks(0) + text;
    if (dice_.chance(25)) program_.text += blanks(0) + comment();
    program_.text += dice_.chance(5) ? "\r\n" : "\n";
  }

  void declare_scalar() {
    const std::string name = fmt::format("s{}", program_.scalars.size());
    const double value = dice_.between(1, 9) / 4.0;
    program_.scalars[name] = value;
    line(fmt::format("input {}{} random({})", name, dice_.chance(50) ? "[]" : "", program_.scalars.size()));
  }

  void statements(int count, int depth) {
    for (int i = 0; i < count; ++i) {
      const int kind = dice_.between(0, 9);
      if (kind == 0 && depth < 3) {
        line(dice_.chance(50) ? "repeat 2 {" : "repeat until norm( M )<1e-3 max 4{");
        statements(dice_.between(0, 3), depth + 1);
        line("}");
      } else if (kind < 4) {
        line(fmt::format("X[i,j]={}M[i,j]*{}", blanks(0), sum(3).text));
      } else {
        const Written written = sum(0);
        line("print " + written.text);
        program_.printed.push_back(written.value);
      }
    }
  }

  /// A blank, or a line that is broken where lines go on; a comment may end it.
  std::string gap() {
    if (!dice_.chance(12)) return blanks(0);
    return blanks(0) + (dice_.chance(30) ? comment() : "") + "\n" + blanks(0);
  }

  Written sum(int depth) {
    Written whole = product(depth);
    for (int i = dice_.between(0, depth > 2 ? 1 : 3); i > 0; --i) {
      const bool plus = dice_.chance(50);
      whole.text += gap() + (plus ? "+" : "-") + gap();
      const Written term = product(depth);
      whole.text += term.text;
      whole.value = plus ? whole.value + term.value : whole.value - term.value;
    }
    return whole;
  }

  Written product(int depth) {
    Written whole = factor(depth);
    for (int i = dice_.between(0, depth > 2 ? 1 : 2); i > 0; --i) {
      const bool times = dice_.chance(70);
      whole.text += gap() + (times ? "*" : "/") + gap();
      const Written other = times ? factor(depth) : atom();
      whole.text += other.text;
      whole.value = times ? whole.value * other.value : whole.value / other.value;
    }
    return whole;
  }

  Written factor(int depth) {
    if (dice_.chance(15)) {
      const Written inner = factor(depth + 1);
      return {"-" + blanks(0) + inner.text, -inner.value};
    }
    if (depth < 4 && dice_.chance(25)) {
      const bool conjugated = dice_.chance(20);
      const std::string open = (conjugated ? "conj(" : "(") + gap();
      const Written inner = sum(depth + 1);
      return {open + inner.text + gap() + ")", inner.value};
    }
    return atom();
  }

  Written atom() {
    if (dice_.chance(50)) {
      auto scalar = program_.scalars.begin();
      std::advance(scalar, dice_.between(0, static_cast<int>(program_.scalars.size()) - 1));
      return {scalar->first, scalar->second};
    }
    const int quarters = dice_.between(1, 20);
    return {fmt::format("{}", quarters / 4.0), quarters / 4.0};
  }

  Dice dice_;
  RandomProgram program_;
};

}  // namespace

RandomProgram random_program(std::uint64_t seed) { return Writer(seed).run(); }

}  // namespace ricci_test
