#include "program/run_program.hpp"

#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "api/world_state.hpp"
#include "comm/communicator.hpp"
#include "program/array_store.hpp"
#include "program/disk_space.hpp"
#include "program/given_tensors.hpp"
#include "program/input_file.hpp"
#include "program/progress.hpp"
#include "program/run_blocked.hpp"
#include "program/run_loops.hpp"
#include "program/write_output.hpp"
#include "storage/location.hpp"

namespace ricci::program {

using compile::Operand;
using compile::Operation;
using compile::Product;

namespace {

class ProgramRun {
 public:
  ProgramRun(const ProgramPlan& plan, const World& world, const RunOptions& options)
      : plan_(plan),
        world_(world),
        options_(options),
        store_(world, plan.program, plan.formula, plan.homes, plan.direct_outputs, options.scratch,
               options.keep_scratch),
        progress_(plan, world.rank(), options.progress) {
    if (progress_.is_wanted())
      store_.watch(
          [this](const storage::DiskTraffic& so_far) { progress_.moved(so_far.read_bytes + so_far.written_bytes); });
  }

  RunCounts run() {
    const auto start = std::chrono::steady_clock::now();
    check_inputs();
    bind_given();
    require_disk_space(plan_, world_, storage::scratch_base(options_.scratch));
    run_recycling();
    finish();
    for_each_given([&](int array, const GivenTensor& given) { hand_back(store_, array, given); });
    RunCounts counts;
    counts.disk = store_.traffic();
    counts.predicted = predicted_;
    counts.predicted += plan_.output_bytes(world_.rank());
    counts.parallel_disk = std::move(outcomes_);
    tell_operations(plan_.operations, counts.operations);
    counts.predicted_seconds = plan_.seconds + of_other_passes(plan_.operations, 1);
    counts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return counts;
  }

 private:
  /// Before anything is computed.
  void check_inputs() const {
    comm::together(world_.state().communicator, [&] {
      for (const notation::ProgramTensor& tensor : plan_.program.tensors) {
        if (tensor.role == notation::Role::input && tensor.origin == notation::Origin::file)
          check_input(tensor, storage::inspect(storage::parse_location(tensor.file)));
      }
      for (std::size_t a = 0; a < plan_.homes.size(); ++a) {
        if (plan_.homes[a] != compile::Home::file) continue;
        const notation::ProgramTensor& tensor = *store_.input(static_cast<int>(a));
        if (is_packed_in_file(tensor) != (plan_.packed_files.count(static_cast<int>(a)) > 0))
          throw InputError(fmt::format("{} has changed since the program was planned; plan it again", tensor.file));
      }
    });
  }

  /// What is given stands for its array from the beginning.
  void bind_given() {
    comm::together(world_.state().communicator, [&] { check_given(plan_, world_, options_.tensors); });
    for_each_given([&](int array, const GivenTensor& given) { bind(store_, array, given); });
  }
  template <class F>
  void for_each_given(F f) {
    for (std::size_t a = 0; a < plan_.formula.arrays.size(); ++a) {
      const int number = plan_.formula.arrays[a].tensor;
      if (number < 0 || plan_.program.tensors[number].origin != notation::Origin::given) continue;
      f(static_cast<int>(a), options_.tensors.at(plan_.program.tensors[number].name));
    }
  }

  /// Without a limit, what arrays and buffers leave is kept for those that come, as much as there is at a time at most:
  /// programs that run again and again would have the system clear all pages anew.
  void run_recycling() {
    std::optional<BufferPool::Share> share;
    if (plan_.options.memory_limit == 0) {
      detail::WorldState& world = world_.state();
      store_.recycle();
      share.emplace(world.pool, world.tensors,
                    world.tensors.live() + world.pool.meter().live() + plan_.peak_bytes + packing_bytes);
    }
    run(plan_.operations);
  }
  static constexpr std::int64_t packing_bytes = std::int64_t{64} << 20;  // of kernels, which are not in the peak

  void run(const std::vector<PlannedOperation>& operations) {
    for (const PlannedOperation& planned : operations) {
      const auto start = std::chrono::steady_clock::now();
      run(planned);
      Taken& taken = taken_[&planned];
      ++taken.times;
      taken.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      progress_.finished(planned);
    }
  }

  /// What the passes of loops take by the plan that there were more, or fewer, than had been guessed.
  double of_other_passes(const std::vector<PlannedOperation>& operations, double guessed) const {
    double seconds = 0;
    for (const PlannedOperation& planned : operations) {
      const auto taken = taken_.find(&planned);
      const double times = taken == taken_.end() ? 0 : taken->second.times;
      seconds += (times - guessed) * planned.seconds;
      if (!planned.body.empty())
        seconds += of_other_passes(planned.body, guessed * compile::guessed_passes(*planned.operation));
    }
    return seconds;
  }

  /// Those that compute; loops by what is in them.
  void tell_operations(const std::vector<PlannedOperation>& operations, std::vector<OperationReport>& result) const {
    for (const PlannedOperation& planned : operations) {
      const auto taken = taken_.find(&planned);
      if (taken != taken_.end() && planned.operation->writes())
        result.push_back(
            {planned.text, taken->second.times, taken->second.times * planned.seconds, taken->second.seconds});
      tell_operations(planned.body, result);
    }
  }

