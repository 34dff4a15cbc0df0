#pragma once
// A distributed plan made ready to run on one rank.
#include <map>
#include <memory>
#include <vector>

#include "comm/communicator.hpp"
#include "exec/block_contraction.hpp"
#include "exec/executable.hpp"
#include "exec/redistribution_cache.hpp"
#include "plan/distributed_plan.hpp"
#include "util/buffer_pool.hpp"

namespace ricci::exec {

/// What the ranks of a world share with every run.
struct Ranks {
  const comm::Communicator& communicator;
  BufferPool& pool;
  RedistributionCache& redistributions;
};

class DistributedExecutable {
 public:
  DistributedExecutable(planning::DistributedPlan plan, int rank);

  const planning::DistributedPlan& plan() const { return plan_; }
  /// Of this rank.
  Cost cost(int threads) const;
  /// Collective. The tensors of the binding are this rank's elements in the layouts of the plan. Where the plan leaves
  /// the output in another layout, its elements are returned, and those of the binding are void.
  AlignedBuffer run(const Ranks& ranks, const Binding& binding, Report* report) const;

 private:
  template <class T>
  class Run;

  planning::DistributedPlan plan_;
  int rank_;
  std::vector<std::unique_ptr<BlockContraction>> contractions_;  // null: a node that clears
  std::vector<std::vector<int>> freed_after_;                    // [node]: temporaries that nothing reads later
};

}  // namespace ricci::exec
