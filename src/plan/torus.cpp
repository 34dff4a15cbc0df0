#include "plan/torus.hpp"

#include <algorithm>
#include <functional>

namespace ricci::planning {

std::vector<int> torus_extents(int ranks, int dimensions) {
  std::vector<int> primes;
  for (int left = ranks, prime = 2; left > 1; ++prime) {
    for (; left % prime == 0; left /= prime) primes.push_back(prime);
  }
  std::vector<int> extents(static_cast<std::size_t>(dimensions), 1);
  if (extents.empty()) return extents;
  for (auto prime = primes.rbegin(); prime != primes.rend(); ++prime) {
    *std::min_element(extents.begin(), extents.end()) *= *prime;
  }
  std::sort(extents.begin(), extents.end(), std::greater<>());
  return extents;
}

}  // namespace ricci::planning
