#include "api/statement.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include <ricci/error.hpp>

#include "api/check_alike.hpp"
#include "api/sequence.hpp"
#include "api/tensor_state.hpp"
#include "api/whole_tensor.hpp"
#include "api/world_state.hpp"
#include "exec/overhead.hpp"
#include "exec/redistribute.hpp"
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

/// Of all its tensors on this rank, each once.
std::int64_t tensor_bytes(const StatementView& statement) {
  std::vector<const TensorState*> tensors;
  for_each_tensor(statement, [&](const Factor& factor) { tensors.push_back(factor.tensor.get()); });
  std::sort(tensors.begin(), tensors.end());
  tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
  std::int64_t bytes = 0;
  for (const TensorState* tensor : tensors) bytes += tensor->data.bytes();
  return bytes;
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

PreparedStatement::PreparedStatement(planning::LocalPlan plan)
    : whole_(std::make_unique<const exec::Executable>(std::move(plan))) {}

PreparedStatement::PreparedStatement(const StatementView& statement, planning::DistributedPlan plan) {
  const TensorState& output = *statement.output.tensor;
  WorldState& world = output.world.state();
  const int rank = output.world.rank();
  const std::size_t size = element_size(output.type);
  for (const planning::TensorMove& move : plan.moves) {
    const auto& shape = plan.local.slots[move.slot];
    const layout::Distribution before(shape, plan.before[move.slot]), after(shape, plan.layouts[move.slot]);
    auto moves = world.redistributions.find_or_make(before, after, rank, size);
    const auto bytes = [&](std::int64_t elements) { return elements * static_cast<std::int64_t>(size); };
    moves_.push_back({moves, bytes(before.local(rank).size()), bytes(after.local(rank).size()),
                      bytes(exec::Redistribute::buffer_elements(*moves)) + moves->table_bytes()});
  }
  std::set<const TensorState*> seen;
  std::size_t slot = 0;
  for_each_tensor(statement, [&](const Factor& factor) {
    const std::size_t here = slot++;
    if (!seen.insert(factor.tensor.get()).second || plan.before[here] == plan.layouts[here]) return;
    const auto elements = [&](const Layout& layout) {
      return layout::Distribution(plan.local.slots[here], layout).local(rank).size();
    };
    growth_ += (elements(plan.layouts[here]) - elements(plan.before[here])) * static_cast<std::int64_t>(size);
  });
  spread_ = std::make_unique<const exec::DistributedExecutable>(std::move(plan), rank);
}

const planning::LocalPlan& PreparedStatement::plan() const { return whole_ ? whole_->plan() : spread_->plan().local; }

Cost PreparedStatement::cost(const Options& options) const {
  if (whole_) {
    Cost cost = whole_->plan().cost;
    cost.peak_bytes = whole_->peak_bytes(thread_count(options));
    return cost;
  }
  Cost cost = spread_->cost(thread_count(options));
  cost.peak_bytes = std::max<std::int64_t>(0, cost.peak_bytes + growth_);
  const auto size = static_cast<std::int64_t>(element_size(plan().statement.type));
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    cost.network_bytes += moves_[i].moves->total_sent() * size;
    cost.received_bytes += moves_[i].moves->total_received() * size;
    cost.peak_bytes = std::max(cost.peak_bytes, moves_[i].after + moves_[i].staging);
    cost.seconds += spread_->plan().moves[i].cost.seconds;
  }
  return cost;
}

