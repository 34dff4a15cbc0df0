#pragma once
// All elements of a tensor of four modes, on one rank.
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "store/held.hpp"

namespace cc {

class DenseBlock {
 public:
  /// Collective.
  explicit DenseBlock(const Held& tensor) : DenseBlock(tensor, 0, tensor.extents()[0]) {}
  /// The part whose first index is between these: it is counted from `lo`.
  DenseBlock(const Held& tensor, std::int64_t lo, std::int64_t hi) {
    ricci::Extents end = tensor.extents();
    end[0] = hi;
    values_ = tensor.gather({lo, 0, 0, 0}, end);
    std::int64_t stride = 1;
    for (std::size_t mode = 4; mode-- > 0; stride *= tensor.extents()[mode]) strides_[mode] = stride;
  }

  /// Where the modes are an antisymmetric pair of spin orbitals, of which this is the block with the other order of
  /// spins.
  DenseBlock exchanged(std::size_t one, std::size_t other) && {
    std::swap(strides_.at(one), strides_.at(other));
    sign_ = -sign_;
    return std::move(*this);
  }

  double operator()(std::int64_t p, std::int64_t q, std::int64_t r, std::int64_t s) const {
    const std::int64_t place = p * strides_[0] + q * strides_[1] + r * strides_[2] + s * strides_[3];
    return sign_ * values_[static_cast<std::size_t>(place)];
  }

 private:
  std::vector<double> values_;
  std::array<std::int64_t, 4> strides_ = {};
  double sign_ = 1;
};

}  // namespace cc
