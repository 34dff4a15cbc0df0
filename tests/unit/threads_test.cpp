// Threads change no result, and statements may be run from the caller's own threads.
#include <algorithm>
#include <functional>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

namespace ricci {
namespace {

// Every statement here does more than 2e5 multiply-adds, from where on threads are used.
template <class T>
using Statements = std::vector<std::pair<const char*, std::function<std::vector<T>(const World&)>>>;

template <class T>
Tensor<T> random_tensor(const World& world, Extents extents, const Symmetry& symmetry, int seed) {
  Tensor<T> tensor(world, std::move(extents), symmetry);
  tensor.fill_random(static_cast<std::uint64_t>(seed));
  return tensor;
}

const Symmetry none, anti_pairs = antisymmetric(0, 1) * antisymmetric(2, 3),
                     sym_pairs = symmetric(0, 1) * symmetric(2, 3);

template <class T>
Statements<T> statements() {
  const auto product = [](Extents c, const char* lc, Extents a, const char* la, Extents b, const char* lb,
                          const Symmetry& sc = none, const Symmetry& sa = none, const Symmetry& sb = none) {
    return [=](const World& world) {
      Tensor<T> C = random_tensor<T>(world, c, sc, 1);
      const Tensor<T> A = random_tensor<T>(world, a, sa, 2), B = random_tensor<T>(world, b, sb, 3);
      C[lc] += 0.5 * A[la] * B[lb];
      return C.gather();
    };
  };
  return {
      {"matrices", product({150, 70}, "ij", {150, 90}, "ik", {90, 70}, "kj")},
      {"transposed matrices", product({70, 150}, "ji", {90, 150}, "ki", {70, 90}, "jk")},
      {"a long sum", product({7, 9}, "ij", {7, 5000}, "ik", {5000, 9}, "kj")},
      {"a short sum", product({500, 500}, "ij", {500, 2}, "ik", {2, 500}, "kj")},
      {"a batch", product({40, 20, 25}, "bij", {40, 20, 30}, "bik", {40, 30, 25}, "bkj")},
      {"mixed labels", product({12, 13, 14, 15}, "aibj", {14, 12, 20}, "bak", {15, 20, 13}, "jki")},
      {"folded pairs", product({14, 14, 9, 9}, "abij", {14, 14, 14, 14}, "abef", {14, 14, 9, 9}, "efij", anti_pairs,
                               anti_pairs, anti_pairs)},
      {"pairs across groups", product({10, 10, 11, 11}, "ijab", {10, 10, 10, 10}, "ikjl", {11, 11, 10, 10}, "abkl",
                                      sym_pairs, sym_pairs, sym_pairs)},
      {"a broken pair",
       product({20, 20, 10, 10}, "abij", {20, 20}, "ae", {20, 20, 10, 10}, "ebij", anti_pairs, none, anti_pairs)},
      {"a symmetrised product", product({110, 110}, "ij", {110, 40}, "ik", {40, 110}, "kj", symmetric(0, 1))},
      {"an antisymmetrised product", product({210, 210}, "ij", {210, 30}, "ik", {30, 210}, "kj", antisymmetric(0, 1))},
      {"a symmetrised outer product", product({30, 30, 20, 20}, "abij", {30, 20}, "ai", {30, 20}, "bj", sym_pairs)},
  };
}

template <class T>
class Threads : public testing::Test {};
using ElementTypes = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Threads, ElementTypes);

template <class T>
std::vector<T> run_with(int threads, const std::function<std::vector<T>(const World&)>& run) {
  World world;
  world.set_options(Options{.threads = threads});
  return run(world);
}

TYPED_TEST(Threads, TheSameNumberGivesTheSameBits) {
  for (const auto& [name, run] : statements<TypeParam>()) {
    for (const int threads : {1, 2, 3, 5}) {
      EXPECT_TRUE(run_with(threads, run) == run_with(threads, run)) << name << " with " << threads << " threads";
    }
  }
}

TYPED_TEST(Threads, AnyNumberAgreesUpToRounding) {
  const auto epsilon = static_cast<double>(std::numeric_limits<typename Tensor<TypeParam>::Real>::epsilon());
  for (const auto& [name, run] : statements<TypeParam>()) {
    const auto one = run_with(1, run);
    for (const int threads : {2, 3, 5}) {
      const auto values = run_with(threads, run);
      double worst = 0;
      for (std::size_t i = 0; i < one.size(); ++i)
        worst = std::max(worst, static_cast<double>(std::abs(values[i] - one[i])));
      EXPECT_LE(worst, 5000 * epsilon) << name << " with " << threads
                                       << " threads: at most 5000 products below 1 are summed";
    }
  }
}

/// Runs every statement several times, by `start`, and expects of each what it gives by itself.
void expect_as_alone(int threads_inside,
                     const std::function<void(std::size_t, const std::function<void(std::size_t)>&)>& start) {
  const auto all = statements<double>();
  std::vector<std::vector<double>> alone, together(4 * all.size());
  for (const auto& [name, run] : all) alone.push_back(run_with(threads_inside, run));
  World world;  // its cache of plans is empty: the callers fill it side by side
  world.set_options(Options{.threads = 2});
  start(together.size(), [&](std::size_t i) { together[i] = all[i % all.size()].second(world); });
  for (std::size_t i = 0; i < together.size(); ++i) {
    EXPECT_TRUE(together[i] == alone[i % all.size()]) << all[i % all.size()].first;
  }
}

TEST(CallersThreads, AParallelRegionRunsStatementsOfItsOwn) {
  // Its threads are at work already, so each statement runs on one.
  expect_as_alone(1, [](std::size_t count, const auto& run) {
#pragma omp parallel for num_threads(4) schedule(dynamic)
    for (std::size_t i = 0; i < count; ++i) run(i);
  });
}

TEST(CallersThreads, ThreadsOfTheStandardLibraryShareAWorld) {
  expect_as_alone(2, [](std::size_t count, const auto& run) {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&run, t, count] {
        for (std::size_t i = t; i < count; i += 4) run(i);
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
}

}  // namespace
}  // namespace ricci
