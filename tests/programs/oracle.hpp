#pragma once
// Programs computed as they are written down, in plain loops over dense arrays. Shares no code with the library.
#include <complex>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace ricci_test {

/// A dense row-major array with the extents of its modes.
template <class T>
struct Dense {
  std::vector<std::int64_t> extents;
  std::vector<T> data;

  explicit Dense(std::vector<std::int64_t> e = {}) : extents(std::move(e)), data(size(extents)) {}
  template <class... I>
  T& operator()(I... index) {
    std::size_t at = 0, mode = 0;
    ((at = at * static_cast<std::size_t>(extents[mode++]) + static_cast<std::size_t>(index)), ...);
    return data[at];
  }
  static std::size_t size(const std::vector<std::int64_t>& extents) {
    std::size_t all = 1;
    for (const std::int64_t extent : extents) all *= static_cast<std::size_t>(extent);
    return all;
  }
};

using Numbers = std::map<std::string, Dense<double>>;
using ComplexNumbers = std::map<std::string, Dense<std::complex<double>>>;

/// An example: sizes of its spaces, its inputs, and what its outputs must be.
struct Case {
  std::string name, text;
  std::map<std::string, std::int64_t> sizes;
  Numbers inputs, outputs;
  std::map<std::string, double> printed;
};

/// `text`: of examples/NAME.ric, by name.
Case matmul_case(std::string text, std::int64_t n);
Case ao_to_mo_case(std::string text, std::int64_t n, std::int64_t m);
Case mp2_case(std::string text, std::int64_t no, std::int64_t nv);
/// Two passes.
Case ccd_case(std::string text, std::int64_t no, std::int64_t nv);
Case ccsd_case(std::string text, std::int64_t no, std::int64_t nv);

}  // namespace ricci_test