  void run(const PlannedOperation& planned) {
    const Operation& operation = *planned.operation;
    if (planned.blocks || planned.loops) predicted_ += traffic_of(planned);
    // Blocks that are done with leave their memory to others of their size, within what the plan has counted.
    detail::WorldState& world = world_.state();
    std::optional<BufferPool::Share> share;
    const std::int64_t blocks = planned.loops ? planned.loops->peak_bytes
                                : planned.blocks && !planned.parallel_disk
                                    ? static_cast<std::int64_t>(planned.blocks->cost.peak_bytes)
                                    : 0;
    if (blocks > 0) share.emplace(world.pool, world.tensors, world.tensors.live() + world.pool.meter().live() + blocks);
    if (planned.loops) {
      run_loops(*planned.loops, store_);
      return;
    }
    switch (operation.kind) {
      case Operation::Kind::assign:
      case Operation::Kind::add:
        if (planned.parallel_disk)
          run_parallel_disk(*planned.parallel_disk);
        else if (planned.blocks)
          run_blocked(planned.blocks->operation, store_);
        else
          run_sum(operation);
        break;
      case Operation::Kind::invert:
        if (planned.blocks)
          invert_blocked(planned.blocks->operation, store_);
        else
          invert(operation);
        break;
      case Operation::Kind::norm:
        norm(planned);
        break;
      case Operation::Kind::print:
        print(operation.text, value(operation));
        break;
      case Operation::Kind::release:
        store_.release(operation.out.array);
        break;
      case Operation::Kind::repeat:
        for (std::int64_t pass = 0; pass < operation.times; ++pass) {
          run(planned.body);
          if (operation.has_condition() && value(operation).real() < operation.threshold) break;
        }
        break;
    }
  }

  void run_parallel_disk(const ParallelDiskOperation& operation) {
    outcomes_.push_back({&operation, run_parallel_disk_operation(operation, store_)});
  }

  /// The same in every pass of a loop, so asked once.
  const DiskBytes& traffic_of(const PlannedOperation& planned) {
    const auto [it, fresh] = traffic_.try_emplace(&planned);
    if (fresh) it->second = plan_.traffic(planned, world_.rank());
    return it->second;
  }

  Indexed at(const Operand& operand) {
    return indexed(store_.tensor(operand.array), label_text(plan_.formula, operand.labels));
  }

  void run_sum(const Operation& operation) {
    Expression sum;
    for (const Product& term : operation.terms) {
      Expression product(term.coefficient);
      for (const Operand& factor : term.factors) {
        const Expression operand = at(factor);
        product = product * (factor.conjugate ? conj(operand) : operand);
      }
      sum = sum + product;
    }
    const Indexed out = at(operation.out);
    if (operation.kind == Operation::Kind::assign)
      out = sum;
    else
      out += sum;
  }

  void invert(const Operation& operation) {
    // By modes: a label that stands twice would only mean the diagonal.
    AnyTensor& out = store_.tensor(operation.out.array);
    std::vector<int> modes(state_of(out).shape->extents().size());
    std::iota(modes.begin(), modes.end(), 0);
    indexed(out, mode_names(modes)) =
        Expression(indexed(store_.tensor(operation.terms[0].factors[0].array), mode_names(modes)));
    invert_elements(out);
  }

  void norm(const PlannedOperation& planned) {
    const int array = planned.operation->terms[0].factors[0].array;
    const double value = planned.blocks                                ? norm_blocked(planned.blocks->operation, store_)
                         : store_.home(array) == compile::Home::memory ? norm_of(store_.tensor(array))
                         : store_.is_on_disk(array)                    ? store_.disk(array).norm()
                                                                       : 0;
    std::visit([&]<class T>(Tensor<T>& scalar) { scalar.fill(static_cast<T>(value)); },
               store_.tensor(planned.operation->out.array));
  }

  std::complex<double> value(const Operation& operation) {
    return scalar_value(store_.tensor(operation.terms[0].factors[0].array));
  }

  // Values and norms are asked for by all ranks together, whoever wants to hear them.
  void print(const std::string& text, std::complex<double> value) const {
    if (options_.print) options_.print(text, value);
  }
  void tell(const notation::ProgramTensor& tensor, double norm) const {
    if (options_.output) options_.output(tensor, norm);
  }

  void finish() {
    const std::int64_t listening =
        world_.state().communicator.all_reduce(std::int64_t{options_.output ? 1 : 0}, comm::Operation::max);
    for (std::size_t a = 0; a < plan_.formula.arrays.size(); ++a) {
      const int array = static_cast<int>(a), number = plan_.formula.arrays[a].tensor;
      if (number < 0 || plan_.program.tensors[number].role != notation::Role::output) continue;
      const notation::ProgramTensor& tensor = plan_.program.tensors[number];
      if (plan_.homes[a] == compile::Home::memory) {
        if (!tensor.file.empty()) std::visit([&](const auto& t) { t.save(tensor.file); }, store_.tensor(array));
        if (listening > 0) tell(tensor, norm_of(store_.tensor(array)));
        continue;
      }
      if (!tensor.file.empty()) {
        if (!store_.is_on_disk(array)) {
          const compile::Cuts& cuts = plan_.final_tilings.at(array);
          store_.put(array, store_.new_disk(array, {*plan_.formula.arrays[a].shape, cuts}));
        }
        if (store_.disk(array).is_output())
          store_.disk(array).finish_output();
        else
          write_output(tensor, store_.disk(array), world_, store_.traffic_of_files());
      }
      if (listening > 0) tell(tensor, store_.is_on_disk(array) ? store_.disk(array).norm() : 0);
    }
  }

  const ProgramPlan& plan_;
  World world_;
  const RunOptions& options_;
  ArrayStore store_;
  Progress progress_;
  struct Taken {
    int times = 0;
    double seconds = 0;
  };
  std::map<const PlannedOperation*, Taken> taken_;
  std::map<const PlannedOperation*, DiskBytes> traffic_;
  DiskBytes predicted_;
  std::vector<ParallelDiskRecord> outcomes_;
};

}  // namespace

RunCounts run_program(const ProgramPlan& plan, const World& world, const RunOptions& options) {
  return ProgramRun(plan, world, options).run();
}

}  // namespace ricci::program
