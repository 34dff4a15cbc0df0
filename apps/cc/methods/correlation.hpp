#pragma once
// What methods of closed and of open shells have in common once there are equations.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "iterate/solve.hpp"
#include "triples/closed_shell_triples.hpp"

namespace cc {

struct CorrelationOptions {
  SolveOptions solve = {};
  std::string checkpoint = {};  ///< folder; empty: none is kept
  bool restart = false;
  std::string equations = {};                                ///< the file of Method::equations
  std::function<void(const std::string& stage)> stage = {};  ///< when one begins
  std::function<void(double done)> progress = {};            ///< of the triples
};

struct Correlation {
  std::map<std::string, double> energies;  ///< by their keys in the reference data
  int iterations = 0;
};

/// Takes out of `all` what a program wants to be given: it takes nothing else.
Tensors declared_by(const ricci::Program& program, Tensors& all);

/// Solves the equations, from a checkpoint where that is asked for, and keeps one where that is. Collective.
Solution solve_and_keep(const Store& store, const ricci::Program& equations, Tensors& given,
                        const std::vector<Unknown>& unknowns, const CorrelationOptions& options);

/// Beside what is given there is as much memory as the limit leaves.
TriplesOptions triples_options(const Store& store, const Tensors& given, const CorrelationOptions& options);

/// What DIIS remembers in memory of amplitudes, on a rank: of as many as there are updates among the outputs.
std::int64_t bytes_of_history(const Store& store, const ricci::Program& equations);

}  // namespace cc
