#include "api/statement.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <omp.h>

#include <ricci/error.hpp>

#include "api/check_alike.hpp"
#include "api/tensor_state.hpp"
#include "api/whole_operands.hpp"
#include "api/world_state.hpp"
#include "notation/bound_statement.hpp"

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

/// A plan is for the shapes that the tensors had when it was made.
void check_shapes(const exec::Executable& executable, const StatementView& statement) {
  std::size_t slot = 0;
  const auto check = [&](const Factor& factor) {
    const auto& planned = executable.plan().slots[slot++];
    if (factor.tensor->shape == planned || *factor.tensor->shape == *planned) return;
    throw InputError(
        fmt::format("the tensor with the labels \"{}\" has other extents or symmetry than when the plan was made; plan "
                    "again",
                    factor.labels));
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
    key += factor.labels;
    key += factor.conjugate ? '\2' : '\1';
    key += factor.tensor == statement.output.tensor ? '\2' : '\1';
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

void check_memory(const exec::Executable& executable, const StatementView& statement, const Options& options) {
  if (options.memory_limit <= 0) return;
  std::vector<const TensorState*> tensors{statement.output.tensor.get()};
  for (const Term& term : statement.right.terms()) {
    for (const Factor& factor : term.factors) tensors.push_back(factor.tensor.get());
  }
  std::sort(tensors.begin(), tensors.end());
  tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
  std::int64_t needed = executable.peak_bytes(thread_count(options));
  for (const TensorState* tensor : tensors) {
    // Of the fullest rank, so that all ranks decide alike.
    const std::int64_t size = static_cast<std::int64_t>(element_size(tensor->type));
    needed += tensor->placement->distribution().largest_size() * size;
    if (tensor->placement->is_whole()) continue;
    needed += tensor->shape->stored_size() * size;  // its copy
  }
  if (needed <= options.memory_limit) return;
  throw ResourceError(
      fmt::format("the statement needs {} bytes for its tensors and buffers, but the memory limit is {} bytes; "
                  "allow at least {}",
                  needed, options.memory_limit, needed));
}

std::shared_ptr<const exec::Executable> prepare(const StatementView& statement, const Options& options) {
  check_not_empty(statement);
  check_worlds(statement);
  check_types(statement);
  return std::make_shared<const exec::Executable>(planning::plan_statement(
      notation::bind(written(statement)), statement.output.tensor->world.state().machine, options));
}

void check_ready(const exec::Executable& executable, const StatementView& statement, const Options& options) {
  check_not_empty(statement);
  check_shapes(executable, statement);
  check_memory(executable, statement, options);
}

void run_prepared(const exec::Executable& executable, const StatementView& statement, const Options& options,
                  Report* report) {
  check_ready(executable, statement, options);
  std::vector<std::complex<double>> coefficients;
  for (const Term& term : statement.right.terms()) {
    coefficients.push_back(statement.kind == Statement::Kind::subtract ? -term.coefficient : term.coefficient);
  }
  const auto run = [&](auto data_of) {
    std::vector<const void*> factors;
    for (const Term& term : statement.right.terms()) {
      for (const Factor& factor : term.factors) factors.push_back(data_of(*factor.tensor));
    }
    executable.run({data_of(*statement.output.tensor), factors.data(), coefficients.data(), thread_count(options)},
                   report);
  };
  if (all_whole(statement)) {
    run([](const TensorState& state) { return state.data.data(); });
    return;
  }
  const WholeOperands operands(statement, report);
  run([&](const TensorState& state) { return operands.data(state); });
  operands.store_output();
}

void run_now(const StatementView& statement) {
  check_not_empty(statement);
  check_alike(statement.output.tensor->world, [&](std::ostream& out) {
    out << Statement{statement.output, statement.kind, statement.right};
  });
  WorldState& world = statement.output.tensor->world.state();
  const std::string key = cache_key(statement);
  auto executable = world.cache.find(key);
  check_worlds(statement);
  if (executable) {
    check_types(statement);
  } else {
    executable = prepare(statement, world.options);
    world.cache.insert(key, executable);
  }
  run_prepared(*executable, statement, world.options, nullptr);
}

}  // namespace ricci::detail
