#pragma once
// Arithmetic on sizes that refuses to wrap around.
#include <cstdint>
#include <optional>

namespace ricci {

inline std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// n over k, or nothing where it does not fit into 64 bits.
std::optional<std::int64_t> checked_binomial(std::int64_t n, int k);

}  // namespace ricci
