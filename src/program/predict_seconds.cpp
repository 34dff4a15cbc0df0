#include "program/predict_seconds.hpp"

#include <algorithm>

#include "program/handling.hpp"

namespace ricci::program {

using compile::Home;
using compile::Operand;
using compile::Operation;

namespace {

/// What a product of blocks takes at least, however small they are.
constexpr double least_step_seconds = 1e-5;

class Clock {
 public:
  Clock(const ProgramPlan& plan, const MachineModel& machine) : plan_(plan), machine_(machine) {
    const bool many = plan.options.threads != 1;
    flops_ = (many ? machine.gemm_flops_threads : machine.gemm_flops) * plan.ranks;
    copies_ = (many ? machine.copy_bandwidth_threads : machine.copy_bandwidth) * plan.ranks;
  }

  double disk(const DiskBytes& bytes) const {
    return static_cast<double>(bytes.read) / machine_.disk_read_bandwidth +
           static_cast<double>(bytes.written) / machine_.disk_write_bandwidth;
  }

  /// Inputs that nobody has stored are made again whenever they are read.
  static double making(const compile::BlockCost& cost) {
    return cost.made_elements * compile::BlockBudget{}.making_seconds;
  }

  /// Every operand touched once.
  double touching(const Operation& operation) const {
    double seconds = bytes(operation.out) / copies_;
    for (const compile::Product& term : operation.terms) {
      for (const Operand& factor : term.factors) seconds += bytes(factor) / copies_;
    }
    return seconds;
  }

  /// All flops, and every operand touched once.
  double arithmetic(const Operation& operation) const {
    if (!operation.writes()) return 0;
    double seconds = touching(operation);
    for (const compile::Product& term : operation.terms) {
      const bool is_product = term.factors.size() > 1;
      if (is_product) seconds += compile::term_flops(plan_.formula, operation.out, term) * work(operation) / flops_;
    }
    return seconds;
  }

  /// All of an input that is made when it is read.
  double making(int array) const {
    if (plan_.homes[array] != Home::formula) return 0;
    return compile::BlockBudget{}.making_seconds *
           static_cast<double>(plan_.formula.arrays[array].shape->stored_size()) / plan_.ranks;
  }

  /// Inputs that are in memory from the beginning.
  double inputs() const {
    double seconds = 0;
    for (std::size_t a = 0; a < plan_.formula.arrays.size(); ++a) {
      const compile::Array& array = plan_.formula.arrays[a];
      if (array.is_intermediate() || plan_.homes[a] != Home::memory) continue;
      const notation::ProgramTensor& tensor = plan_.program.tensors[array.tensor];
      const double size = static_cast<double>(array.shape->stored_size()) / plan_.ranks;
      const double all = size * static_cast<double>(element_size(array.type));
      if (tensor.role == notation::Role::input && tensor.origin == notation::Origin::file)
        seconds += all / machine_.disk_read_bandwidth;
      if (tensor.role == notation::Role::input && tensor.origin == notation::Origin::random)
        seconds += compile::BlockBudget{}.making_seconds * size;
      if (tensor.role == notation::Role::output && !tensor.file.empty()) seconds += all / machine_.disk_write_bandwidth;
    }
    return seconds;
  }

 private:
  double bytes(const Operand& operand) const {
    const compile::Array& array = plan_.formula.arrays[operand.array];
    return static_cast<double>(array.shape->stored_size()) * static_cast<double>(element_size(array.type));
  }
  /// Of one multiplication, in multiples of those of doubles: half for float, four of them for complex numbers.
  double work(const Operation& operation) const {
    const ElementType type = plan_.formula.arrays[operation.out.array].type;
    return static_cast<double>(element_size(type)) / 8 * (is_complex(type) ? 2 : 1);
  }

  const ProgramPlan& plan_;
  const MachineModel& machine_;
  double flops_ = 1, copies_ = 1;  // a second, of all ranks
};

double seconds_of(const ProgramPlan& plan, std::vector<PlannedOperation>& operations, const MachineModel& machine,
                  StatementSeconds& statements, double times) {
  double seconds = 0;
  for (PlannedOperation& planned : operations) {
    const double all = predict_seconds(plan, planned, machine, statements, times);
    planned.seconds = times > 0 ? all / times : 0;
    seconds += all;
    if (!planned.body.empty())
      seconds +=
          seconds_of(plan, planned.body, machine, statements, times * compile::guessed_passes(*planned.operation));
  }
  return seconds;
}

double seconds_of_calls(const std::vector<PlannedOperation>& operations) {
  double seconds = 0;
  for (const PlannedOperation& planned : operations) {
    if (planned.blocks && !planned.loops && !planned.parallel_disk) {
      const compile::BlockCost& cost = planned.blocks->cost;
      seconds += cost.steps * least_step_seconds + Clock::making(cost);
    }
    if (!planned.body.empty()) seconds += compile::guessed_passes(*planned.operation) * seconds_of_calls(planned.body);
  }
  return seconds;
}

}  // namespace

double predict_seconds(const ProgramPlan& plan, const PlannedOperation& planned, const MachineModel& machine,
                       StatementSeconds& statements, double times) {
  using Kind = Operation::Kind;
  const Clock clock(plan, machine);
  const Operation& operation = *planned.operation;
  if (planned.loops) {
    double made = 0;
    for (int array : planned.loops->tree.arrays) made += clock.making(array);
    return times * (planned.loops->seconds + made);
  }
  if (!planned.blocks) {
    const bool is_statement = operation.kind == Kind::assign || operation.kind == Kind::add;
    if (is_statement) return statements.at_once(plan.formula, operation, times);
    return operation.writes() ? times * clock.touching(operation) : 0;
  }
  if (planned.parallel_disk)  // its loops do not overlap
    return times * (planned.parallel_disk->seconds + planned.parallel_disk->move_seconds + clock.arithmetic(operation));
  const DiskBytes traffic = plan.traffic(planned, 0);
  const auto moved = static_cast<double>(traffic.read + traffic.written);
  // Blocks leave their memory to those that come after them.
  const double touched = std::min(moved, planned.blocks->cost.peak_bytes) * fresh_pages(machine);
  const double handled = moved * handling(machine) + touched;
  const double arithmetic = statements.in_blocks(plan.formula, planned.blocks->operation, plan.homes) + handled;
  return times * (beside_each_other(clock.disk(traffic), arithmetic, plan.ranks) + Clock::making(planned.blocks->cost));
}

double seconds_of_calls(const ProgramPlan& plan) { return seconds_of_calls(plan.operations); }

double predict_seconds(ProgramPlan& plan, const MachineModel& machine, StatementSeconds& statements) {
  const Clock clock(plan, machine);
  return clock.inputs() + seconds_of(plan, plan.operations, machine, statements, 1) + clock.disk(plan.output_bytes(0));
}

}  // namespace ricci::program
