#include "program/program_plan.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>

#include "compile/factorise.hpp"
#include "compile/lifetimes.hpp"
#include "compile/lower_program.hpp"
#include "compile/minimise_operations.hpp"
#include "exec/overhead.hpp"
#include "storage/location.hpp"

namespace ricci::program {

using compile::Home;
using compile::Operation;

namespace {

class Planner {
 public:
  Planner(notation::Program program, int ranks, const MachineModel& machine, const Options& options)
      : machine_(machine), plan_(std::make_unique<ProgramPlan>()) {
    plan_->program = std::move(program);
    plan_->options = options;
    plan_->ranks = ranks;
    plan_->written = compile::lower_program(plan_->program);
    const compile::Formula formula = compile::minimise_operations(compile::factorise(plan_->written));
    plan_->formula = compile::release_early(formula, flags(formula, notation::Role::output));
    limit_ = options.memory_limit > 0 ? exec::without_overhead(options.memory_limit) : 0;
  }

  std::unique_ptr<const ProgramPlan> run() {
    place_arrays();
    plan_->operations = plan(plan_->formula.operations);
    plan_->final_tilings = tilings_;
    if (limit_ > 0 && plan_->peak_bytes > limit_) refuse();
    return std::move(plan_);
  }

 private:
  std::vector<bool> flags(const compile::Formula& formula, notation::Role role) const {
    std::vector<bool> result;
    for (const compile::Array& array : formula.arrays)
      result.push_back(!array.is_intermediate() && plan_->program.tensors[array.tensor].role == role);
    return result;
  }

  std::int64_t bytes(int array) const {
    const compile::Array& a = plan_->formula.arrays[array];
    const std::int64_t elements = (a.shape->stored_size() + plan_->ranks - 1) / plan_->ranks;
    return elements * static_cast<std::int64_t>(element_size(a.type));
  }

  /// All in memory where that leaves a quarter of the limit to buffers. Else what is large goes to disk, until the rest
  /// leaves most of the memory to blocks.
  void place_arrays() {
    const compile::Formula& formula = plan_->formula;
    plan_->homes.assign(formula.arrays.size(), Home::memory);
    const auto all = compile::peak_bytes(formula, flags(formula, notation::Role::input)) / plan_->ranks;
    const bool fits = limit_ == 0 || all <= limit_ / 4 * 3;
    std::vector<int> by_size;
    for (std::size_t a = 0; a < formula.arrays.size(); ++a) by_size.push_back(static_cast<int>(a));
    std::stable_sort(by_size.begin(), by_size.end(), [&](int x, int y) { return bytes(x) > bytes(y); });
    std::int64_t rest = 0;
    for (int array : by_size) rest += bytes(array);
    for (int array : by_size) {
      const notation::ProgramTensor* const tensor =
          formula.arrays[array].is_intermediate() ? nullptr : &plan_->program.tensors[formula.arrays[array].tensor];
      const bool is_large = !fits && (bytes(array) > limit_ / 16 || rest > limit_ / 4);
      const bool is_scalar = formula.arrays[array].shape->order() == 0;
      if (is_scalar || !(is_large || (tensor != nullptr && tensor->on_disk))) continue;
      const bool is_input = tensor != nullptr && tensor->role == notation::Role::input;
      const bool is_made = is_input && tensor->origin != notation::Origin::file;  // nobody has ever stored it
      const bool is_input_file = is_input && !is_made;
      if (is_input_file && !is_large && plan_->ranks > 1) continue;  // one rank reads files in parts
      plan_->homes[array] = is_made ? Home::formula : is_input_file ? Home::file : Home::disk;
      check_files(tensor, plan_->homes[array]);
      rest -= bytes(array);
    }
    for (std::size_t a = 0; a < formula.arrays.size(); ++a) {
      if (plan_->homes[a] == Home::memory) plan_->memory_bytes += bytes(static_cast<int>(a));
    }
    plan_->memory_bytes = fits ? all : plan_->memory_bytes;
    plan_->peak_bytes = plan_->memory_bytes;
  }

  /// What cannot be moved block by block is refused now.
  void check_files(const notation::ProgramTensor* tensor, Home home) const {
    if (tensor == nullptr || tensor->file.empty() || home == Home::formula) return;
    const bool is_packed =
        !tensor->shape.symmetry().empty() && storage::parse_location(tensor->file).format == storage::FileFormat::hdf5;
    if (plan_->ranks == 1 && !is_packed) return;
    throw ResourceError(fmt::format(
        "{}: {} does not fit into the memory limit of {} bytes, and {}; allow more memory", plan_->program.name,
        tensor->name, plan_->options.memory_limit,
        is_packed ? fmt::format("{} holds it packed, which is not read or written in parts; use .npy", tensor->file)
                  : fmt::format("{} is read or written in parts by one rank only; use one rank", tensor->file)));
  }

