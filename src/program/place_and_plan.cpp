#include "program/place_and_plan.hpp"

#include <algorithm>
#include <iterator>

#include "api/statement.hpp"
#include "compile/lifetimes.hpp"
#include "exec/overhead.hpp"
#include "program/find_direct_outputs.hpp"
#include "program/input_file.hpp"
#include "program/loop_groups.hpp"
#include "program/output_slabs.hpp"
#include "program/predict_seconds.hpp"
#include "program/tile_rules.hpp"
#include "program/write_output.hpp"

namespace ricci::program {

using compile::Home;
using compile::Operation;

namespace {

std::int64_t number_of_products(const std::vector<Operation>& operations) {
  std::int64_t products = 0;
  for (const Operation& operation : operations)
    products += static_cast<std::int64_t>(operation.terms.size()) + number_of_products(operation.body);
  return products;
}

/// Where arrays are, and how each operation is done.
class Planner {
 public:
  Planner(const ProgramPlan& lowered, const MachineModel& machine, std::int64_t memory_limit, const Thrift& thrift,
          StatementSeconds& statements)
      : machine_(machine), thrift_(thrift), statements_(statements), plan_(std::make_unique<ProgramPlan>(lowered)) {
    plan_->options.memory_limit = memory_limit;
    on_disk_.copies_of_outputs *= thrift.copies;
    // Panels, and the plans of all products of blocks, which are kept; several ranks have more tables, and connections
    // that grow with what they send.
    const std::int64_t products = number_of_products(lowered.formula.operations);
    kernel_bytes_ =
        lowered.ranks == 1 ? (std::int64_t{5} << 19) + (products << 14) : (std::int64_t{7} << 19) + (products << 16);
    if (memory_limit > 0) {
      const auto limit = static_cast<double>(exec::without_overhead(memory_limit, lowered.ranks));
      limit_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(limit * thrift.share));
    }
  }

  /// Nothing where it needs more than the limit, or too long.
  std::unique_ptr<const ProgramPlan> run() {
    if (!fits() || seconds_of_calls(*plan_) >= thrift_.enough) return nullptr;
    plan_->seconds = predict_seconds(*plan_, machine_, statements_);
    set_texts(plan_->operations);
    return std::move(plan_);
  }

  /// All but the prediction of its time, which walks through all blocks.
  bool fits() {
    place_arrays();
    plan_->operations = plan(plan_->formula.operations);
    plan_->final_tilings = on_disk_.tilings;
    plan_->direct_outputs = direct_outputs(*plan_);
    count_copies_of_outputs();
    return !does_not_fit();
  }

  /// After a run that came to nothing: a limit that will do.
  std::int64_t needed() const {
    // What a limit leaves is counted from the limit, so that a little more is needed than comes on top of the peak.
    return plan_->peak_bytes + exec::system_overhead(plan_->peak_bytes) * 21 / 20 +
           exec::process_overhead(plan_->peak_bytes, plan_->ranks);
  }

 private:
  void set_texts(std::vector<PlannedOperation>& operations) const {
    for (PlannedOperation& planned : operations) {
      planned.text = text_of(*plan_, *planned.operation);
      set_texts(planned.body);
    }
  }

  /// Outputs on disk that go to files in the end.
  void count_copies_of_outputs() {
    for (const auto& [array, cuts] : on_disk_.tilings) {
      const compile::Array& output = plan_->formula.arrays[array];
      if (output.is_intermediate()) continue;
      const notation::ProgramTensor& tensor = plan_->program.tensors[output.tensor];
      if (tensor.role != notation::Role::output || tensor.file.empty()) continue;
      if (plan_->direct_outputs.count(array) > 0) continue;
      const std::int64_t copy =
          bytes_to_copy(output, cuts, holds_packed(tensor), plan_->ranks, plan_->options.memory_limit);
      plan_->peak_bytes = std::max(plan_->peak_bytes, plan_->memory_bytes + copy);
    }
  }

