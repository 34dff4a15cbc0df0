#pragma once
// DIIS (Pulay 1980) over tensors that are spread over ranks.
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "iterate/solve.hpp"
#include "store/store.hpp"

namespace cc {

/// Remembers amplitudes t_i and what their iterations added, r_i, in memory or on disk, as the amplitudes are.
/// Extrapolates to Σ c_i (t_i + r_i), where the c_i, which add up to 1, make Σ c_i r_i least.
class Diis {
 public:
  Diis(const Store& store, std::vector<Unknown> unknowns, int history)
      : store_(store), unknowns_(std::move(unknowns)), history_(history) {}

  /// `given` has amplitudes t and updates r; afterwards the amplitudes are the extrapolated ones, and the updates are
  /// anything. The 2-norm of the updates. Collective.
  double extrapolate(Tensors& given);

  /// What it remembers of the last iteration, by the names of amplitudes and updates.
  std::map<std::string, Held*> newest();
  /// Room for what an iteration is to be remembered by, as newest() has told it: oldest first. `given` has tensors of
  /// the same shapes. When all are filled in, restored() has to follow. Collective.
  std::map<std::string, Held*> add(const Tensors& given);
  void restored();
  int history() const { return history_; }

 private:
  struct Vector {
    std::vector<Held> amplitudes, updates;  // of the unknowns; amplitudes with the updates added
    std::vector<double> products;           // with the updates of those before, and of itself
  };

  /// The oldest one leaves its tensors to the new one.
  Vector next();
  std::map<std::string, Held*> names_of(Vector& vector);
  /// Of updates, with those before, and with itself.
  std::vector<double> products_of(std::size_t vector);
  std::vector<double> coefficients() const;

  const Store& store_;
  std::vector<Unknown> unknowns_;
  int history_;
  std::deque<Vector> vectors_;
};

}  // namespace cc
