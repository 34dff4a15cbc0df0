#include "program/statement_seconds.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "layout/distribution.hpp"
#include "plan/sequence.hpp"
#include "program/any_tensor.hpp"
#include "program/handling.hpp"

namespace ricci::program {

using compile::Box;
using compile::Home;
using compile::Operand;
using notation::WrittenStatement;
using notation::WrittenTensor;
using symmetry::Shape;

namespace {

/// Finding a plan that is there, and starting its kernels: measured.
constexpr double call_seconds = 8e-6;
/// Finding one that is not there, on one rank and on several.
constexpr double planning_seconds = 1e-4, spreading_seconds = 1e-3;
/// Moving elements of blocks that have just been made: no cache holds them.
constexpr double cold = 2.5;
/// Ranks agree on every statement, and exchange what they need.
constexpr double messages_a_statement = 12;

std::string key_of(const WrittenStatement& statement) {
  std::string key = statement.overwrite ? "=" : "+";
  key += static_cast<char>('0' + static_cast<int>(statement.type));
  const auto add = [&](const WrittenTensor& tensor) {
    key += tensor.labels;
    key += tensor.conjugate ? "*" : tensor.is_output ? "!" : "|";
    for (std::int64_t extent : tensor.shape->extents()) key += std::to_string(extent) + ',';
    for (const SymmetryGroup& group : tensor.shape->symmetry().groups()) {
      key += static_cast<char>('A' + static_cast<int>(group.kind));
      for (int mode : group.modes) key += static_cast<char>('a' + mode);
    }
  };
  add(statement.output);
  for (const auto& term : statement.terms) {
    key += '/';
    for (const WrittenTensor& factor : term) add(factor);
  }
  return key;
}

/// What all blocks of an operand have in common that are alike to a planner: sizes, and where tiles of a group are one.
std::vector<std::int64_t> kind_of(const Shape& shape, const Box& box) {
  std::vector<std::int64_t> kind;
  for (std::size_t m = 0; m < box.lo.size(); ++m) kind.push_back(box.hi[m] - box.lo[m]);
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    for (std::size_t x = 1; x < group.modes.size(); ++x) {
      for (std::size_t y = 0; y < x; ++y) kind.push_back(box.lo[group.modes[x]] == box.lo[group.modes[y]] ? 1 : 0);
    }
  }
  return kind;
}

struct KindOfStep {
  compile::BlockStep step;  // the first of its kind
  double times = 0;
};

/// What is done block by block, all that is alike to a planner once.
std::map<std::vector<std::int64_t>, KindOfStep> kinds_of_steps(const compile::Formula& formula,
                                                               const compile::BlockedOperation& operation) {
  std::map<std::vector<std::int64_t>, KindOfStep> kinds;
  compile::BlockWalk walk(formula, operation);
  compile::BlockStep step;
  while (walk.next(step)) {
    if (step.kind == compile::BlockStep::Kind::end) continue;
    std::vector<std::int64_t> key{step.kind == compile::BlockStep::Kind::begin ? -1 : step.term};
    const auto add = [&](const Operand& operand) {
      const auto part = kind_of(*formula.arrays[operand.array].shape, box_of(formula, operation, operand, step.tiles));
      key.insert(key.end(), part.begin(), part.end());
    };
    add(operation.out);
    if (step.kind == compile::BlockStep::Kind::multiply) {
      for (const Operand& factor : operation.terms[step.term].product.factors) add(factor);
    }
    KindOfStep& kind = kinds[std::move(key)];
    if (kind.times++ == 0) kind.step = step;
  }
  return kinds;
}

/// With the symmetry that is left where tiles of a group are one.
std::shared_ptr<const Shape> shape_of_block(const Shape& shape, const Box& box) {
  Extents extents;
  for (std::size_t m = 0; m < box.lo.size(); ++m) extents.push_back(box.hi[m] - box.lo[m]);
  Symmetry left;
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    std::map<std::int64_t, std::vector<int>> by_tile;
    for (int mode : group.modes) by_tile[box.lo[mode]].push_back(mode);
    for (const auto& [lo, modes] : by_tile) {
      if (modes.size() > 1) left = left * Symmetry(group.kind, modes);
    }
  }
  return std::make_shared<const Shape>(std::move(extents), std::move(left));
}

bool is_whole(const Shape& shape, const Box& box) {
  return box.hi == shape.extents() &&
         std::all_of(box.lo.begin(), box.lo.end(), [](std::int64_t lo) { return lo == 0; });
}

/// What a statement is written with, which refers to texts that somebody has to keep.
class Writer {
 public:
  explicit Writer(const compile::Formula& formula) : formula_(formula) {}

  WrittenTensor tensor(const Operand& operand, std::shared_ptr<const Shape> shape) {
    texts_.push_back(std::make_unique<std::string>(label_text(formula_, operand.labels)));
    return {std::move(shape), *texts_.back(), operand.conjugate, false};
  }