  std::int64_t bytes(int array) const {
    const compile::Array& a = plan_->formula.arrays[array];
    const std::int64_t elements = (a.shape->stored_size() + plan_->ranks - 1) / plan_->ranks;
    return elements * static_cast<std::int64_t>(element_size(a.type));
  }

  /// Whether operations can be done at once beside so many bytes of arrays. One rank needs little more; several bring
  /// one another what they need of the operands, and partial sums, which may be as much again.
  bool fit_at_once(const std::vector<Operation>& operations, std::int64_t beside) const {
    return std::all_of(operations.begin(), operations.end(), [&](const Operation& operation) {
      std::int64_t most = 0;
      for (const compile::Product& term : operation.terms) {
        std::int64_t buffers = operation.writes() ? bytes(operation.out.array) : 0;
        for (const compile::Operand& factor : term.factors) buffers += bytes(factor.array);
        most = std::max(most, buffers);
      }
      return beside + kernel_bytes_ + most / 4 * 5 <= limit_ && fit_at_once(operation.body, beside);
    });
  }

  /// How a tensor of the host's is cut that is on disk; null: it is not.
  const compile::Cuts* given_on_disk(int array) const {
    const compile::Array& a = plan_->formula.arrays[array];
    if (a.is_intermediate()) return nullptr;
    const auto found = plan_->given_on_disk.find(plan_->program.tensors[a.tensor].name);
    return found == plan_->given_on_disk.end() ? nullptr : &found->second;
  }

  /// All in memory where that leaves enough to buffers. Else what is large goes to disk, until the rest
  /// leaves most of the memory to blocks.
  void place_arrays() {
    const compile::Formula& formula = plan_->formula;
    plan_->homes.assign(formula.arrays.size(), Home::memory);
    std::vector<bool> elsewhere(formula.arrays.size(), false);
    for (std::size_t a = 0; a < formula.arrays.size(); ++a)
      elsewhere[a] = given_on_disk(static_cast<int>(a)) != nullptr;
    const auto all =
        compile::peak_bytes(formula, arrays_of_role(*plan_, formula, notation::Role::input), elsewhere) / plan_->ranks;
    // One rank needs panels, up to 14 MiB a thread; of a small limit that is much, and they are made smaller.
    const std::int64_t panels = std::int64_t{8 + 16 * detail::thread_count(plan_->options)} << 20;
    const bool fits_one = all <= std::max(limit_ / 4 * 3, limit_ - panels);
    const bool fits = limit_ == 0 || (plan_->ranks == 1 ? fits_one : fit_at_once(formula.operations, all));
    std::vector<int> by_size;
    for (std::size_t a = 0; a < formula.arrays.size(); ++a) by_size.push_back(static_cast<int>(a));
    std::stable_sort(by_size.begin(), by_size.end(), [&](int x, int y) { return bytes(x) > bytes(y); });
    std::int64_t rest = 0;
    for (int array : by_size) rest += bytes(array);
    for (int array : by_size) {
      if (const compile::Cuts* const cuts = given_on_disk(array)) {
        plan_->homes[array] = Home::disk;
        on_disk_.tilings[array] = *cuts;
        on_disk_.kept.insert(array);
        rest -= bytes(array);
        continue;
      }
      const notation::ProgramTensor* const tensor =
          formula.arrays[array].is_intermediate() ? nullptr : &plan_->program.tensors[formula.arrays[array].tensor];
      const bool is_large = !fits && (bytes(array) > limit_ / 16 || rest > limit_ / 4);
      const bool is_scalar = formula.arrays[array].shape->order() == 0;
      const bool is_given = tensor != nullptr && tensor->origin == notation::Origin::given;
      if (is_scalar || is_given || !(is_large || (tensor != nullptr && tensor->on_disk))) continue;
      const bool is_input = tensor != nullptr && tensor->role == notation::Role::input;
      const bool is_made = is_input && tensor->origin != notation::Origin::file;  // nobody has ever stored it
      plan_->homes[array] = is_made ? Home::formula : is_input ? Home::file : Home::disk;
      if (plan_->homes[array] == Home::file && is_packed_in_file(*tensor)) plan_->packed_files.insert(array);
      rest -= bytes(array);
    }
    for (std::size_t a = 0; a < formula.arrays.size(); ++a) {
      if (plan_->homes[a] == Home::memory) plan_->memory_bytes += bytes(static_cast<int>(a));
    }
    plan_->memory_bytes = fits ? all : plan_->memory_bytes;
    plan_->peak_bytes = plan_->memory_bytes;
  }

