#include "api/dense_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/tensor_access.hpp"
#include "symmetry/keys.hpp"
#include "symmetry/packed.hpp"
#include "util/for_each_type.hpp"

namespace ricci::detail {

namespace {

using symmetry::Shape;

/// Exchanges of neighbours generate the whole group.
struct Exchange {
  int first, second;  // modes, in the order of memory
  SymmetryKind kind;
};

std::vector<Exchange> exchanges_of(const Shape& shape) {
  std::vector<Exchange> exchanges;
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    for (std::size_t k = 1; k < group.modes.size(); ++k) {
      const auto [first, second] = std::minmax(group.modes[k - 1], group.modes[k]);
      exchanges.push_back({first, second, group.kind});
    }
  }
  return exchanges;
}

template <class T>
class Checker {
 public:
  Checker(const Shape& shape, std::span<const T> values, Share share) : shape_(shape), values_(values), share_(share) {}

  void check(const Exchange& exchange) {
    const auto strides = shape_.full_strides();
    const std::int64_t p = strides[exchange.first], q = strides[exchange.second];
    const std::int64_t extent = shape_.extents()[exchange.first];
    if (shape_.full_size() == 0) return;
    // The array as [outer][first][middle][second][inner].
    const std::int64_t outer = shape_.full_size() / (p * extent), middle = p / (q * extent);
    const bool antisymmetric = exchange.kind == SymmetryKind::antisymmetric;
    const bool strict = symmetry::is_strict(exchange.kind);  // then elements with i = j vanish
    std::int64_t turn = 0;
    for (std::int64_t o = 0; o < outer; ++o) {
      for (std::int64_t i = 0; i < extent; ++i) {
        if (turn++ % share_.parts != share_.part) continue;
        for (std::int64_t m = 0; m < middle; ++m) {
          const std::int64_t base = o * p * extent + m * q * extent;
          const int sign = antisymmetric ? -1 : 1;
          if (q == 1) {
            compare(base + i * p, base + i, i, {1, p}, sign);
          } else {
            for (std::int64_t j = 0; j < i; ++j) compare(base + i * p + j * q, base + j * p + i * q, q, {1, 1}, sign);
          }
          if (strict) compare(base + i * p + i * q, base + i * p + i * q, q, {1, 1}, 0);
        }
      }
    }
  }

  /// Against the largest element, which every share knows.
  void finish() const {
    const double tolerance = std::sqrt(static_cast<double>(std::numeric_limits<typename RealOf<T>::type>::epsilon()));
    double largest = 0;
    for (const T& value : values_) largest = larger(largest, value);
    if (!(worst_ > tolerance * largest)) return;
    std::vector<std::int64_t> index(static_cast<std::size_t>(shape_.order()));
    const symmetry::KeySplitter split(shape_);
    split(worst_key_, index.data());
    throw InputError(
        fmt::format("the given elements contradict the tensor's symmetry ({}): the one at index ({}) is {}, but the "
                    "others make it {}; give elements with that symmetry, or use a tensor without it",
                    symmetry::in_words(shape_.symmetry()), fmt::join(index, ","), to_text(values_[worst_key_]),
                    to_text(expected_)));
  }

  bool suspicious() const { return worst_ > 0; }

 private:
  struct Steps {
    std::int64_t x, y;
  };
  /// Whether values[x] = sign · values[y], and so on in steps. Almost always all are the same, which is found out
  /// first.
  void compare(std::int64_t x, std::int64_t y, std::int64_t count, Steps step, int sign) {
    const T* const a = values_.data() + x;
    const T* const b = values_.data() + y;
    const auto expected = [&](std::int64_t k) { return sign == 0 ? T(0) : times(sign, b[k * step.y]); };
    bool same = true;
    if (sign == 1) {
      for (std::int64_t k = 0; k < count; ++k) same &= a[k * step.x] == b[k * step.y];
    } else {
      for (std::int64_t k = 0; k < count; ++k) same &= a[k * step.x] == expected(k);
    }
    if (same) return;
    for (std::int64_t k = 0; k < count; ++k) {
      const double apart = difference(a[k * step.x], expected(k));
      if (apart <= worst_) continue;
      worst_ = apart;
      worst_key_ = x + k * step.x;
      expected_ = expected(k);
    }
  }

  const Shape& shape_;
  std::span<const T> values_;
  Share share_;
  double worst_ = 0;
  std::int64_t worst_key_ = 0;
  T expected_{};
};

}  // namespace

template <class T>
void check_dense(const Shape& shape, std::span<const T> values, Share share) {
  Checker<T> checker(shape, values, share);
  for (const Exchange& exchange : exchanges_of(shape)) checker.check(exchange);
  if (checker.suspicious()) checker.finish();
}

#define RICCI_INSTANTIATE(T) template void check_dense<T>(const Shape&, std::span<const T>, Share);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci::detail
