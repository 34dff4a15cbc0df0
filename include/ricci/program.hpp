#pragma once
// A program of the language (.ric): read, checked and printed; planned and run.
#include <complex>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <ricci/machine.hpp>
#include <ricci/options.hpp>
#include <ricci/tensor.hpp>
#include <ricci/world.hpp>

namespace ricci {

namespace detail {
struct ProgramState;
}
namespace program {
struct ProgramPlan;
}
namespace disk {
template <class T>
class DiskTensor;  // <ricci/disk.hpp>
}

struct ProgramOptions {
  /// Sizes in place of those that the program gives its spaces. InputError where it has no space of a name.
  std::map<std::string, std::int64_t> spaces = {};
};

/// A tensor that a program declares as `given`.
struct GivenDeclaration {
  std::string name;
  bool is_output = false;
  Extents extents;
  Symmetry symmetry;
};

class Program {
 public:
  /// Reads a file. InputError where it cannot be read; ProgramError with everything that is wrong with the program. Not
  /// collective: every rank that asks reads the file.
  static Program load(const std::string& path, const ProgramOptions& options = {});
  /// The same from text; `name` stands for the file in messages.
  static Program parse(std::string_view text, const std::string& name = "program", const ProgramOptions& options = {});

  const std::string& name() const;
  /// What is odd but no error, such as names that nothing uses; each with its place, the line and a caret.
  const std::vector<std::string>& notes() const;
  /// What the program that runs it has to give (ProgramRunOptions::tensors), as declared.
  std::vector<GivenDeclaration> given() const;

  explicit Program(std::shared_ptr<const detail::ProgramState> state) : state_(std::move(state)) {}
  const detail::ProgramState& state() const { return *state_; }

 private:
  std::shared_ptr<const detail::ProgramState> state_;
};

/// What it declares, with extents, symmetries and element types, and its statements.
std::ostream& operator<<(std::ostream&, const Program&);

/// What a run tells while it goes on, on every rank that wants to hear it.
struct ProgramEvents {
  /// A `print` statement, as it was written, and its value.
  std::function<void(const std::string& text, std::complex<double> value)> print = {};
  /// An output, when all is done: its name, `double 70,70,70,70`, and its norm.
  std::function<void(const std::string& name, const std::string& description, double norm)> output = {};
  /// Now and then: the part of the work that is done, between 0 and 1.
  std::function<void(double done)> progress = {};
};

/// A tensor of a program that runs another one, in memory or on disk. Refers to it.
using GivenTensor = std::variant<Tensor<float>*, Tensor<double>*, Tensor<std::complex<float>>*,
                                 Tensor<std::complex<double>>*, disk::DiskTensor<float>*, disk::DiskTensor<double>*,
                                 disk::DiskTensor<std::complex<float>>*, disk::DiskTensor<std::complex<double>>*>;
using GivenTensors = std::map<std::string, GivenTensor>;

struct ProgramRunOptions {
  /// All tensors that are declared as `given`, by name, with their shapes and on the same ranks. Inputs keep their
  /// elements, but may lie elsewhere afterwards; outputs get theirs, and on disk stay cut as
  /// they are. Those on disk are the ones that the program was planned with, or are cut alike.
  GivenTensors tensors = {};
  /// Scratch directories are made in here; empty: $TMPDIR, else the current directory.
  std::string scratch = {};
  bool keep_scratch = false;
  ProgramEvents events = {};
};

/// What a product of arrays on disk has taken that was done by one of the parallel disk algorithms
/// (docs/algorithms/parallel-disk.md), on this rank.
struct ParallelDiskReport {
  std::string method;            ///< `inside rotation, order ABC`
  double predicted_seconds = 0;  ///< of disk and network, in its loops
  /// The same as they were, without waiting for other ranks: their sum is the paper's overhead.
  double disk_seconds = 0, network_seconds = 0;
  double seconds = 0;       ///< of the loops, with products
  double move_seconds = 0;  ///< bringing inputs where it wants them, and the output back
  /// Of the loops and of all moves.
  std::int64_t sent_bytes = 0, predicted_sent_bytes = 0;
  std::int64_t disk_read_bytes = 0, disk_written_bytes = 0;  ///< of the loops
  std::int64_t predicted_read_bytes = 0, predicted_written_bytes = 0;
};

std::ostream& operator<<(std::ostream&, const ParallelDiskReport&);

/// What an operation of a program has taken in all the times that it was run, on this rank.
struct OperationReport {
  std::string text;  ///< as the plan prints it
  int times = 0;
  double predicted_seconds = 0;
  double seconds = 0;
};

/// What a run has done on this rank. Prints.
struct ProgramReport {
  double seconds = 0;
  double predicted_seconds = 0;
  std::int64_t disk_read_bytes = 0, disk_written_bytes = 0;  ///< of scratch files
  std::int64_t predicted_read_bytes = 0, predicted_written_bytes = 0;
  std::vector<ParallelDiskReport> parallel_disk = {};  ///< one for each time that such a product was run
  std::vector<OperationReport> operations = {};        ///< those that were run, in the order of the plan
};

std::ostream& operator<<(std::ostream&, const ProgramReport&);

/// What a program will do on so many ranks: which order its products come in, which arrays live on disk, and in what
/// blocks. Prints.
class PlannedProgram {
 public:
  std::string explain() const;
  std::string json() const;         ///< the same for other programs
  std::int64_t peak_bytes() const;  ///< of one rank
  double seconds() const;           ///< that a run will take on the machine it was planned for, about
  /// Collective; the world has as many ranks as the plan was made for.
  ProgramReport run(const World& world, const ProgramRunOptions& options = {}) const;

  explicit PlannedProgram(std::shared_ptr<const program::ProgramPlan> plan) : plan_(std::move(plan)) {}
  const program::ProgramPlan& state() const { return *plan_; }

 private:
  std::shared_ptr<const program::ProgramPlan> plan_;
};

std::ostream& operator<<(std::ostream&, const PlannedProgram&);

/// Decides all and touches no data. ResourceError, with the least memory that would do, where the limit does not
/// suffice.
PlannedProgram plan(const Program& program, int ranks, const MachineModel& machine, const Options& options);
/// For the ranks and the machine of a world. `given`: what the program will be run with; of that, what is on disk has
/// to be known, and is read as it is cut. Collective.
PlannedProgram plan(const Program& program, const World& world, const Options& options, const GivenTensors& given = {});

/// The program's text laid out tidily; comments are kept, and what it says is the same. ProgramError where it cannot be
/// read. Names and extents are not looked at.
std::string format_program(std::string_view text, const std::string& name = "program");

}  // namespace ricci
