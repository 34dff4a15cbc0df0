#pragma once
// The repulsion of two electrons in the functions of four shells: libint2 behind a small face.
#include <memory>
#include <mutex>
#include <vector>

#include "basis/basis_set.hpp"
#include "molecule/molecule.hpp"

namespace cc {

/// All that quartets of shells have in common. Engines compute, one for each thread; they are lent, since they are
/// dear.
class Repulsion {
 public:
  class Engine {
   public:
    ~Engine();
    /// (pq|rs) of all functions of these shells, p >= q and r >= s, row-major; null where all of them are nothing.
    /// Holds until the next call.
    const double* compute(int p, int q, int r, int s);
    /// The largest sqrt (pq|pq) of these shells, to all digits however small: p >= q.
    double schwarz_bound(int p, int q);

   private:
    friend class Repulsion;
    struct State;
    explicit Engine(const Repulsion& of);
    const Repulsion& of_;
    std::unique_ptr<State> state_;
  };

  /// An engine that goes back at the end of the scope.
  class Loan {
   public:
    explicit Loan(const Repulsion& from);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Engine& operator*() const { return *engine_; }

   private:
    const Repulsion& from_;
    std::unique_ptr<Engine> engine_;
  };

  Repulsion(const Molecule& molecule, const BasisSet& basis);
  ~Repulsion();
  Repulsion(const Repulsion&) = delete;
  Repulsion& operator=(const Repulsion&) = delete;

  int shells() const { return static_cast<int>(first_.size()); }
  int functions() const { return functions_; }
  int first(int shell) const { return first_[static_cast<std::size_t>(shell)]; }
  int size(int shell) const { return size_[static_cast<std::size_t>(shell)]; }
  /// Pairs of primitives that count.
  int primitive_pairs(int p, int q) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::vector<int> first_, size_;
  int functions_ = 0;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Engine>> idle_;
};

}  // namespace cc
