#include "api/statement.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include <ricci/error.hpp>

#include "api/check_alike.hpp"
#include "api/planned_once.hpp"
#include "api/tensor_state.hpp"
#include "api/whole_tensor.hpp"
#include "api/world_state.hpp"
#include "notation/bound_statement.hpp"
#include "plan/forced_blocks.hpp"
#include "plan/json.hpp"

namespace ricci::detail {

namespace {

/// The output, then the factors of all terms in order.
template <class F>
void for_each_tensor(const StatementView& statement, F f) {
  f(statement.output);
  for (const Term& term : statement.right.terms()) {
    for (const Factor& factor : term.factors) f(factor);
  }
}

/// Expressions outlive moves: the tensor that one refers to may have given its contents away.
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

bool all_whole(const StatementView& statement) {
  bool all = true;
  for_each_tensor(statement, [&](const Factor& factor) { all = all && factor.tensor->placement->is_whole(); });
  return all;
}

/// A plan is for the shapes and layouts that the tensors had when it was made.
void check_unchanged(const planning::LocalPlan& plan, const std::vector<Layout>* layouts,
                     const StatementView& statement) {
  std::size_t slot = 0;
  const auto check = [&](const Factor& factor) {
    const auto& planned = plan.slots[slot];
    const char* const changed =
        factor.tensor->shape != planned && !(*factor.tensor->shape == *planned) ? "other extents or symmetry"
        : layouts && !(factor.tensor->placement->distribution().layout() == (*layouts)[slot]) ? "another layout"
                                                                                              : nullptr;
    ++slot;
    if (!changed) return;
    throw InputError(fmt::format("the tensor with the labels \"{}\" has {} than when the plan was made; plan again",
                                 factor.labels, changed));
  };
  for_each_tensor(statement, check);
}

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

std::string cache_key(const StatementView& statement) {
  std::string key;
  key.reserve(256);
  const auto add = [&](const Factor& factor) {
    key += factor.tensor->fingerprint;
    key += factor.tensor->placement->fingerprint();
    key += factor.labels;
    key += factor.conjugate ? '\2' : '\1';
    key += factor.tensor == statement.output.tensor ? '\2' : '\1';
  };
  key += static_cast<char>('0' + static_cast<int>(statement.output.tensor->type));
  key += statement.kind == Statement::Kind::assign ? '=' : '+';
  key += statement.output.tensor->stays ? '!' : '~';
  add(statement.output);
  for (const Term& term : statement.right.terms()) {
    key += '\3';
    for (const Factor& factor : term.factors) add(factor);
  }
  return key;
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

PreparedStatement::PreparedStatement(const StatementView& statement, const Options& options, Output after) {
  check_not_empty(statement);
  check_worlds(statement);
  check_types(statement);
  const World& world = statement.output.tensor->world;
  const MachineModel& machine = world.state().machine;
  planning::LocalPlan local = planning::plan_statement(notation::bind(written(statement)), machine, options);
  if (all_whole(statement)) {
    whole_ = std::make_unique<const exec::Executable>(std::move(local));
    check_memory(statement, options);
  } else {
    plan_spread(local, statement, options, after);
  }
}

// With a memory limit, leaner and leaner plans are tried until one fits on every rank; the leanest comes last, so that
// what it needs is what a message can promise.
void PreparedStatement::plan_spread(const planning::LocalPlan& local, const StatementView& statement,
                                    const Options& options, Output after) {
  const TensorState& output = *statement.output.tensor;
  const bool stays = output.stays || after == Output::stays;
  std::vector<Layout> layouts;
  for_each_tensor(statement,
                  [&](const Factor& factor) { layouts.push_back(factor.tensor->placement->distribution().layout()); });
  const MachineModel& machine = output.world.state().common_machine();
  const auto blocks = planning::parse_blocks(options.blocks, local.statement, output.world.size());
  const auto try_goal = [&](std::int64_t most_buffers, int rival) {
    const planning::SpreadGoal goal{most_buffers, rival, options.strategy, blocks};
    const std::string key =
        fmt::format("{} {} {} {} {} {} {}", output.world.size(), stays, goal.most_buffers, goal.rival,
                    static_cast<int>(goal.strategy), options.blocks, cache_key(statement));
    planning::DistributedPlan plan = planned_once(
        key, [&] { return planning::plan_distributed(local, layouts, stays, output.world.size(), machine, goal); });
    spread_ = std::make_unique<const exec::DistributedExecutable>(std::move(plan), output.world.rank());
  };
  try_goal(-1, options.rival);
  if (options.memory_limit <= 0 || bytes_needed(statement, options) <= options.memory_limit) return;
  const std::int64_t size = static_cast<std::int64_t>(element_size(output.type));
  for (std::int64_t part : {3, 2, 1, 0}) {
    try_goal(options.memory_limit / size * part / 4, 0);
    if (bytes_needed(statement, options) <= options.memory_limit) return;
  }
  check_memory(statement, options);
}

const planning::LocalPlan& PreparedStatement::plan() const { return whole_ ? whole_->plan() : spread_->plan().local; }

Cost PreparedStatement::cost(const Options& options) const {
  if (spread_) return spread_->cost(thread_count(options));
  Cost cost = whole_->plan().cost;
  cost.peak_bytes = whole_->peak_bytes(thread_count(options));
  return cost;
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
  std::vector<const TensorState*> tensors;
  for_each_tensor(statement, [&](const Factor& factor) { tensors.push_back(factor.tensor.get()); });
  std::sort(tensors.begin(), tensors.end());
  tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
  std::int64_t needed = cost(options).peak_bytes;
  for (const TensorState* tensor : tensors) needed += tensor->data.bytes();
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

void PreparedStatement::check_ready(const StatementView& statement, const Options& options) const {
  check_not_empty(statement);
  if (whole_ && !all_whole(statement)) {
    throw InputError("a tensor has another layout than when the plan was made; plan again");
  }
  check_unchanged(plan(), spread_ ? &spread_->plan().layouts : nullptr, statement);
  check_memory(statement, options);
}

void PreparedStatement::run(const StatementView& statement, const Options& options, Report* report) const {
  check_ready(statement, options);
  std::vector<std::complex<double>> coefficients;
  std::vector<const void*> factors;
  for (const Term& term : statement.right.terms()) {
    coefficients.push_back(statement.kind == Statement::Kind::subtract ? -term.coefficient : term.coefficient);
    for (const Factor& factor : term.factors) factors.push_back(factor.tensor->data.data());
  }
  TensorState& output = *statement.output.tensor;
  const exec::Binding binding{output.data.data(), factors.data(), coefficients.data(), thread_count(options)};
  if (whole_) {
    whole_->run(binding, report);
  } else {
    WorldState& world = output.world.state();
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
  if (options.rival > 0 || options.memory_limit > 0 || options.strategy != Strategy::any || !options.blocks.empty()) {
    key += fmt::format("{} {} {} {}", options.rival, options.memory_limit, static_cast<int>(options.strategy),
                       options.blocks);
  }
  auto prepared = world.cache.find(key);
  check_worlds(statement);
  if (prepared) {
    check_types(statement);
  } else {
    prepared =
        std::make_shared<const PreparedStatement>(statement, world.options, PreparedStatement::Output::left_where_made);
    world.cache.insert(key, prepared);
  }
  prepared->run(statement, world.options, nullptr);
}

}  // namespace ricci::detail
