#pragma once
// Programs (.ric) of a calculation, run on tensors that are in memory or on disk.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <ricci/program.hpp>

#include "store/store.hpp"

namespace cc {

/// What a calculation tells of its programs, on every rank that wants to hear it.
struct RunEvents {
  std::function<void(double done)> progress = {};  ///< of the run that is going on: between 0 and 1
  /// What its operations have taken, when a program is done with, in all of its runs together.
  std::function<void(const std::string& program, const std::vector<ricci::OperationReport>&)> timings = {};
};

/// Planned once, run often.
class ProgramRunner {
 public:
  /// `given` has every input that the program declares as given, and has to stay; outputs that are missing are made.
  /// Collective.
  ProgramRunner(const Store& store, const ricci::Program& program, Tensors& given, RunEvents events = {});

  /// What it prints, by the text of the statement (`E`). Collective.
  const std::map<std::string, double>& run();
  void tell_timings() const;

 private:
  void add(const std::vector<ricci::OperationReport>& operations);

  const Store& store_;
  std::string name_;
  ricci::PlannedProgram plan_;
  ricci::ProgramRunOptions how_;
  RunEvents events_;
  std::map<std::string, double> printed_;
  std::vector<ricci::OperationReport> taken_;
};

/// The same, once. Collective.
std::map<std::string, double> run_once(const Store& store, const ricci::Program& program, Tensors& given,
                                       const RunEvents& events = {});

/// Whether a program can be done in memory with all that it is given, beside so many bytes on a rank. Collective.
bool fits(const Store& store, const ricci::Program& program, std::int64_t beside = 0);

/// share/cc/NAME.ric, from $RICCI_SHARE, from what is installed beside the program, or from the source tree.
ricci::Program load_equations(const std::string& name, const std::map<std::string, std::int64_t>& spaces);
/// The text of it, and of any file.
std::string text_of_equations(const std::string& name);
std::string text_of_file(const std::string& path);

}  // namespace cc