std::int64_t PreparedStatement::buffers() const {
  std::int64_t most = 0;
  for (const planning::SpreadNode& node : spread_->plan().nodes) most = std::max(most, node.spread.buffers);
  return most;
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

std::int64_t PreparedStatement::bytes_needed(const StatementView& statement, const Options& options) const {
  std::set<const TensorState*> seen;
  const int rank = statement.output.tensor->world.rank();
  const auto size = static_cast<std::int64_t>(element_size(plan().statement.type));
  std::int64_t held = 0;
  std::size_t slot = 0;
  for_each_tensor(statement, [&](const Factor& factor) {
    const std::size_t here = slot++;
    if (!seen.insert(factor.tensor.get()).second) return;
    held += whole_ ? factor.tensor->data.bytes()
                   : layout::Distribution(plan().slots[here], spread_->plan().before[here]).local(rank).size() * size;
  });
  const std::int64_t held_later = held + growth_;
  // An output that is only written changes its place first of all.
  std::int64_t needed = 0, moved = held_later;
  for (const Move& move : moves_) moved += move.before - move.after;
  for (const Move& move : moves_) {
    const std::int64_t here = moved + move.after + move.staging;
    needed = std::max(needed, here + exec::system_overhead(here));
    moved += move.after - move.before;
  }
  const std::int64_t nodes =
      whole_ ? whole_->peak_bytes(thread_count(options)) : spread_->cost(thread_count(options)).peak_bytes;
  needed = std::max({needed, held, held_later + nodes});
  return communicator_of(*statement.output.tensor).all_reduce(needed, comm::Operation::max);  // all decide alike
}

void PreparedStatement::check_memory(const StatementView& statement, const Options& options) const {
  if (options.memory_limit <= 0) return;
  const std::int64_t needed = bytes_needed(statement, options);
  if (needed <= options.memory_limit) return;
  throw ResourceError(
      fmt::format("the statement needs {} bytes for its tensors and buffers, but the memory limit is {} bytes; "
                  "allow at least {}",
                  needed, options.memory_limit, needed));
}

// What the pool keeps from earlier statements must not add to what this one was said to need. With a limit it may use
// up what is left of it. Small statements leave the pool alone: large ones between them would have to fault in all
// their memory again.
std::optional<std::int64_t> PreparedStatement::room_for_buffers(const StatementView& statement,
                                                                const Options& options) const {
  constexpr std::int64_t large = std::int64_t{32} << 20;
  const std::int64_t tensors = tensor_bytes(statement);
  if (options.memory_limit <= 0 && tensors < large) return std::nullopt;
  const std::int64_t all = options.memory_limit > 0 ? options.memory_limit : tensors + cost(options).peak_bytes;
  return exec::without_overhead(all) - tensors;
}

void PreparedStatement::check_ready(const StatementView& statement, const Options& options) const {
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
  check_memory(statement, options);
}

std::optional<Layout> PreparedStatement::wanted_elsewhere(std::size_t slot, const TensorState& state) const {
  if (whole_) {
    if (state.placement->is_whole()) return std::nullopt;
    return Layout::replicated(state.shape->order(), state.world.size());
  }
  const Layout& wanted = spread_->plan().layouts[slot];
  if (state.placement->distribution().is_as(wanted)) return std::nullopt;
  return wanted;
}

bool PreparedStatement::is_left_elsewhere(const TensorState& output) const {
  return spread_ && !output.placement->distribution().is_as(spread_->plan().output);
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
      world.pool.give(std::move(state.data));
      try {
        comm::together(communicator, [&] { state.data = world.pool.take(placement->size() * size); });
      } catch (...) {
        state.data = AlignedBuffer(old_bytes);  // what was just given away: the tensor is as large as before
        throw;
      }
      state.placement = std::move(placement);
      return;
    }
    const std::int64_t sent = communicator.traffic().bytes, received = communicator.bytes_received();
    const auto start = std::chrono::steady_clock::now();
    const layout::Distribution before = state.placement->distribution();
    MemoryMeter& meter = world.pool.meter();
    const std::int64_t live = meter.live();
    meter.restart();
    AlignedBuffer data = moved(state, *placement);
    std::swap(state.data, data);
    world.pool.give(std::move(data));
    state.placement = placement;
    if (!report) return;
    ReportLine line;
    std::ostringstream what;
    what << "move [" << factor.labels << "] to " << *wanted;
    line.what = what.str();
    const auto size = element_size(state.type);
    const auto moves = world.redistributions.find_or_make(before, placement->distribution(), state.world.rank(), size);
    line.predicted.network_bytes = moves->total_sent() * static_cast<std::int64_t>(size);
    line.predicted.received_bytes = moves->total_received() * static_cast<std::int64_t>(size);
    line.predicted.seconds =
        planning::move_cost(state.shape, before.layout(), *wanted, size, world.common_machine()).seconds;
    line.predicted.peak_bytes =
        (placement->size() + exec::Redistribute::buffer_elements(*moves)) * static_cast<std::int64_t>(size) +
        moves->table_bytes();
    line.measured = line.predicted;
    line.measured.peak_bytes = meter.peak() - live;
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
    std::swap(output.data, *made);
    world.pool.give(std::move(*made));
    output.placement = std::make_shared<const Placement>(output.shape, spread_->plan().output, output.world.rank());
  }
}

void run_now(const StatementView& statement) {
  check_not_empty(statement);
  check_alike(statement.output.tensor->world, [&](std::ostream& out) {
    out << Statement{statement.output, statement.kind, statement.right};
  });
  WorldState& world = statement.output.tensor->world.state();
  std::string key = cache_key(statement);
  const Options& options = world.options;
  if (options.rival > 0 || options.memory_limit > 0 || options.runs > 1 || options.strategy != Strategy::any ||
      !options.blocks.empty()) {
    key += fmt::format("{} {} {} {} {}", options.rival, options.memory_limit, options.runs,
                       static_cast<int>(options.strategy), options.blocks);
  }
  auto prepared = world.cache.find(key);
  check_worlds(statement);
  if (prepared) {
    check_types(statement);
  } else {
    prepared = prepare({statement}, world.options)[0];
    world.cache.insert(key, prepared);
  }
  prepared->check_ready(statement, world.options);
  prepared->run(statement, world.options, nullptr);
}

}  // namespace ricci::detail
