// Random programs over spin orbitals: any symmetries, labels, loops and signs, and inputs with any spins.
#include <algorithm>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "spin_oracle.hpp"

namespace ricci::spin {
namespace {

struct Known {
  std::string name, modes;  // the letter of each mode's space
  bool grouped = false;
  bool dense = false;  // other than zero everywhere: can be divided by
};

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {
    options_.spaces = {{"no", {below(3), below(3)}}, {"nv", {below(3), 1 + below(2)}}};
    text_ << "space no = 2\nspace nv = 2\nspace nq = 2\n"
          << "index i j k l : no\nindex a b c d : nv\nindex p q r s : nq\n";
    for (int n = 0; n < 4; ++n) declare("input", "A" + std::to_string(n));
    for (int n = 0; n < 2; ++n) declare("output", "Z" + std::to_string(n));
    for (int n = 0; n < 2; ++n) declare("tensor", "Y" + std::to_string(n));
    std::vector<Known> targets(known_.begin() + 4, known_.end());
    known_.resize(4);
    for (int n = 0; n < 2; ++n) {
      Known appears{"X" + std::to_string(n), {}};
      const std::string labels = any_labels(below(4), true);
      for (const char label : labels) appears.modes += space_of(label);
      statement(appears, labels, "=");
      known_.push_back(appears);
    }
    for (const Known& target : targets) statement(target, "=");
    known_.insert(known_.end(), targets.begin(), targets.end());
    targets.insert(targets.end(), known_.begin() + 4, known_.begin() + 6);
    text_ << "repeat 2 {\n";
    for (int n = 0; n < 4; ++n) {
      const char* const kinds[] = {"=", "+=", "-="};
      statement(targets[static_cast<std::size_t>(below(6))], kinds[below(3)]);
    }
    text_ << "print " << term({}) << "\n}\n";
  }

  std::string text() const { return text_.str(); }
  const SpinOptions& options() const { return options_; }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool chance(int percent) { return below(100) < percent; }
  static char space_of(char label) { return label >= 'p' ? 'q' : label >= 'i' ? 'o' : 'v'; }

  char any_label(char space, int most = 4) {
    return static_cast<char>((space == 'q' ? 'p' : space == 'o' ? 'i' : 'a') + below(most));
  }
  std::string any_labels(int count, bool different) {
    std::string labels;
    while (static_cast<int>(labels.size()) < count) {
      const char label = any_label("ovvoq"[below(5)]);
      if (!different || labels.find(label) == std::string::npos) labels += label;
    }
    return labels;
  }
  static std::string listed(const std::string& labels) {
    std::string text;
    for (const char label : labels) text += (text.empty() ? "" : ",") + std::string(1, label);
    return text;
  }
  static std::string named(const std::string& name, const std::string& labels) {
    return labels.empty() ? name : name + '[' + listed(labels) + ']';
  }

  void declare(const std::string& role, const std::string& name) {
    const std::string labels = any_labels(below(5), true);
    Known tensor{name, {}};
    for (const char label : labels) tensor.modes += space_of(label);
    text_ << role << ' ' << named(name, labels);
    for (const char space : {'o', 'v', 'q'}) {
      std::string own;
      std::ranges::copy_if(labels, std::back_inserter(own), [&](char label) { return space_of(label) == space; });
      if (own.size() < 2 || chance(30)) continue;
      if (own.size() > 2 && chance(40)) own.pop_back();
      const char* const kinds[] = {"antisymmetric", "symmetric", "hollow", "antisymmetric"};
      text_ << ' ' << kinds[below(4)] << '(' << listed(own) << ')';
      tensor.grouped = true;
    }
    if (role == "input") text_ << " zero";
    text_ << '\n';
    patterns(tensor, role);
    known_.push_back(tensor);
  }

  /// Outputs have all blocks, inputs all or some.
  void patterns(Known& tensor, const std::string& role) {
    const auto count = std::ranges::count_if(tensor.modes, [](char space) { return space != 'q'; });
    if (count == 0) tensor.dense = role == "input" && !tensor.grouped;
    if (count == 0 || role == "tensor") return;
    if (role == "input" && count % 2 == 0 && chance(40)) return;  // by the rule
    auto& given = options_.patterns[tensor.name];
    const bool all = role == "output" || chance(30);
    for (int n = all ? 1 : 1 + below(3); n > 0; --n) {
      std::string pattern;
      for (int m = 0; m < count; ++m) pattern += all ? '*' : "ab*"[below(3)];
      given.push_back(pattern);
    }
    tensor.dense = all && role == "input" && !tensor.grouped;
  }

  std::string read(const Known& tensor, const std::string& wished) {
    std::string labels;
    for (const char space : tensor.modes) {
      std::string fitting;
      std::ranges::copy_if(wished, std::back_inserter(fitting), [&](char label) { return space_of(label) == space; });
      labels += !fitting.empty() && chance(70)
                    ? fitting[static_cast<std::size_t>(below(static_cast<int>(fitting.size())))]
                    : any_label(space);
    }
    return named(tensor.name, labels);
  }

  std::string term(const std::string& wished) {
    const char* const numbers[] = {"", "1/2 * ", "2 * ", "0.3 * "};
    std::string text = numbers[below(4)];
    const int factors = 1 + below(3);
    for (int n = 0; n < factors; ++n) {
      const Known& tensor = known_[static_cast<std::size_t>(below(static_cast<int>(known_.size())))];
      const Known& other = known_[static_cast<std::size_t>(below(static_cast<int>(known_.size())))];
      text += n > 0 ? " * " : "";
      text += chance(15) ? '(' + read(tensor, wished) + " - " + read(other, wished) + ')' : read(tensor, wished);
    }
    return text + divisor(wished);
  }

  std::string divisor(const std::string& wished) {
    for (const Known& tensor : known_) {
      if (!tensor.dense || !chance(20)) continue;
      std::string labels;
      for (const char space : tensor.modes) {
        const auto found = std::ranges::find_if(wished, [&](char label) { return space_of(label) == space; });
        if (found == wished.end()) return "";
        labels += *found;
      }
      return " / " + named(tensor.name, labels);
    }
    return "";
  }

  void statement(const Known& target, const std::string& kind) {
    std::string labels;
    for (const char space : target.modes) {
      char label = any_label(space);
      const bool again = !target.grouped && chance(10);
      while (!again && labels.find(label) != std::string::npos) label = any_label(space);
      labels += label;
    }
    statement(target, labels, kind);
  }
  void statement(const Known& target, const std::string& labels, const std::string& kind) {
    text_ << named(target.name, labels) << ' ' << kind << ' ' << term(labels);
    for (int n = below(3); n > 0; --n) text_ << (chance(50) ? " + " : " - ") << term(labels);
    if (chance(10)) text_ << " + 1/2";
    text_ << '\n';
  }

  std::mt19937 random_;
  std::ostringstream text_;
  SpinOptions options_;
  std::vector<Known> known_;
};

TEST(SpinRandom, ProgramsDoTheSameOnEverySpin) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const RandomProgram program(seed);
    oracle::expect_same(program.text(), program.options(), seed);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace ricci::spin
