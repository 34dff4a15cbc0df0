#pragma once
// Amplitudes that solve the equations of a program (.ric): run once an iteration, extrapolated by DIIS.
#include <functional>
#include <string>
#include <vector>

#include "iterate/run_program.hpp"

namespace cc {

class Checkpoint;

/// Which given tensors are unknown, and which outputs say what an iteration adds to them: zero at the solution.
struct Unknown {
  std::string amplitude, update;
  double weight = 1;  ///< of the squared norm in the residual and in DIIS: how often a block of its kind comes
};

struct CcIteration {
  int iteration = 0;  ///< from 1
  double energy = 0;  ///< correlation energy of the amplitudes that the iteration starts with
  double change = 0;
  double residual = 0;  ///< 2-norm of what is added
  double seconds = 0;
};

struct SolveOptions {
  int max_iterations = 100;
  double energy_threshold = 1e-10;
  double residual_threshold = 1e-9;
  int history = 8;  ///< iterations that DIIS remembers
  RunEvents events = {};
  std::function<void(const CcIteration&)> report = {};  ///< on all ranks
  const Checkpoint* checkpoint = nullptr;               ///< kept after each iteration
  bool restart = false;                                 ///< from the checkpoint
};

struct Solution {
  double energy = 0;  ///< of the program's `print E`
  int iterations = 0;
};

/// `given` has every tensor that the program declares as given; updates may be missing and are made. Afterwards the
/// amplitudes are the solution. InputError, with advice, where it does not converge. Collective.
Solution solve(const Store& store, const ricci::Program& program, Tensors& given, const std::vector<Unknown>& unknowns,
               const SolveOptions& options);

}  // namespace cc
