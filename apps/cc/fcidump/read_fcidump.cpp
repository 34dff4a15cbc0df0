#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "fcidump/fcidump.hpp"
#include "fcidump/fcidump_header.hpp"
#include "ranks/ranks.hpp"

namespace cc {
namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t batch_size = std::size_t{1} << 18;

/// Programs print an integral under several names from sums in different orders.
bool differ(double a, double b) { return std::abs(a - b) > 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

/// The next word of a line, which is taken away; commas are blanks.
std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r,"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t\r,", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

/// With an exponent E or D, or with none but its sign, as Fortran writes those of three digits.
std::optional<double> number_of(std::string_view word) {
  std::string text(word.starts_with('+') ? word.substr(1) : word);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
  const std::size_t sign = text.find_last_of("+-");
  if (sign != std::string::npos && sign > 0 &&
      (std::isdigit(static_cast<unsigned char>(text[sign - 1])) || text[sign - 1] == '.'))
    text.insert(sign, "e");
  double value = 0;
  const char* const end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) value = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

/// An integral over two electrons and where it stands.
struct Entry {
  std::array<int, 4> at = {};  // from 0, p >= q, r >= s, pq >= rs
  double value = 0;
  long line = 0;
};

std::array<int, 4> canonical(std::array<int, 4> at) {
  if (at[0] < at[1]) std::swap(at[0], at[1]);
  if (at[2] < at[3]) std::swap(at[2], at[3]);
  if (std::pair(at[0], at[1]) < std::pair(at[2], at[3])) return {at[2], at[3], at[0], at[1]};
  return at;
}

class Reader {
 public:
  Reader(std::istream& in, const std::string& name, const ricci::World& world) : lines_(in, name), world_(world) {}

  Fcidump run() {
    FcidumpHeader header = read_header(lines_);
    dump_.orbitals = header.orbitals;
    dump_.electrons = header.electrons;
    dump_.spin = header.spin;
    dump_.orbital_symmetries = std::move(header.orbital_symmetries);
    const std::int64_t n = header.orbitals;
    dump_.one_electron = Eigen::MatrixXd::Constant(n, n, unset);
    dump_.two_electron = ricci::Tensor<double>(world_, {n, n, n, n}, ricci::symmetric(0, 1) * ricci::symmetric(2, 3));
    dump_.two_electron.fill(unset);
    while (lines_.next()) read_line();
    write_batch();
    dump_.core_energy = core_.value_or(0);
    const auto known = [](double x) { return std::isnan(x) ? 0.0 : x; };
    dump_.one_electron = dump_.one_electron.unaryExpr(known).eval();
    dump_.two_electron.transform(known);
    return std::move(dump_);
  }

 private:
  void read_line() {
    std::string_view rest = lines_.line();
    const std::string_view word = take_word(rest);
    if (word.empty()) return;
    const std::optional<double> value = number_of(word);
    if (!value) lines_.fail(fmt::format("{} is no number; a line is `value p q r s`", word));
    std::array<int, 4> at = {};
    for (int& index : at) index = index_of(take_word(rest));
    if (const std::string_view more = take_word(rest); !more.empty())
      lines_.fail(fmt::format("there is `{}` after the four indices", more));
    const auto zeros = std::count(at.begin(), at.end(), 0);
    if (zeros == 0) {
      for (int& index : at) --index;
      batch_.push_back({canonical(at), *value, lines_.number()});
      if (batch_.size() == batch_size) write_batch();
    } else if (zeros == 2 && at[0] > 0 && at[1] > 0) {
      set_one_electron(at[0] - 1, at[1] - 1, *value);
    } else if (zeros == 4) {
      if (core_ && differ(*core_, *value)) contradict(lines_.number(), "the core energy", *value, *core_);
      core_ = *value;
    } else if (zeros != 3 || at[0] == 0) {
      lines_.fail(fmt::format("indices {} {} {} {} are those of no integral: zeros stand at the end", at[0], at[1],
                              at[2], at[3]));
    }
  }

  int index_of(std::string_view word) const {
    int index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (word.empty()) lines_.fail("there are fewer than four indices; a line is `value p q r s`");
    if (error != std::errc() || end != word.data() + word.size())
      lines_.fail(fmt::format("{} is no index; a line is `value p q r s`", word));
    if (index < 0 || index > dump_.orbitals)
      lines_.fail(fmt::format("there is no orbital {} among {}", index, dump_.orbitals));
    return index;
  }

  [[noreturn]] void contradict(long line, const std::string& what, double value, double before) const {
    lines_.fail(line, fmt::format("{} is {:.12g} here, but was {:.12g} before", what, value, before));
  }

  void set_one_electron(int p, int q, double value) {
    double& element = dump_.one_electron(p, q);
    if (!std::isnan(element) && differ(element, value))
      contradict(lines_.number(), fmt::format("h({},{})", p + 1, q + 1), value, element);
    element = dump_.one_electron(q, p) = value;
  }

  std::int64_t key(int p, int q, int r, int s) const {
    const std::int64_t n = dump_.orbitals;
    return ((p * n + q) * n + r) * n + s;
  }

  [[noreturn]] void contradict(const Entry& entry, double before) const {
    std::array<int, 4> at = entry.at;
    for (int& index : at) ++index;
    contradict(entry.line, fmt::format("({} {}|{} {})", at[0], at[1], at[2], at[3]), entry.value, before);
  }

  /// All ranks have the same batch; each brings a part of it.
  void write_batch() {
    // Of alike ones the first stays in front.
    std::stable_sort(batch_.begin(), batch_.end(), [](const Entry& a, const Entry& b) { return a.at < b.at; });
    std::optional<std::pair<Entry, double>> wrong;  // the first in the file
    std::size_t kept = 0;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (kept == 0 || batch_[kept - 1].at != batch_[i].at) {
        batch_[kept++] = batch_[i];
      } else if (differ(batch_[kept - 1].value, batch_[i].value) && (!wrong || batch_[i].line < wrong->first.line)) {
        wrong = {batch_[i], batch_[kept - 1].value};
      }
    }
    if (wrong) contradict(wrong->first, wrong->second);
    batch_.resize(kept);
    const std::size_t rank = static_cast<std::size_t>(world_.rank()), size = static_cast<std::size_t>(world_.size());
    const std::size_t first = kept * rank / size, last = kept * (rank + 1) / size;
    std::vector<std::int64_t> keys;
    std::vector<double> values;
    for (std::size_t i = first; i < last; ++i) {
      const auto [p, q, r, s] = batch_[i].at;
      keys.push_back(key(p, q, r, s));
      values.push_back(batch_[i].value);
    }
    compare(first, dump_.two_electron.read(keys));
    for (std::size_t i = first; i < last; ++i) {
      const auto [p, q, r, s] = batch_[i].at;
      if (p == r && q == s) continue;
      keys.push_back(key(r, s, p, q));
      values.push_back(batch_[i].value);
    }
    dump_.two_electron.write(keys, values);
    batch_.clear();
  }

  /// With what batches before have brought, from the first entry of this rank on. All ranks tell the same.
  void compare(std::size_t first, const std::vector<double>& before) const {
    std::int64_t wrong = 0;  // one rank's, from 1; 0: none
    double found = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (std::isnan(before[i]) || !differ(before[i], batch_[first + i].value)) continue;
      wrong = static_cast<std::int64_t>(first + i) + 1;
      found = before[i];
    }
    const std::int64_t told = ranks::max(wrong);
    if (told == 0) return;
    double shared[] = {told == wrong ? found : 0.0};
    ranks::sum(shared);
    contradict(batch_[static_cast<std::size_t>(told - 1)], shared[0]);
  }

  NumberedLines lines_;
  const ricci::World& world_;
  Fcidump dump_;
  std::optional<double> core_;
  std::vector<Entry> batch_;
};

}  // namespace

Fcidump read_fcidump(std::istream& in, const std::string& name, const ricci::World& world) {
  return Reader(in, name, world).run();
}

Fcidump read_fcidump(const std::string& path, const ricci::World& world) {
  std::ifstream in(path);
  if (!in) throw ricci::InputError(fmt::format("cannot read {}", path));
  return read_fcidump(in, path, world);
}

}  // namespace cc