 private:
  const compile::Formula& formula_;
  std::vector<std::unique_ptr<std::string>> texts_;
};

}  // namespace

const StatementSeconds::Seconds& StatementSeconds::seconds(const WrittenStatement& statement) {
  const auto [entry, is_new] = known_.try_emplace(key_of(statement));
  if (is_new) entry->second = plan(statement);
  return entry->second;
}

StatementSeconds::Seconds StatementSeconds::plan(const WrittenStatement& statement) const {
  planning::Sequence sequence;
  sequence.ranks = ranks_;
  planning::LocalPlan local = planning::plan_statement(notation::bind(statement), machine_, options_);
  const double alone = local.cost.seconds;
  const double multiplying =
      local.cost.flops / (options_.threads == 1 ? machine_.gemm_flops : machine_.gemm_flops_threads);
  const double packing = alone - multiplying;
  if (ranks_ == 1) return {multiplying, packing + call_seconds};
  planning::SequenceStatement planned{std::move(local), {}};
  for (const notation::ShapePointer& shape : planned.local.slots) {
    const auto number = static_cast<int>(planned.tensors.size());
    if (number == planned.local.first_temporary) break;
    sequence.tensors.push_back({shape, layout::default_layout(*shape, ranks_), false});
    planned.tensors.push_back(number);
  }
  sequence.statements.push_back(std::move(planned));
  sequence.goals.push_back({.closely = false});  // the best few are near enough to each other
  const auto plans = planning::plan_sequence(sequence, machine_);
  const double together = plans[0] ? plans[0]->seconds() + packing / ranks_ : alone;
  const double overhead = call_seconds + messages_a_statement * machine_.network_latency;
  return {multiplying / ranks_, together + overhead - multiplying / ranks_};
}

double StatementSeconds::at_once(const compile::Formula& formula, const compile::Operation& operation, double times) {
  using Kind = compile::Operation::Kind;
  if (operation.kind != Kind::assign && operation.kind != Kind::add) return 0;
  Writer writer(formula);
  const auto whole = [&](const Operand& operand) {
    WrittenTensor tensor = writer.tensor(operand, formula.arrays[operand.array].shape);
    tensor.is_output = operand.array == operation.out.array;
    return tensor;
  };
  WrittenStatement statement{
      formula.arrays[operation.out.array].type, whole(operation.out), operation.kind == Kind::assign, {}};
  for (const compile::Product& term : operation.terms) {
    auto& factors = statement.terms.emplace_back();
    for (const Operand& factor : term.factors) factors.push_back(whole(factor));
  }
  return times * seconds(statement).all() + (ranks_ == 1 ? planning_seconds : spreading_seconds);
}

double StatementSeconds::in_blocks(const compile::Formula& formula, const compile::BlockedOperation& operation,
                                   const std::vector<Home>& homes) {
  const auto box = [&](const Operand& operand, const std::vector<std::int64_t>& tiles) {
    return box_of(formula, operation, operand, tiles);
  };
  const auto shape = [&](const Operand& operand) -> const Shape& { return *formula.arrays[operand.array].shape; };
  const auto bytes = [&](const Operand& operand, const Shape& block) {
    return static_cast<double>(block.stored_size()) / ranks_ *
           static_cast<double>(element_size(formula.arrays[operand.array].type));
  };
  const auto made = [&](const Operand& operand, const Shape& block) {
    const bool is_packed = !shape(operand).symmetry().groups().empty();
    return partition(machine_, is_packed) * bytes(operand, block);
  };
  const double planned = ranks_ == 1 ? planning_seconds : spreading_seconds;
  double total = 0;
  for (const auto& [key, kind] : kinds_of_steps(formula, operation)) {
    Writer writer(formula);
    const auto out = shape_of_block(shape(operation.out), box(operation.out, kind.step.tiles));
    if (kind.step.kind == compile::BlockStep::Kind::begin) {
      // Cleared, filled, and packed into what it becomes a part of.
      total += kind.times * (made(operation.out, *out) + call_seconds +
                             (ranks_ > 1 ? messages_a_statement * machine_.network_latency : 0));
      continue;
    }
    WrittenStatement product{formula.arrays[operation.out.array].type, writer.tensor(operation.out, out), false, {{}}};
    double parts = 0;
    for (const Operand& factor : operation.terms[kind.step.term].product.factors) {
      const Box where = box(factor, kind.step.tiles);
      auto block = shape_of_block(shape(factor), where);
      if (homes[factor.array] == Home::memory && !is_whole(shape(factor), where)) parts += made(factor, *block);
      product.terms[0].push_back(writer.tensor(factor, std::move(block)));
    }
    const Seconds& one = seconds(product);
    total += kind.times * (one.multiplying + cold * one.moving + parts) + planned;
  }
  return total;
}

}  // namespace ricci::program