  std::vector<PlannedOperation> plan(const std::vector<Operation>& operations) {
    std::vector<LoopGroup> groups = groups_of(operations);
    std::vector<PlannedOperation> result;
    for (std::size_t i = 0; i < operations.size() && !(thrift_.gives_up && does_not_fit()); ++i) {
      const Operation& operation = operations[i];
      LoopGroup* const group = group_with(groups, operation);
      if (group != nullptr && i < group->root) continue;
      if (group != nullptr) {
        plan_group(*group, result);
        for (const Operation* release : group->releases) {
          result.push_back({release});
          on_disk_.tilings.erase(release->out.array);
        }
        continue;
      }
      if (operation.kind == Operation::Kind::release) {
        LoopGroup* const last = last_group_open(groups, i, operation.out.array);
        if (last != nullptr) {
          last->releases.push_back(&operation);
          continue;
        }
        on_disk_.tilings.erase(operation.out.array);
      }
      PlannedOperation& planned = result.emplace_back(PlannedOperation{&operation});
      if (!operation.body.empty()) planned.body = plan_body(operation.body);
      if (wants_blocks(operation)) plan_blocks(planned);
    }
    return result;
  }

  /// Every pass finds arrays on disk as the one before has left them: what is there already stays cut as it is.
  std::vector<PlannedOperation> plan_body(const std::vector<Operation>& body) {
    const std::set<int> before = on_disk_.kept;
    for (const auto& [array, cuts] : on_disk_.tilings) on_disk_.kept.insert(array);
    std::vector<PlannedOperation> result = plan(body);
    on_disk_.kept = before;
    return result;
  }

  void plan_blocks(PlannedOperation& planned) {
    planned.tilings = on_disk_.tilings;
    planned.blocks = choose(as_sum(*planned.operation));
    choose_parallel_disk(planned);
  }

  std::vector<LoopGroup> groups_of(const std::vector<Operation>& operations) const {
    const std::string& method = plan_->options.disk_method;
    if (limit_ == 0 || !plan_->options.share_loops || (!method.empty() && method != "blocks")) return {};
    return loop_groups(*plan_, operations, [&](const Operation& operation) {
      return wants_blocks(operation) && on_disk_.kept.count(operation.out.array) == 0;
    });
  }

  double seconds_of(const std::vector<PlannedOperation>& operations) const {
    double seconds = 0;
    for (const PlannedOperation& planned : operations)
      seconds += predict_seconds(*plan_, planned, machine_, statements_);
    return seconds;
  }

