#pragma once
// Keys: row-major linear indices in an unpacked tensor.
#include <array>
#include <cstdint>

#include "symmetry/shape.hpp"

namespace ricci::symmetry {

inline std::int64_t key_of(const Shape& shape, const std::int64_t* index) {
  std::int64_t key = 0;
  for (int mode = 0; mode < shape.order(); ++mode) key += index[mode] * shape.full_strides()[mode];
  return key;
}

/// Takes keys apart without dividing: a product with the reciprocal of a stride is off by one at most.
class KeySplitter {
 public:
  explicit KeySplitter(const Shape& shape) : order_(shape.order()) {
    constexpr std::int64_t exact = std::int64_t{1} << 52;  // in a double
    fast_ = shape.full_size() < exact;
    for (int mode = 0; mode < order_; ++mode) {
      stride_[mode] = shape.full_strides()[mode];
      reciprocal_[mode] = 1.0 / static_cast<double>(stride_[mode]);
    }
  }

  void operator()(std::int64_t key, std::int64_t* index) const {
    for (int mode = 0; mode < order_; ++mode) {
      std::int64_t quotient =
          fast_ ? static_cast<std::int64_t>(static_cast<double>(key) * reciprocal_[mode]) : key / stride_[mode];
      std::int64_t rest = key - quotient * stride_[mode];
      const std::int64_t below = rest < 0, above = rest >= stride_[mode];
      quotient += above - below;
      rest += (below - above) * stride_[mode];
      index[mode] = quotient;
      key = rest;
    }
  }

 private:
  int order_;
  bool fast_;
  std::array<std::int64_t, Shape::max_order> stride_;
  std::array<double, Shape::max_order> reciprocal_;
};

}  // namespace ricci::symmetry
