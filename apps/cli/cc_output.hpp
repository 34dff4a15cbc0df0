#pragma once
// What `ricci cc` prints, on rank 0, and its JSON.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ricci/world.hpp>

#include "methods/calculation.hpp"

namespace cli {

/// What is told of a Hamiltonian from a file.
struct DumpHead {
  int orbitals = 0, electrons = 0, spin = 0;
  double core_energy = 0;
};

/// What the operations of a program have taken.
struct ProgramTimings {
  std::string program;
  std::vector<ricci::OperationReport> operations;
};

/// All that there is to tell of one calculation.
struct CcRun {
  std::string file;              // of the molecule, or of the Hamiltonian
  std::optional<DumpHead> dump;  // in place of the molecule and its basis
  cc::Molecule molecule;
  cc::BasisSet basis;
  cc::CalculationOptions options;
  int ranks = 1, threads = 1;
  std::int64_t memory = 0;  // bytes a rank may use; 0: no limit
  std::vector<cc::ScfIteration> scf_table = {};
  std::vector<cc::CcIteration> cc_table = {};
  std::vector<ProgramTimings> timings = {};
  cc::CalculationResult result = {};
  double seconds = 0;

  bool restricted() const { return molecule.multiplicity == 1 && !options.scf.unrestricted; }
};

void print_head(const CcRun& run);
/// One line of a table; the first one comes below a heading.
void print_iteration(const CcRun& run, const cc::ScfIteration& iteration);
void print_iteration(const cc::CcIteration& iteration, bool is_first);
void print_result(const CcRun& run);
/// Of each program: its operations, those that took longest first.
void print_timings(const CcRun& run);

/// InputError where the file cannot be written. The schema is in docs/cc.md.
void write_json(const std::string& path, const CcRun& run);

}  // namespace cli
