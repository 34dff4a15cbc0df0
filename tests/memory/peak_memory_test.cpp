// What a plan says that it needs, against what the process really took: contractions of more than 100 MB a rank.
#include <cstdint>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "api/tensor_state.hpp"
#include "api/world_state.hpp"

namespace ricci_test {
namespace {

using namespace ricci;

/// A figure of /proc/self/status, in bytes.
std::int64_t status(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    std::int64_t kilobytes = 0;
    if (word == field + ':' && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

std::int64_t local_bytes(const Tensor<double>& tensor) {
  std::int64_t elements = 0;
  tensor.for_each_local([&](Index, const double&) { ++elements; });
  return elements * 8;
}

class PeakMemory : public testing::Test {
 protected:
  PeakMemory() {
    // What is loaded and set up when it is first used is there before anything is measured.
    Tensor<double> a(world_, {40, 40}), b(world_, {40, 40});
    a.fill_random(1);
    ricci::plan(b["ij"].assign(a["ik"] * a["kj"]), options_).run();
    before_ = status("VmRSS");
    std::ofstream("/proc/self/clear_refs") << "5";  // the high-water mark begins anew
  }

  /// One of three, for 1, 2 or 4 ranks.
  std::int64_t by_ranks(std::int64_t on_1, std::int64_t on_2, std::int64_t on_4) const {
    return world_.size() == 1 ? on_1 : world_.size() == 2 ? on_2 : on_4;
  }
  /// Grows with the root of the ranks, so that a rank's share of a matrix stays as it is.
  std::int64_t side(std::int64_t on_1) const { return by_ranks(on_1, on_1 * 14 / 10, on_1 * 2); }

  Tensor<double> random(const Extents& extents, const Symmetry& symmetry = {}) const {
    Tensor<double> tensor(world_, extents, symmetry);
    tensor.fill_random(7);
    return tensor;
  }

  void check(const Statement& statement, const std::vector<const Tensor<double>*>& tensors) const {
    const Plan plan = ricci::plan(statement, options_);
    std::int64_t own = 0;
    for (const Tensor<double>* tensor : tensors) own += local_bytes(*tensor);
    const Report report = plan.run();
    const std::int64_t measured = status("VmHWM") - before_, predicted = plan.cost().peak_bytes + own;
    EXPECT_GE(predicted, 100'000'000);
    EXPECT_GE(predicted, measured);
    EXPECT_LE(predicted, measured * 5 / 4);
    // What is counted is what the process took, and what the plan said.
    EXPECT_LE(report.measured().peak_bytes, report.predicted().peak_bytes);
    EXPECT_GE(report.measured().peak_bytes + own, measured * 9 / 10);
  }

  /// Of a product of matrices of n x n elements.
  void check_least_limit(std::int64_t n) const {
    const auto a = random({n, n}), b = random({n, n});
    const Tensor<double> c(world_, {n, n});
    const Statement statement = c["ij"].assign(a["ik"] * b["kj"]);
    std::int64_t least = 0;
    try {
      ricci::plan(statement, Options{.memory_limit = 1, .threads = 1});
    } catch (const ResourceError& error) {
      const std::string message = error.what();
      least = std::stoll(message.substr(message.find("at least ") + 9));
    }
    ricci::plan(statement, Options{.memory_limit = least, .threads = 1}).run();
    EXPECT_LE(status("VmHWM") - before_, least);
  }

  const World world_;
  const Options options_{.threads = 1};
  std::int64_t before_ = 0;
};

TEST_F(PeakMemory, MatrixProduct) {
  const std::int64_t n = side(2100);
  const auto a = random({n, n}), b = random({n, n});
  const Tensor<double> c(world_, {n, n});
  check(c["ij"].assign(a["ik"] * b["kj"]), {&a, &b, &c});
}

TEST_F(PeakMemory, OuterProduct) {
  const std::int64_t n = side(3600), k = 96;
  const auto a = random({k, n}), b = random({n, k});
  const Tensor<double> c(world_, {n, n});
  check(c["ij"].add(a["ki"] * b["jk"]), {&a, &b, &c});
}

TEST_F(PeakMemory, Transposition) {
  const std::int64_t n = side(2800);
  const auto a = random({n, n});
  const Tensor<double> c(world_, {n, n});
  check(c["ij"].assign(a["ji"]), {&a, &c});
}

TEST_F(PeakMemory, Redistribution) {
  const std::int64_t n = side(2800);
  auto a = random({n, n});
  Tensor<double> c(world_, {n, n});
  a.redistribute(Layout(Grid{world_.size()}, {{0}, {}}));
  c.redistribute(Layout(Grid{world_.size()}, {{}, {0}}));
  check(c["ij"].assign(a["ij"]), {&a, &c});
}

// The third and the second contraction of Rajbhandari et al., section V.B.
TEST_F(PeakMemory, SymmetricOperand) {
  const std::int64_t n = by_ranks(50, 55, 60);
  const auto a = random({n, n, n, n}, symmetric(0, 1) * symmetric(2, 3)), b = random({n, n, n, n});
  const Tensor<double> c(world_, {n, n, n, n});
  check(c["iajb"].assign(a["ikjl"] * b["lakb"]), {&a, &b, &c});
}

TEST_F(PeakMemory, SymmetricOutput) {
  const std::int64_t n = by_ranks(74, 88, 104);
  const Symmetry pairs = symmetric(0, 1) * symmetric(2, 3);
  const auto a = random({n, n, n, n}, pairs), b = random({n, n}, symmetric(0, 1));
  const Tensor<double> c(world_, {n, n, n, n}, pairs);
  check(c["ijab"].assign(a["ijak"] * b["kb"]), {&a, &b, &c});
}

TEST_F(PeakMemory, Cosets) {
  const std::int64_t n = by_ranks(440, 500, 620);
  const auto a = random({n, n}, antisymmetric(0, 1)), b = random({n});
  const Tensor<double> c(world_, {n, n, n}, antisymmetric(0, 1, 2));
  check(c["ijk"].assign(a["ij"] * b["k"]), {&a, &b, &c});
}

TEST_F(PeakMemory, TermsWithTemporaries) {
  const std::int64_t n = side(1800), k = side(900);
  const auto a = random({n, k}), b = random({k, n}), d = random({n, n});
  const Tensor<double> c(world_, {n, n});
  check(c["ij"].assign(a["ik"] * b["kl"] * d["lj"] + d["il"] * a["lk"] * b["kj"] - 2.0 * d["ji"]), {&a, &b, &c, &d});
}

// With as little as a plan can do with. Looking for it must not take more, either: programs of many small messages are
// large while they are made.
TEST_F(PeakMemory, AtTheLeastLimit) { check_least_limit(side(2100)); }
TEST_F(PeakMemory, AtTheLeastLimitOfUnevenParts) { check_least_limit(3000); }

// Buffers that are kept do not come on top of what a later statement was said to need.
TEST_F(PeakMemory, AfterOtherStatements) {
  const std::int64_t n = side(2100);
  {
    const auto a = random({n, n}), b = random({n, n});
    Tensor<double> c(world_, {n, n});
    c["ij"] = a["ik"] * b["kj"];
  }
  world_.state().pool.release(std::int64_t{1} << 40);
  std::ofstream("/proc/self/clear_refs") << "5";
  const auto a = random({n, n});
  Tensor<double> b(world_, {n, n});
  b["ij"] = a["ij"] + a["ji"];
  const Tensor<double> c(world_, {n, n});
  check(c["ij"].assign(a["ik"] * b["kj"]), {&a, &b, &c});
}

}  // namespace
}  // namespace ricci_test