  /// Shared loops or one operation after the other, whichever takes less time.
  void plan_group(const LoopGroup& group, std::vector<PlannedOperation>& result) {
    const Tilings tilings = on_disk_.tilings;
    const std::int64_t peak = plan_->peak_bytes;
    std::vector<PlannedOperation> apart;
    bool fits = true;
    for (const Operation* operation : group.tree.operations) {
      apart.push_back({operation});
      if (!wants_blocks(*operation)) continue;
      plan_blocks(apart.back());
      fits = fits && apart.back().blocks->fits;
    }
    const NestBudget budget{room_for_blocks(), plan_->ranks, plan_->options.threads != 1};
    std::shared_ptr<const FusedNest> nest;
    if (has_room_for_loops()) nest = plan_nest(group.tree, budget, machine_);
    const bool shares = nest && (!fits || nest->seconds <= seconds_of(apart));
    if (!shares) {
      std::move(apart.begin(), apart.end(), std::back_inserter(result));
      return;
    }
    on_disk_.tilings = tilings;
    plan_->peak_bytes = peak;
    PlannedOperation& planned = result.emplace_back(PlannedOperation{&group.tree.root()});
    planned.tilings = on_disk_.tilings;
    count_peak(static_cast<double>(nest->peak_bytes));
    for (const auto& [array, cuts] : nest->cuts) on_disk_.tilings[array] = cuts;
    for (const Operation* operation : group.tree.operations) {
      const int array = operation->out.array;
      if (operation != planned.operation && nest->cuts.count(array) == 0) plan_->homes[array] = Home::loops;
    }
    planned.loops = std::move(nest);
  }

  bool wants_blocks(const Operation& operation) const {
    if (!operation.writes() || is_known_norm(operation)) return false;
    if (plan_->homes[operation.out.array] != Home::memory) return true;
    return std::any_of(operation.terms.begin(), operation.terms.end(), [&](const compile::Product& term) {
      return std::any_of(term.factors.begin(), term.factors.end(),
                         [&](const compile::Operand& factor) { return plan_->homes[factor.array] != Home::memory; });
    });
  }

  /// Of an array on disk: its blocks were looked at when they were written.
  bool is_known_norm(const Operation& operation) const {
    return operation.kind == Operation::Kind::norm && plan_->homes[operation.terms[0].factors[0].array] == Home::disk;
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
    budget.bytes_a_block = bytes_of_table(1);
    const compile::TileRules rules = rules_for(*plan_, on_disk_, operation);
    compile::TileChoice choice = compile::choose_tiles(plan_->formula, operation, plan_->homes, budget, rules);
    if (!choice.fits) {
      budget.reads_ahead = false;
      choice = compile::choose_tiles(plan_->formula, operation, plan_->homes, budget, rules);
    }
    const compile::TileRules freely = rules_of_output(*plan_, on_disk_, operation);
    if (!choice.fits)  // boxes that have to be put together are better than none
      choice = compile::choose_tiles(plan_->formula, operation, plan_->homes, budget, freely);
    const double parts = bytes_to_put_together(*plan_, on_disk_, choice.operation);
    if (choice.fits && choice.cost.peak_bytes + parts > static_cast<double>(budget.bytes)) {
      budget.bytes = std::max<std::int64_t>(0, budget.bytes - static_cast<std::int64_t>(parts));
      const compile::TileChoice leaner = compile::choose_tiles(plan_->formula, operation, plan_->homes, budget, freely);
      choice.fits = leaner.fits;  // where it is not, the arrays that are read have to be cut finer
      if (leaner.fits) choice = leaner;
    }
    choice.cost.peak_bytes += bytes_to_put_together(*plan_, on_disk_, choice.operation);
    if (!has_room_for_loops() && is_cut(choice.operation)) {
      choice.fits = false;
      choice.cost.peak_bytes = std::max(choice.cost.peak_bytes, static_cast<double>(least_room));
    }
    count_peak(choice.cost.peak_bytes);  // the new array's table is among it
    if (plan_->homes[operation.out.array] == Home::disk) {
      std::vector<std::int64_t> tiling;
      for (int label : operation.out.labels) tiling.push_back(choice.operation.tile[label]);
      on_disk_.tilings[operation.out.array] =
          compile::cuts_of(plan_->formula.arrays[operation.out.array].shape->extents(), tiling);
    }
    return choice;
  }

  /// Of one rank: so many bytes of blocks, beside the tables of all that is on disk.
  void count_peak(double blocks) {
    const double all = blocks * (plan_->ranks > 1 ? 2 : 1) * 20 / 19;
    plan_->peak_bytes = std::max(
        plan_->peak_bytes, plan_->memory_bytes + kernel_bytes_ + bytes_of_tables() + static_cast<std::int64_t>(all));
  }

