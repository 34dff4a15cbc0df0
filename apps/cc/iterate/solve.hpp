#pragma once
// Amplitudes that solve the equations of a program (.ric): run once an iteration, extrapolated by DIIS.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <ricci/program.hpp>
#include <ricci/tensor.hpp>

namespace cc {

/// Tensors by the names under which a program declares them as `given`.
using Tensors = std::map<std::string, ricci::Tensor<double>>;

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
  ricci::Options plan = {};
  std::string scratch = {};
  std::function<void(const CcIteration&)> report = {};  ///< on all ranks
  int first_iteration = 1;                              ///< number of the first: after a restart
  /// After each iteration, with the new amplitudes: checkpoints. Collective.
  std::function<void(int iteration, const Tensors& given)> keep = {};
};

struct Solution {
  double energy = 0;  ///< of the program's `print E`
  int iterations = 0;
};

/// `given` has every tensor that the program declares as given; updates may be missing and are made. Afterwards the
/// amplitudes are the solution. InputError, with advice, where it does not converge. Collective.
Solution solve(const ricci::Program& program, Tensors& given, const std::vector<Unknown>& unknowns,
               const SolveOptions& options);

/// Runs a program once; what it prints, by the text of the statement (`E`). Outputs that are missing among the given
/// tensors are made. Collective.
std::map<std::string, double> run_once(const ricci::Program& program, Tensors& given, const SolveOptions& options);

/// share/cc/NAME.ric, from $RICCI_SHARE, from what is installed beside the program, or from the source tree.
ricci::Program load_equations(const std::string& name, const std::map<std::string, std::int64_t>& spaces);
/// The text of it.
std::string text_of_equations(const std::string& name);

}  // namespace cc
