#pragma once
// Random numbers that are a function of a seed and a counter, so that they depend on no order of evaluation.
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace ricci {

/// SplitMix64's mixing of a counter (Steele, Lea, Flood 2014), once for the seed and once for the key.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t key) {
  const auto mix = [](std::uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  };
  return mix(mix(seed) ^ key);
}

/// Uniform in [lo, hi).
template <class Real>
Real random_real(std::uint64_t seed, std::uint64_t key, Real lo, Real hi) {
  const double unit = static_cast<double>(random_bits(seed, key) >> 11) * 0x1p-53;
  const Real value = static_cast<Real>(lo + (static_cast<double>(hi) - lo) * unit);
  return value < hi || lo == hi ? value : std::nextafter(hi, lo);  // rounding may reach hi
}

/// Complex: both parts.
template <class T, class Real>
T random_element(std::uint64_t seed, std::uint64_t key, Real lo, Real hi) {
  if constexpr (std::is_same_v<T, Real>) {
    return random_real<Real>(seed, key, lo, hi);
  } else {
    return {random_real<Real>(seed, 2 * key, lo, hi), random_real<Real>(seed, 2 * key + 1, lo, hi)};
  }
}

}  // namespace ricci