  std::vector<PlannedOperation> plan(const std::vector<Operation>& operations) {
    std::vector<PlannedOperation> result;
    for (const Operation& operation : operations) {
      PlannedOperation& planned = result.emplace_back(PlannedOperation{&operation});
      planned.body = plan(operation.body);
      if (!wants_blocks(operation)) continue;
      planned.tilings = tilings_;
      planned.blocks = choose(as_sum(operation));
    }
    return result;
  }

  bool wants_blocks(const Operation& operation) const {
    if (!operation.writes()) return false;
    if (plan_->homes[operation.out.array] != Home::memory) return true;
    return std::any_of(operation.terms.begin(), operation.terms.end(), [&](const compile::Product& term) {
      return std::any_of(term.factors.begin(), term.factors.end(),
                         [&](const compile::Operand& factor) { return plan_->homes[factor.array] != Home::memory; });
    });
  }

  /// Inverses copy, norms multiply an array with itself.
  static Operation as_sum(const Operation& operation) {
    Operation sum = operation;
    if (operation.kind == Operation::Kind::invert) sum.kind = Operation::Kind::assign;
    if (operation.kind == Operation::Kind::norm) {
      sum.kind = Operation::Kind::assign;
      sum.terms[0].factors.push_back(sum.terms[0].factors[0]);
    }
    return sum;
  }

  compile::TileChoice choose(const Operation& operation) {
    compile::BlockBudget budget{room_for_blocks(), plan_->ranks, machine_.disk_read_bandwidth,
                                machine_.disk_write_bandwidth};
    const compile::TileRules rules = rules_for(operation);
    compile::TileChoice choice = compile::choose_tiles(plan_->formula, operation, plan_->homes, budget, rules);
    if (!choice.fits) {
      budget.reads_ahead = false;
      choice = compile::choose_tiles(plan_->formula, operation, plan_->homes, budget, rules);
    }
    if (!choice.fits) {  // boxes that have to be put together are better than none
      choice = compile::choose_tiles(plan_->formula, operation, plan_->homes, budget, {{}, rules.is_read_again});
      choice.cost.peak_bytes += bytes_to_put_together(choice.operation);
    }
    const double blocks = choice.cost.peak_bytes * (plan_->ranks > 1 ? 2 : 1) * 20 / 19;
    plan_->peak_bytes =
        std::max(plan_->peak_bytes, plan_->memory_bytes + kernel_bytes + static_cast<std::int64_t>(blocks));
    if (plan_->homes[operation.out.array] != Home::disk) return choice;
    std::vector<std::int64_t>& tiling = tilings_[operation.out.array];
    tiling.clear();
    for (int label : operation.out.labels) tiling.push_back(choice.operation.tile[label]);
    return choice;
  }

  /// The largest array that a label stands in says how it is cut.
  compile::TileRules rules_for(const Operation& operation) const {
    compile::TileRules rules{std::vector<std::int64_t>(plan_->formula.labels.size(), 0), true};
    std::vector<std::int64_t> size(plan_->formula.labels.size(), 0);
    const auto add = [&](const compile::Operand& operand) {
      const auto tiling = tilings_.find(operand.array);
      if (plan_->homes[operand.array] != Home::disk || tiling == tilings_.end()) return;
      for (std::size_t m = 0; m < operand.labels.size(); ++m) {
        const int label = operand.labels[m];
        if (bytes(operand.array) <= size[label]) continue;
        size[label] = bytes(operand.array);
        rules.given[label] = tiling->second[m];
      }
    };
    add(operation.out);
    for (const compile::Product& term : operation.terms) {
      for (const compile::Operand& factor : term.factors) add(factor);
    }
    const int tensor = plan_->formula.arrays[operation.out.array].tensor;
    rules.is_read_again = tensor < 0 || plan_->program.tensors[tensor].role != notation::Role::output ||
                          reads(plan_->formula.operations, operation.out.array);
    return rules;
  }

  /// Of the largest block on disk that is not read as it lies: it, unpacked, and the part that is wanted.
  double bytes_to_put_together(const compile::BlockedOperation& operation) const {
    double most = 0;
    const auto look = [&](const compile::Operand& operand) {
      const auto tiling = tilings_.find(operand.array);
      if (tiling == tilings_.end() || plan_->homes[operand.array] != Home::disk) return;
      double block = static_cast<double>(element_size(plan_->formula.arrays[operand.array].type)) / plan_->ranks;
      bool is_other = false;
      for (std::size_t m = 0; m < operand.labels.size(); ++m) {
        block *= static_cast<double>(std::max(tiling->second[m], operation.tile[operand.labels[m]]));
        is_other = is_other || tiling->second[m] != operation.tile[operand.labels[m]];
      }
      if (is_other) most = std::max(most, 4 * block);
    };
    look(operation.out);
    for (const compile::BlockedTerm& term : operation.terms) {
      for (const compile::Operand& factor : term.product.factors) look(factor);
    }
    return most;
  }