  std::int64_t bytes_of_tables() const {
    std::int64_t bytes = 0;
    for (const auto& [array, cuts] : on_disk_.tilings)
      bytes += bytes_of_table(compile::BlockCatalog(*plan_->formula.arrays[array].shape, cuts).blocks());
    return bytes;
  }

  bool is_cut(const compile::BlockedOperation& operation) const {
    const auto label_is_cut = [&](int label) { return operation.tile[label] < plan_->formula.labels[label].extent; };
    const auto operand_is_cut = [&](const compile::Operand& operand) {
      return std::any_of(operand.labels.begin(), operand.labels.end(), label_is_cut);
    };
    return operand_is_cut(operation.out) ||
           std::any_of(operation.terms.begin(), operation.terms.end(), [&](const compile::BlockedTerm& term) {
             return std::any_of(term.product.factors.begin(), term.product.factors.end(), operand_is_cut);
           });
  }

  void choose_parallel_disk(PlannedOperation& planned) {
    if (!planned.blocks->fits) return;
    planned.parallel_disk = choose_parallel_disk_operation(
        {plan_->formula, *planned.operation, plan_->homes, planned.tilings, *planned.blocks, machine_, plan_->ranks,
         room_for_tiles(), plan_->options.disk_method, plan_->options.read_ahead});
    if (!planned.parallel_disk) return;
    plan_->peak_bytes =
        std::max(plan_->peak_bytes, plan_->memory_bytes + kernel_bytes_ + planned.parallel_disk->peak_bytes * 20 / 19);
  }

  /// On several ranks the products of blocks need buffers of about their size.
  std::int64_t room_for_blocks() const {
    return limit_ > 0 && plan_->ranks > 1 ? room_for_tiles() / 2 : room_for_tiles();
  }
  std::int64_t room_for_tiles() const {
    if (limit_ == 0) return std::int64_t{1} << 62;
    return std::max<std::int64_t>(0, limit_ - plan_->memory_bytes - kernel_bytes_ - bytes_of_tables()) / 20 * 19;
  }

  bool does_not_fit() const { return limit_ > 0 && plan_->peak_bytes > limit_; }
  bool has_room_for_loops() const { return room_for_blocks() >= least_room; }

  /// Blocks in less would be so small that a program takes hours of requests and calls.
  static constexpr std::int64_t least_room = 384 << 10;

  const MachineModel& machine_;
  const Thrift thrift_;
  StatementSeconds& statements_;
  std::unique_ptr<ProgramPlan> plan_;
  std::int64_t kernel_bytes_ = 0;  // what products of blocks take at their leanest
  OnDisk on_disk_;                 // as the operations up to now have left it
  std::int64_t limit_ = 0;         // of tensors and buffers; 0: none
};

}  // namespace

Attempt place_and_plan(const ProgramPlan& lowered, const MachineModel& machine, std::int64_t memory_limit,
                       const Thrift& thrift, StatementSeconds& statements) {
  Planner planner(lowered, machine, memory_limit, thrift, statements);
  Attempt attempt{planner.run(), 0};
  if (!attempt.plan) attempt.needed = planner.needed();
  return attempt;
}

bool fits(const ProgramPlan& lowered, const MachineModel& machine, std::int64_t memory_limit, const Thrift& thrift,
          StatementSeconds& statements) {
  return Planner(lowered, machine, memory_limit, thrift, statements).fits();
}

std::vector<bool> arrays_of_role(const ProgramPlan& plan, const compile::Formula& formula, notation::Role role) {
  std::vector<bool> result;
  for (const compile::Array& array : formula.arrays)
    result.push_back(!array.is_intermediate() && plan.program.tensors[array.tensor].role == role);
  return result;
}

}  // namespace ricci::program
