#include "integrals/shell_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include "integrals/on_threads.hpp"

namespace cc {
namespace {

Eigen::MatrixXd schwarz_bounds(const Repulsion& repulsion, int threads) {
  Eigen::MatrixXd bounds = Eigen::MatrixXd::Zero(repulsion.shells(), repulsion.shells());
  on_threads(threads, [&](int thread) {
    const Repulsion::Loan engine(repulsion);
    for (int p = thread; p < repulsion.shells(); p += threads) {
      for (int q = 0; q <= p; ++q) bounds(p, q) = bounds(q, p) = (*engine).schwarz_bound(p, q);
    }
  });
  return bounds;
}

}  // namespace

ShellPairs::ShellPairs(const Repulsion& repulsion, int threads, double threshold)
    : threshold_(threshold), bounds_(schwarz_bounds(repulsion, threads)) {
  const double largest = bounds_.maxCoeff();
  for (int p = 0; p < repulsion.shells(); ++p) {
    for (int q = 0; q <= p; ++q) {
      if (bounds_(p, q) * largest < threshold) continue;
      const auto m = static_cast<std::size_t>(repulsion.size(p)), n = static_cast<std::size_t>(repulsion.size(q));
      const std::size_t uniques = p == q ? m * (m + 1) / 2 : m * n;
      const double weight = (repulsion.primitive_pairs(p, q) + 4) * std::sqrt(static_cast<double>(m * n));
      pairs_.push_back({.p = p, .q = q, .bound = bounds_(p, q), .values = m * n, .uniques = uniques, .weight = weight});
    }
  }
  std::stable_sort(pairs_.begin(), pairs_.end(),
                   [](const ShellPair& a, const ShellPair& b) { return a.bound > b.bound; });
}

std::size_t ShellPairs::partners(std::size_t i) const {
  const auto end = pairs_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
  const auto first_small = std::partition_point(
      pairs_.begin(), end, [&](const ShellPair& pair) { return pair.bound * pairs_[i].bound >= threshold_; });
  return static_cast<std::size_t>(first_small - pairs_.begin());
}

std::vector<std::vector<std::size_t>> ShellPairs::deal(int workers) const {
  std::vector<double> before(pairs_.size() + 1, 0);
  for (std::size_t i = 0; i < pairs_.size(); ++i) before[i + 1] = before[i] + pairs_[i].weight;
  std::vector<double> time(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) time[i] = pairs_[i].weight * before[partners(i)];
  std::vector<std::size_t> longest_first(pairs_.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](std::size_t a, std::size_t b) { return time[a] > time[b]; });
  using Load = std::pair<double, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (int worker = 0; worker < workers; ++worker) loads.emplace(0.0, worker);
  std::vector<std::vector<std::size_t>> shares(static_cast<std::size_t>(workers));
  for (const std::size_t i : longest_first) {
    auto [load, worker] = loads.top();
    loads.pop();
    shares[static_cast<std::size_t>(worker)].push_back(i);
    loads.emplace(load + time[i], worker);
  }
  return shares;
}

}  // namespace cc
