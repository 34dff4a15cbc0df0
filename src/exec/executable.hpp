#pragma once
// A plan made ready to run: its kernels are prepared once and used for every run.
#include <complex>
#include <memory>
#include <vector>

#include <ricci/plan.hpp>

#include "kernels/local_contraction.hpp"
#include "kernels/local_map.hpp"
#include "plan/local_plan.hpp"
#include "util/buffer_pool.hpp"

namespace ricci::exec {

/// What a run needs besides the plan: where the tensors are and what the terms are multiplied with.
struct Binding {
  void* output;
  const void* const* factors;                // one for each factor of all terms, in order
  const std::complex<double>* coefficients;  // one for each term
  int threads;
  BufferPool& pool;  // of all buffers
};

class Executable {
 public:
  explicit Executable(planning::LocalPlan plan, kernels::Blocks blocks = kernels::Blocks::usual);

  const planning::LocalPlan& plan() const { return plan_; }
  /// Temporaries and buffers at their greatest.
  std::int64_t peak_bytes(int threads) const;
  /// Of one node.
  Cost cost(std::size_t node, int threads) const;
  /// Runs every node in order. With `report`, adds a line for each.
  void run(const Binding& binding, Report* report) const;

 private:
  struct Prepared {
    std::unique_ptr<kernels::LocalContraction> contraction;
    std::unique_ptr<kernels::LocalMap> map;
    std::vector<int> freed_after;  // temporaries that nothing reads later
  };
  template <class T>
  void run_typed(const Binding& binding, Report* report) const;

  planning::LocalPlan plan_;
  symmetry::Shape scalar_{Extents{}, Symmetry{}};
  std::vector<Prepared> prepared_;
};

}  // namespace ricci::exec
