#pragma once
// A distributed plan made ready to run on one rank.
#include <map>
#include <memory>
#include <optional>
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
  /// Of this rank: all nodes together, and the greatest of their peaks.
  Cost cost(int threads) const;
  Cost cost(std::size_t node, int threads) const;
  /// Of its programs, with what the heap takes beside. Part of every peak.
  std::int64_t table_bytes() const;
  /// Collective. The tensors of the binding are this rank's elements in the layouts of the plan. Where the output is
  /// not made in place, its elements (in the layout that the plan leaves it in) are returned, and those of the binding
  /// are void. That layout may be the one that it had before.
  std::optional<AlignedBuffer> run(const Ranks& ranks, const Binding& binding, Report* report) const;

 private:
  template <class T>
  class Run;

  /// What a node is going to do on this rank.
  struct Prediction {
    std::int64_t sent = 0;  // elements
    std::int64_t received = 0;
    std::int64_t temporary = 0;  // elements of temporaries and of an output that is not made in place
    std::int64_t moving = 0;     // bytes, while the output moves to where it is made, or back
  };
  /// What is there while the nodes run, besides the tensors of the statement.
  struct Held {
    std::vector<Layout> where;           // [slot]: now
    std::vector<std::int64_t> elements;  // [slot]: of temporaries, and of an output that has left its place
  };
  Prediction predict(std::size_t node, Held& held) const;

  planning::DistributedPlan plan_;
  int rank_;
  std::vector<Prediction> predictions_;
  std::int64_t table_bytes_ = 0;                                 // of the programs of all nodes
  std::int64_t tensor_bytes_ = 0;                                // of the output and the operands
  std::vector<std::unique_ptr<BlockContraction>> contractions_;  // null: a node that clears
  std::vector<std::vector<int>> freed_after_;                    // [node]: temporaries that nothing reads later
};

}  // namespace ricci::exec
