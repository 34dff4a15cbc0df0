#include "util/checked.hpp"

namespace ricci {

std::optional<std::int64_t> checked_binomial(std::int64_t n, int k) {
  if (n < k) return 0;
  __int128 result = 1;
  for (int i = 1; i <= k; ++i) {
    result = result * (n - k + i) / i;  // exact: the product of i consecutive integers is divisible by i!
    if (result > INT64_MAX) return std::nullopt;
  }
  return static_cast<std::int64_t>(result);
}

}  // namespace ricci
