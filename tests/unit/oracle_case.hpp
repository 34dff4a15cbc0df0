#pragma once
// A statement of the property tests, its data and layouts, for ranks that are simulated in one process.
#include <string>
#include <vector>

#include "plan/distributed_plan.hpp"
#include "property/oracle.hpp"
#include "random_distribution.hpp"

namespace ricci::planning {

class OracleCase {
 public:
  /// Real data in double precision; layouts at random.
  OracleCase(ricci_test::Statement statement, int ranks, layout::Random& random);

  int ranks() const { return ranks_; }
  DistributedPlan plan(const SpreadGoal& goal) const;
  /// Runs the plan on all ranks and compares every copy of every element with the oracle.
  void expect_right(const DistributedPlan& plan) const;
  /// The statement and the layouts of its tensors.
  std::string text() const;

 private:
  ricci_test::Statement statement_;
  int ranks_;
  bool output_stays_;
  std::vector<layout::ShapePointer> shapes_;  // [tensor]
  std::vector<Layout> layouts_;
  std::vector<ricci_test::DenseTensor> data_;
  ricci_test::Expected expected_;
};

}  // namespace ricci::planning
