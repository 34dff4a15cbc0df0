#pragma once
// The statements of a planned program as C++ text. A file a way of doing an operation: emit_memory, emit_blocked,
// emit_loops; emit_program has what is around them.
#include <string>
#include <vector>

#include "emit/code_writer.hpp"
#include "emit/names.hpp"
#include "program/program_plan.hpp"

namespace ricci::emit {

class Emitter {
 public:
  explicit Emitter(const program::ProgramPlan& plan);

  /// The body of a function with `const World& world` and `const Scratch& scratch`.
  std::string statements();
  /// What the statements use.
  bool uses_blocks() const { return uses_blocks_; }
  bool prints() const { return prints_; }
  bool has_outputs() const { return has_outputs_; }

 private:
  using Operations = std::vector<program::PlannedOperation>;

  // What is there (emit_program.cpp)
  void declare_inputs();
  void declare_on_disk(int array);
  void create(int array);
  void create_before(const program::PlannedOperation& planned);
  void release(int array);
  void outputs();
  const notation::ProgramTensor* tensor_of(int array) const;
  compile::Home home(int array) const { return plan_.homes[static_cast<std::size_t>(array)]; }
  const std::string& name(int array) const { return formula_.arrays[static_cast<std::size_t>(array)].name; }
  std::string type(int array) const;
  /// `{40, 40}, symmetric(0, 1)`
  std::string shape(int array, bool always_symmetry) const;
  std::string cuts(int array, const compile::Cuts& cuts) const;
  std::string new_disk_tensor(int array, const std::string& variable, const compile::Cuts& cuts) const;

  // Operations
  void operations(const Operations& operations);
  void operation(const program::PlannedOperation& planned);
  void repeat(const program::PlannedOperation& planned);
  /// What is done, how, and what it takes.
  void header(const std::vector<const compile::Operation*>& operations, const program::PlannedOperation& planned,
              const std::string& how);
  std::string describe(const compile::Operation& operation) const;
  std::string labels(const std::vector<int>& labels) const;

  // In memory (emit_memory.cpp)
  void sum_in_memory(const compile::Operation& operation);
  void invert_in_memory(const compile::Operation& operation);
  void set_scalar(int array, const std::string& value);

  // Block by block (emit_blocked.cpp)
  void blocked(const program::PlannedOperation& planned);

  // Shared loops (emit_loops.cpp)
  void loops(const program::PlannedOperation& planned);

  friend class BlockLoops;
  friend class SharedLoops;

  const program::ProgramPlan& plan_;
  compile::Formula formula_;  // its arrays have the names of variables
  Names names_;
  CodeWriter out_{1};
  std::vector<bool> alive_, declared_;  // [array in memory]
  std::vector<int> stay_;               // released in a loop that they were there before: become zero instead
  bool uses_blocks_ = false, prints_ = false, has_outputs_ = false;
};

/// `0.5 * a * b`, without a factor of 1.
std::string product(double coefficient, std::vector<std::string> factors);

}  // namespace ricci::emit
