#include "api/statement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include <ricci/error.hpp>

#include "api/check_alike.hpp"
#include "api/memory_need.hpp"
#include "api/sequence.hpp"
#include "api/tensor_state.hpp"
#include "api/whole_tensor.hpp"
#include "api/world_state.hpp"
#include "exec/overhead.hpp"
#include "notation/bound_statement.hpp"
#include "plan/json.hpp"

namespace ricci::detail {

namespace {

/// Tensors of different groups of ranks have nothing to do with each other.
void check_worlds(const StatementView& statement) {
  const TensorState& output = *statement.output.tensor;
  const auto check = [&](const Factor& factor) {
    if (communicator_of(*factor.tensor).same_ranks(communicator_of(output))) return;
    throw InputError(
        fmt::format("the tensor with the labels \"{}\" belongs to another world than the output (\"{}\"); use tensors "
                    "of one world in a statement",
                    factor.labels, statement.output.labels));
  };
  for_each_tensor(statement, check);
}

void check_types(const StatementView& statement) {
  const ElementType type = statement.output.tensor->type;
  int number = 0;
  for (const Term& term : statement.right.terms()) {
    for (const Factor& factor : term.factors) {
      ++number;
      if (factor.tensor->type == type) continue;
      throw InputError(
          fmt::format("operand {} (\"{}\") holds {}, but the output (\"{}\") holds {}; use one element type in a "
                      "statement",
                      number, factor.labels, name_of(factor.tensor->type), statement.output.labels, name_of(type)));
    }
    if (!is_complex(type) && term.coefficient.imag() != 0) {
      throw InputError(
          fmt::format("the coefficient ({}, {}) is complex, but the output (\"{}\") holds {}; use a complex tensor "
                      "or a real coefficient",
                      term.coefficient.real(), term.coefficient.imag(), statement.output.labels, name_of(type)));
    }
  }
}

/// [slot]: whether an earlier one has the same tensor.
std::vector<bool> repeated_slots(const StatementView& statement) {
  std::set<const TensorState*> seen;
  std::vector<bool> repeated;
  for_each_tensor(statement,
                  [&](const Factor& factor) { repeated.push_back(!seen.insert(factor.tensor.get()).second); });
  return repeated;
}

notation::WrittenStatement written(const StatementView& statement) {
  const auto tensor = [&](const Factor& factor) -> notation::WrittenTensor {
    return {factor.tensor->shape, factor.labels, factor.conjugate, factor.tensor == statement.output.tensor};
  };
  notation::WrittenStatement result;
  result.type = statement.output.tensor->type;
  result.output = tensor(statement.output);
  result.overwrite = statement.kind == Statement::Kind::assign;
  for (const Term& term : statement.right.terms()) {
    auto& factors = result.terms.emplace_back();
    for (const Factor& factor : term.factors) factors.push_back(tensor(factor));
  }
  return result;
}

}  // namespace

int thread_count(const Options& options) {
  if (omp_in_parallel()) return 1;  // the caller's threads are at work already
  return options.threads > 0 ? options.threads : omp_get_max_threads();
}

void check_not_empty(const StatementView& statement) {
  const auto check = [](const Factor& factor) {
    if (factor.tensor && factor.tensor->shape) return;
    throw InputError(
        fmt::format("the tensor with the labels \"{}\" is empty: it was moved from after the expression was made; "
                    "make the expression again",
                    factor.labels));
  };
  for_each_tensor(statement, check);
}

planning::LocalPlan plan_locally(const StatementView& statement, const Options& options) {
  check_not_empty(statement);
  check_worlds(statement);
  check_types(statement);
  const MachineModel& machine = statement.output.tensor->world.state().machine;
  return planning::plan_statement(notation::bind(written(statement)), machine, options);
}

std::string cache_key(const StatementView& statement) {
  std::string key;
  key.reserve(256);
  std::vector<const TensorState*> seen;
  const auto add = [&](const Factor& factor) {
    // Which factors are one tensor matters, for that is moved as one.
    const auto known = std::find(seen.begin(), seen.end(), factor.tensor.get());
    key += static_cast<char>('a' + (known - seen.begin()));
    if (known == seen.end()) seen.push_back(factor.tensor.get());
    key += factor.tensor->stays ? '!' : '~';
    key += factor.tensor->fingerprint;
    key += factor.tensor->placement->fingerprint();
    key += factor.labels;
    key += factor.conjugate ? '\2' : '\1';
  };
  key += static_cast<char>('0' + static_cast<int>(statement.output.tensor->type));
  key += statement.kind == Statement::Kind::assign ? '=' : '+';
  add(statement.output);
  for (const Term& term : statement.right.terms()) {
    key += '\3';
    for (const Factor& factor : term.factors) add(factor);
  }
  return key;
}

bool of_one_world(const StatementView& one, const StatementView& other) {
  return communicator_of(*one.output.tensor).same_ranks(communicator_of(*other.output.tensor));
}

PreparedStatement::PreparedStatement(const StatementView& statement, planning::LocalPlan plan, kernels::Blocks blocks)
    : whole_(std::make_unique<const exec::Executable>(std::move(plan), blocks)),
      world_(statement.output.tensor->world.state()),
      repeated_(repeated_slots(statement)) {
  for_each_tensor(statement, [&](const Factor& factor) {
    wanted_.push_back(Layout::replicated(factor.tensor->shape->order(), world_.communicator.size()));
  });
  before_ = wanted_;
  left_ = wanted_[0];
  moves_ = moves_from(before_);
}

PreparedStatement::PreparedStatement(const StatementView& statement, planning::DistributedPlan plan)
    : spread_(
          std::make_unique<const exec::DistributedExecutable>(std::move(plan), statement.output.tensor->world.rank())),
      world_(statement.output.tensor->world.state()),
      repeated_(repeated_slots(statement)),
      before_(spread_->plan().before),
      wanted_(spread_->plan().layouts),
      left_(spread_->plan().output) {
  moves_ = moves_from(before_);
}

const planning::LocalPlan& PreparedStatement::plan() const { return whole_ ? whole_->plan() : spread_->plan().local; }

exec::MovesNeed PreparedStatement::moves_from(const std::vector<Layout>& before) const {
  std::vector<exec::MovedTensor> tensors;
  for (std::size_t slot = 0; slot < before.size(); ++slot) {
    if (repeated_[slot]) continue;
    const bool is_exchanged = slot == 0 && planning::output_is_only_written(plan());
    tensors.push_back({plan().slots[slot], before[slot], wanted_[slot], is_exchanged});
  }
  return exec::need_of_moves(tensors, element_size(plan().statement.type), world_.communicator.rank(),
                             world_.redistributions);
}

std::int64_t PreparedStatement::peak_of_nodes(const Options& options) const {
  return whole_ ? whole_->peak_bytes(thread_count(options)) : spread_->cost(thread_count(options)).peak_bytes;
}

std::int64_t PreparedStatement::bytes_needed(const std::vector<Layout>& before, const Options& options) const {
  const exec::MovesNeed moves = before == before_ ? moves_ : moves_from(before);
  const std::int64_t most = std::max(moves.most, moves.after + peak_of_nodes(options));
  return most + exec::process_overhead(most, world_.communicator.size());
}

Cost PreparedStatement::cost(const Options& options) const {
  Cost cost = whole_ ? whole_->plan().cost : spread_->cost(thread_count(options));
  cost.peak_bytes = bytes_needed(before_, options) - moves_.before;
  cost.network_bytes += moves_.sent;
  cost.received_bytes += moves_.received;
  cost.seconds = seconds(1);
  return cost;
}

double PreparedStatement::seconds(int runs) const {
  if (whole_) return runs * whole_->plan().cost.seconds;
  double seconds = runs * spread_->plan().seconds();
  for (const planning::TensorMove& move : spread_->plan().moves) seconds += move.cost.seconds;
  return seconds;
}

std::int64_t PreparedStatement::buffers() const {
  std::int64_t most = 0;
  if (whole_) return most;
  for (const planning::SpreadNode& node : spread_->plan().nodes) most = std::max(most, node.spread.buffers);
  return most;
}

std::int64_t PreparedStatement::bytes_kept() const {
  constexpr std::int64_t plan = std::int64_t{16} << 10;  // the plan itself: nodes, layouts, kernels
  return plan + (spread_ ? spread_->table_bytes() : 0);
}

nlohmann::ordered_json PreparedStatement::json() const {
  return whole_ ? planning::to_json(whole_->plan()) : planning::to_json(spread_->plan());
}

void PreparedStatement::print(std::ostream& out) const {
  if (whole_) {
    out << whole_->plan();
  } else {
    out << spread_->plan();
  }
}

// What the pool keeps from earlier statements must not add to what this one was said to need. With a limit it may use
// up a quarter of what is left of it: what cannot be counted to the byte, gaps of the heap above all, has to go
// somewhere. Small statements leave the pool alone: large ones between them would have to fault in all their memory
// again.
std::optional<std::int64_t> PreparedStatement::room_for_buffers(const StatementView& statement,
                                                                const Options& options) const {
  constexpr std::int64_t large = std::int64_t{32} << 20;
  const int ranks = world_.communicator.size();
  const std::int64_t tables = spread_ ? spread_->table_bytes() : 0;  // not of the pool, and there all the time
  if (options.memory_limit > 0) {
    const std::int64_t room = exec::without_overhead(options.memory_limit, ranks) - tables - world_.tensors.live();
    const std::int64_t own = std::max(moves_.most, moves_.after + peak_of_nodes(options)) - moves_.before - tables;
    return own < room ? own + (room - own) / 4 : room;
  }
  const std::int64_t tensors = bytes_of_tensors(statement);
  if (tensors < large) return std::nullopt;
  return exec::without_overhead(tensors + cost(options).peak_bytes, ranks) - tables - tensors;
}

void PreparedStatement::check_ready(const StatementView& statement) const {
  check_not_empty(statement);
  std::size_t slot = 0;
  for_each_tensor(statement, [&](const Factor& factor) {
    const TensorState& state = *factor.tensor;
    const auto& planned = plan().slots[slot];
    const char* const changed =
        state.shape != planned && !(*state.shape == *planned) ? "other extents or symmetry"
        : state.stays && (wanted_elsewhere(slot, state) || (slot == 0 && is_left_elsewhere(state))) ? "another layout"
                                                                                                    : nullptr;
    ++slot;
    if (!changed) return;
    throw InputError(fmt::format("the tensor with the labels \"{}\" has {} than when the plan was made; plan again",
                                 factor.labels, changed));
  });
}

std::optional<Layout> PreparedStatement::wanted_elsewhere(std::size_t slot, const TensorState& state) const {
  if (whole_ ? state.placement->is_whole() : state.placement->distribution().is_as(wanted_[slot])) return std::nullopt;
  return wanted_[slot];
}

bool PreparedStatement::is_left_elsewhere(const TensorState& output) const {
  return spread_ && !output.placement->distribution().is_as(left_);
}

bool PreparedStatement::bring_tensors(const StatementView& statement, Report* report) const {
  const comm::Communicator& communicator = communicator_of(*statement.output.tensor);
  std::size_t slot = 0;
  bool any = false;
  for_each_tensor(statement, [&](const Factor& factor) {
    const std::size_t here = slot++;
    TensorState& state = *factor.tensor;
    WorldState& world = state.world.state();
    const std::optional<Layout> wanted = wanted_elsewhere(here, state);
    if (!wanted) return;
    any = true;
    auto placement = std::make_shared<const Placement>(state.shape, *wanted, state.world.rank());
    if (here == 0 && planning::output_is_only_written(plan())) {
      const std::int64_t size = static_cast<std::int64_t>(element_size(state.type)), old_bytes = state.data.bytes();
      world.pool.give(std::exchange(state.data, {}));
      AlignedBuffer data;
      try {
        comm::together(communicator, [&] { data = world.pool.take(placement->size() * size); });
      } catch (...) {
        state.data = AlignedBuffer(old_bytes, &world.tensors);  // as large as before
        throw;
      }
      replace_data(state, std::move(data), std::move(placement));
      return;
    }
    const std::int64_t sent = communicator.traffic().bytes, received = communicator.bytes_received();
    const auto start = std::chrono::steady_clock::now();
    const Layout before = state.placement->distribution().layout();
    MemoryMeter& meter = world.pool.meter();
    const std::int64_t live = meter.live();
    meter.restart();
    AlignedBuffer data = moved(state, *placement);
    const std::int64_t peak = meter.peak() - live;
    replace_data(state, std::move(data), std::move(placement));
    if (!report) return;
    ReportLine line;
    std::ostringstream what;
    what << "move [" << factor.labels << "] to " << *wanted;
    line.what = what.str();
    const auto size = element_size(state.type);
    const exec::MovesNeed need =
        exec::need_of_moves({{state.shape, before, *wanted}}, size, state.world.rank(), world.redistributions);
    line.predicted.network_bytes = need.sent;
    line.predicted.received_bytes = need.received;
    line.predicted.seconds = planning::move_cost(state.shape, before, *wanted, size, world.common_machine()).seconds;
    line.predicted.peak_bytes = need.most - need.before;
    line.measured = line.predicted;
    line.measured.peak_bytes = peak;
    line.measured.network_bytes = communicator.traffic().bytes - sent;
    line.measured.received_bytes = communicator.bytes_received() - received;
    line.measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report->lines.push_back(std::move(line));
  });
  return any;
}

void PreparedStatement::run(const StatementView& statement, const Options& options, Report* report) const {
  WorldState& world = statement.output.tensor->world.state();
  std::optional<BufferPool::Room> room;
  const auto set_room = [&] {
    room.reset();
    if (const auto bytes = room_for_buffers(statement, options)) room.emplace(world.pool, *bytes);
  };
  set_room();
  if (bring_tensors(statement, report)) set_room();
  std::vector<std::complex<double>> coefficients;
  std::vector<const void*> factors;
  for (const Term& term : statement.right.terms()) {
    coefficients.push_back(statement.kind == Statement::Kind::subtract ? -term.coefficient : term.coefficient);
    for (const Factor& factor : term.factors) factors.push_back(factor.tensor->data.data());
  }
  TensorState& output = *statement.output.tensor;
  const exec::Binding binding{output.data.data(), factors.data(), coefficients.data(), thread_count(options),
                              world.pool};
  if (whole_) {
    whole_->run(binding, report);
  } else {
    auto made = spread_->run({world.communicator, world.pool, world.redistributions}, binding, report);
    if (!made) return;
    replace_data(output, std::move(*made), std::make_shared<const Placement>(output.shape, left_, output.world.rank()));
  }
}

namespace {

/// How much a statement may take, in steps of an eighth: with about as much it gets the same plan again, whatever other
/// tensors come and go. Collective.
int class_of_room(const StatementView& statement, const Options& options) {
  const std::int64_t others =
      communicator_of(*statement.output.tensor).all_reduce(bytes_of_others(statement), comm::Operation::max);
  const auto room = static_cast<double>(std::max<std::int64_t>(1, options.memory_limit - others));
  return static_cast<int>(std::log2(room) * 8);
}

/// What statements have to leave to the plans of others, which are kept: up to a quarter of the limit, then they are
/// dropped. In steps, so that statements find their plans again while more of them come.
std::int64_t room_for_plans(WorldState& world) {
  const std::int64_t limit = world.options.memory_limit, step = std::max<std::int64_t>(1, limit / 64);
  if (world.cache.bytes() > limit / 4) world.cache.clear();
  return world.cache.bytes() / step * step;
}

}  // namespace

void run_now(const StatementView& statement) {
  check_not_empty(statement);
  check_alike(statement.output.tensor->world, [&](std::ostream& out) {
    out << Statement{statement.output, statement.kind, statement.right};
  });
  WorldState& world = statement.output.tensor->world.state();
  std::string key = cache_key(statement);
  Options options = world.options;
  if (options.rival > 0 || options.runs > 1 || options.strategy != Strategy::any || !options.blocks.empty()) {
    key += fmt::format("{} {} {} {}", options.rival, options.runs, static_cast<int>(options.strategy), options.blocks);
  }
  if (options.memory_limit > 0) {
    options.memory_limit -= room_for_plans(world);
    key += fmt::format(" in {}", class_of_room(statement, options));
  }
  auto [prepared, kept] = world.cache.find(key);
  check_worlds(statement);
  const bool was_known = prepared != nullptr;
  if (was_known) check_types(statement);
  const auto fits = [&] {  // its own tables are among what is kept, and counted in what it needs
    return options.memory_limit <= 0 ||
           bytes_needed({statement}, {prepared}, options, 1)[0] <= options.memory_limit + kept;
  };
  if (!was_known || !fits()) {
    try {
      prepared = prepare({statement}, options)[0];
    } catch (const ResourceError&) {
      if (options.memory_limit == world.options.memory_limit) throw;
      world.cache.clear();  // rather plan the others again than refuse this one
      options.memory_limit = world.options.memory_limit;
      prepared = prepare({statement}, options)[0];
    }
    std::int64_t bytes = 0;
    if (options.memory_limit > 0) bytes = world.communicator.all_reduce(prepared->bytes_kept(), comm::Operation::max);
    world.cache.insert(key, prepared, bytes);
  }
  prepared->check_ready(statement);
  prepared->run(statement, options, nullptr);
}

}  // namespace ricci::detail