  static bool reads(const std::vector<Operation>& operations, int array) {
    return std::any_of(operations.begin(), operations.end(), [&](const Operation& operation) {
      const bool here = std::any_of(operation.terms.begin(), operation.terms.end(), [&](const compile::Product& term) {
        return std::any_of(term.factors.begin(), term.factors.end(),
                           [&](const compile::Operand& factor) { return factor.array == array; });
      });
      // A norm needs one block at a time.
      return (here && operation.kind != Operation::Kind::norm) || reads(operation.body, array);
    });
  }

  /// On several ranks the products of blocks need buffers of about their size.
  std::int64_t room_for_blocks() const {
    if (limit_ == 0) return std::int64_t{1} << 62;
    const std::int64_t room = std::max<std::int64_t>(0, limit_ - plan_->memory_bytes - kernel_bytes) / 20 * 19;
    return plan_->ranks > 1 ? room / 2 : room;
  }

  [[noreturn]] void refuse() const {
    const std::int64_t least = plan_->peak_bytes + exec::system_overhead(plan_->peak_bytes) * 21 / 20;
    throw ResourceError(
        fmt::format("{}: the program needs {} bytes of memory on a rank at least, but the limit is {}; allow more, or "
                    "use more ranks",
                    plan_->program.name, least, plan_->options.memory_limit));
  }

  static constexpr std::int64_t kernel_bytes = std::int64_t{3} << 20;  // what a product of blocks takes at its leanest

  const MachineModel& machine_;
  std::unique_ptr<ProgramPlan> plan_;
  Tilings tilings_;         // of arrays on disk, as the last operation has cut them
  std::int64_t limit_ = 0;  // of tensors and buffers; 0: none
};

const char* name(Home home) {
  switch (home) {
    case Home::memory:
      return "memory";
    case Home::disk:
      return "disk";
    case Home::file:
      return "file";
    default:
      return "made when it is read";
  }
}

/// Bytes of rank 0; of loops, as often as they are thought to run.
DiskBytes print(std::ostream& out, const ProgramPlan& plan, const std::vector<PlannedOperation>& operations) {
  DiskBytes total;
  for (const PlannedOperation& planned : operations) {
    if (planned.blocks) {
      compile::print(out, plan.formula, planned.blocks->operation);
      const DiskBytes bytes = plan.traffic(planned, 0);
      fmt::print(out, "    reads {} bytes and writes {}\n", bytes.read, bytes.written);
      total += bytes;
    }
    const DiskBytes body = print(out, plan, planned.body);
    const double passes = planned.body.empty() ? 0 : compile::guessed_passes(*planned.operation);
    total += {static_cast<std::int64_t>(passes * static_cast<double>(body.read)),
              static_cast<std::int64_t>(passes * static_cast<double>(body.written))};
  }
  return total;
}

}  // namespace

DiskBytes ProgramPlan::traffic(const PlannedOperation& planned, int rank) const {
  if (!planned.blocks) return {};
  return predict_traffic(formula, planned.blocks->operation, homes, planned.tilings, ranks, rank);
}

DiskBytes ProgramPlan::output_bytes(int rank) const {
  DiskBytes bytes;
  for (const auto& [array, tiling] : final_tilings) {
    const int tensor = formula.arrays[array].tensor;
    if (tensor < 0 || program.tensors[tensor].role != notation::Role::output) continue;
    if (!program.tensors[tensor].file.empty()) bytes += bytes_of_copy(formula.arrays[array], tiling, ranks, rank);
  }
  return bytes;
}

std::unique_ptr<const ProgramPlan> plan_program(notation::Program program, int ranks, const MachineModel& machine,
                                                const Options& options) {
  return Planner(std::move(program), ranks, machine, options).run();
}

std::ostream& operator<<(std::ostream& out, const ProgramPlan& plan) {
  const compile::Effort before = compile::effort(plan.written), after = compile::effort(plan.formula);
  fmt::print(out, "flops: {:.4g} as written, {:.4g} as planned\n", before.flops, after.flops);
  fmt::print(out, "arrays:\n");
  for (std::size_t a = 0; a < plan.formula.arrays.size(); ++a) {
    const compile::Array& array = plan.formula.arrays[a];
    fmt::print(out, "  {:<12} {} ({} stored), {}\n", array.name, fmt::streamed(*array.shape),
               array.shape->stored_size(), name(plan.homes[a]));
  }
  fmt::print(out, "operations:\n{}", fmt::streamed(plan.formula));
  if (std::any_of(plan.homes.begin(), plan.homes.end(), [](Home home) { return home != Home::memory; })) {
    fmt::print(out, "block by block:\n");
    const DiskBytes bytes = print(out, plan, plan.operations);
    const DiskBytes outputs = plan.output_bytes(0);
    fmt::print(out, "disk: {} bytes read and {} written by rank 0; to write outputs to files {} read and {} written\n",
               bytes.read, bytes.written, outputs.read, outputs.written);
  }
  fmt::print(out, "peak: {} bytes a rank\n", plan.peak_bytes);
  return out;
}

}  // namespace ricci::program
