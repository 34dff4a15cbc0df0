#include "program/find_direct_outputs.hpp"

#include <algorithm>

#include "program/direct_output.hpp"

namespace ricci::program {

using compile::Operand;
using compile::Operation;

namespace {

/// Norms of arrays on disk are known without reading them.
bool is_read(const std::vector<Operation>& operations, int array) {
  return std::any_of(operations.begin(), operations.end(), [&](const Operation& operation) {
    const bool here = std::any_of(operation.terms.begin(), operation.terms.end(), [&](const compile::Product& term) {
      return std::any_of(term.factors.begin(), term.factors.end(),
                         [&](const Operand& factor) { return factor.array == array; });
    });
    return (here && operation.kind != Operation::Kind::norm) || is_read(operation.body, array);
  });
}

int times_written(const std::vector<Operation>& operations, int array) {
  int times = 0;
  for (const Operation& operation : operations)
    times += (operation.writes() && operation.out.array == array ? 1 : 0) + times_written(operation.body, array);
  return times;
}

/// Partial sums are read back.
bool reads_back(const std::vector<fusion::Statement>& body) {
  return std::any_of(body.begin(), body.end(), [](const fusion::Statement& statement) {
    if (const auto* loop = std::get_if<fusion::Loop>(&statement.what)) return reads_back(loop->body);
    const auto* read = std::get_if<fusion::Read>(&statement.what);
    return read != nullptr && !read->unless_first.empty();
  });
}

/// Each block once, when it is complete.
bool writes_once(const PlannedOperation& planned) {
  if (planned.operation->kind != Operation::Kind::assign || planned.parallel_disk) return false;
  if (planned.loops) return !planned.loops->tree.adds && !reads_back(planned.loops->plan.program.body);
  return planned.blocks.has_value();
}

}  // namespace

std::set<int> direct_outputs(const ProgramPlan& plan) {
  std::set<int> result;
  for (const PlannedOperation& planned : plan.operations) {
    if (!planned.operation->writes() || !writes_once(planned)) continue;
    const int array = planned.operation->out.array, tensor = plan.formula.arrays[array].tensor;
    if (tensor < 0 || plan.homes[array] != compile::Home::disk) continue;
    if (!may_go_to_file(plan.program.tensors[tensor], plan.ranks)) continue;
    if (times_written(plan.formula.operations, array) == 1 && !is_read(plan.formula.operations, array))
      result.insert(array);
  }
  return result;
}

}  // namespace ricci::program
