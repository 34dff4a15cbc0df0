#pragma once
// Small random choices from one seed, the same on every platform.
#include <cstdint>
#include <random>
#include <vector>

namespace ricci_test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  /// From low to high, both included.
  int between(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }

  template <class Sequence>
  auto pick(const Sequence& sequence) {
    return sequence[static_cast<std::size_t>(between(0, static_cast<int>(sequence.size()) - 1))];
  }

  template <class Sequence>
  void shuffle(Sequence& sequence) {
    for (std::size_t i = sequence.size(); i > 1; --i) {
      std::swap(sequence[i - 1], sequence[static_cast<std::size_t>(between(0, static_cast<int>(i) - 1))]);
    }
  }

  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ricci_test
