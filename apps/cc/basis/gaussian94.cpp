#include "basis/gaussian94.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <istream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "molecule/element.hpp"

namespace cc {
namespace {

using Words = std::vector<std::string>;

class Gaussian94Reader {
 public:
  Gaussian94Reader(std::istream& in, const std::string& name) : in_(in), name_(name) {}

  ElementShells run() {
    while (next_line()) {
      if (words_[0].starts_with("****") || is_word_of_kind()) continue;
      element();
    }
    if (elements_.empty()) fail("there is no element in this file; it should be in Gaussian94 format");
    return std::move(elements_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ricci::InputError(fmt::format("{}:{}: {}", name_, number_, what));
  }

  /// The words of the next line that has any.
  bool next_line() {
    while (std::getline(in_, line_)) {
      ++number_;
      line_.erase(std::min(line_.find('!'), line_.size()));
      std::istringstream text(line_);
      words_.clear();
      for (std::string word; text >> word;) words_.push_back(word);
      if (!words_.empty()) return true;
    }
    return false;
  }

  /// Some files say first what their functions are meant to be; the user says so here.
  bool is_word_of_kind() const { return words_.size() == 1 && (words_[0] == "cartesian" || words_[0] == "spherical"); }

  void element() {
    std::string symbol = words_[0];
    if (symbol.size() > 1 && symbol[0] == '-') symbol.erase(0, 1);  // `-H`: for programs that may lack the element
    if (symbol.ends_with("-ECP") || symbol.ends_with("-ecp"))
      fail("effective core potentials are not supported; take a basis set for all electrons");
    const bool letters = symbol.size() <= 3 &&
                         std::all_of(symbol.begin(), symbol.end(), [](unsigned char c) { return std::isalpha(c); });
    if (!letters || words_.size() != 2 || words_[1] != "0")
      fail(fmt::format("an element starts with a line `symbol 0`, not \"{}\"", line_));
    std::vector<Shell> shells;
    const long start = number_;
    while (true) {
      if (!next_line())
        fail(fmt::format("the file ends before the **** that ends element {} of line {}", symbol, start));
      if (words_[0].starts_with("****")) break;
      shell(shells);
    }
    if (shells.empty()) fail(fmt::format("element {} has no functions", symbol));
    const int number = atomic_number(symbol);
    if (number == 0) return;
    if (!elements_.emplace(number, std::move(shells)).second)
      fail(fmt::format("element {} is here for a second time", symbol));
  }

  void shell(std::vector<Shell>& shells) {
    const std::string type = words_[0];
    if (words_.size() < 2 || words_.size() > 3)
      fail(fmt::format("a shell starts with a line `type primitives scale`, not \"{}\"", line_));
    const std::vector<int> momenta = angular_momenta(type);
    const double primitives = number(words_[1]), scale = words_.size() == 3 ? number(words_[2]) : 1;
    if (!(primitives >= 1 && primitives <= 1000) || primitives != std::floor(primitives))
      fail(fmt::format("a shell has 1 or more primitives, not {}", words_[1]));
    if (!(scale > 0)) fail(fmt::format("the scale of a shell is a positive number, not {}", words_[2]));
    std::vector<Shell> made(momenta.size());
    for (std::size_t i = 0; i < momenta.size(); ++i) made[i].l = momenta[i];
    for (int k = 1; k <= static_cast<int>(primitives); ++k) {
      if (!next_line() || words_.size() != 1 + momenta.size())
        fail(fmt::format("here should be primitive {} of {}: an exponent and {}", k, primitives,
                         momenta.size() == 1 ? "a coefficient" : "two coefficients"));
      const double exponent = number(words_[0]) * scale * scale;
      if (!(exponent > 0)) fail(fmt::format("an exponent is a positive number, not {}", words_[0]));
      for (std::size_t i = 0; i < momenta.size(); ++i) add_primitive(made[i], exponent, number(words_[1 + i]));
    }
    for (Shell& shell : made) {
      if (shell.exponents.empty()) fail(fmt::format("all coefficients of a shell {} are zero", type));
      shells.push_back(std::move(shell));
    }
  }

  /// Tables of general contractions spell out zeros; they would only take time.
  static void add_primitive(Shell& shell, double exponent, double coefficient) {
    if (coefficient == 0) return;
    shell.exponents.push_back(exponent);
    shell.coefficients.push_back(coefficient);
  }

  std::vector<int> angular_momenta(std::string type) const {
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::toupper(c); });
    if (type == "SP" || type == "L") return {0, 1};
    constexpr std::string_view letters = "SPDFGHIK";
    if (type.size() == 1 && letters.find(type[0]) != std::string_view::npos)
      return {static_cast<int>(letters.find(type[0]))};
    fail(fmt::format("a shell is of type S, P, SP, D, F, G, H, I or K, not {}", words_[0]));
  }

  double number(const std::string& word) const {
    std::string text = word;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
    std::size_t used = 0;
    double value = 0;
    try {
      value = std::stod(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != text.size() || !std::isfinite(value)) fail(fmt::format("{} is no number", word));
    return value;
  }

  std::istream& in_;
  const std::string& name_;
  ElementShells elements_;
  std::string line_;
  Words words_;
  long number_ = 0;
};

}  // namespace

ElementShells read_gaussian94(std::istream& in, const std::string& name) { return Gaussian94Reader(in, name).run(); }

}  // namespace cc
