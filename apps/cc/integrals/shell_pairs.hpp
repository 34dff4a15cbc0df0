#pragma once
// The pairs of shells that integrals are made of, and which of them matter.
#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "integrals/repulsion.hpp"

namespace cc {

/// Two shells, p >= q.
struct ShellPair {
  int p = 0, q = 0;
  double bound = 0;         ///< the largest sqrt (pq|pq): |(pq|rs)| <= bound(pq) bound(rs), by Schwarz' inequality
  std::size_t values = 0;   ///< products of their functions
  std::size_t uniques = 0;  ///< those that differ: fewer where p is q
  double weight = 0;        ///< the time of a quartet is about the product of the weights of its pairs
};

/// All pairs that matter, by falling bounds: pair i with pairs j <= i is every quartet once.
class ShellPairs {
 public:
  ShellPairs(const Repulsion& repulsion, int threads, double threshold);

  std::size_t size() const { return pairs_.size(); }
  const ShellPair& operator[](std::size_t i) const { return pairs_[i]; }
  double threshold() const { return threshold_; }
  double bound(int p, int q) const { return bounds_(p, q); }
  /// Pairs j < partners(i) make quartets with pair i that matter, i itself among them or not.
  std::size_t partners(std::size_t i) const;
  /// The pairs whose quartets (with earlier pairs) each of some workers does, so that all take about the same time.
  std::vector<std::vector<std::size_t>> deal(int workers) const;

 private:
  double threshold_;
  Eigen::MatrixXd bounds_;
  std::vector<ShellPair> pairs_;
};

}  // namespace cc
