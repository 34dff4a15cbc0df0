#include "program/loop_groups.hpp"

#include <algorithm>

namespace ricci::program {

using compile::Operation;

namespace {

constexpr std::size_t most_operations = 12;  // the search takes ever longer
constexpr std::size_t most_labels = 60;      // of a set

}  // namespace

std::vector<LoopGroup> loop_groups(const ProgramPlan& plan, const std::vector<Operation>& operations,
                                   const std::function<bool(const Operation&)>& is_wanted) {
  std::vector<bool> may_vanish;
  for (const compile::Array& array : plan.formula.arrays) {
    may_vanish.push_back(array.is_intermediate() ||
                         plan.program.tensors[array.tensor].role == notation::Role::temporary);
  }
  std::vector<LoopGroup> groups;
  for (std::size_t i = operations.size(); i-- > 0;) {
    const Operation& operation = operations[i];
    if (group_with(groups, operation) != nullptr || !is_wanted(operation)) continue;
    if (!may_share_loops(plan.formula, operation, plan.homes)) continue;
    LoopGroup group{i, i, tree_below(plan.formula, operations, i, plan.homes, may_vanish)};
    group.first = static_cast<std::size_t>(group.tree.operations.front() - operations.data());
    if (group.tree.forest.labels.size() <= most_labels && group.tree.operations.size() <= most_operations)
      groups.push_back(std::move(group));
  }
  return groups;
}

LoopGroup* group_with(std::vector<LoopGroup>& groups, const Operation& operation) {
  for (LoopGroup& group : groups) {
    const auto& members = group.tree.operations;
    if (std::find(members.begin(), members.end(), &operation) != members.end()) return &group;
  }
  return nullptr;
}

LoopGroup* last_group_open(std::vector<LoopGroup>& groups, std::size_t at, int array) {
  LoopGroup* last = nullptr;
  for (LoopGroup& group : groups) {
    if (group.first < at && at < group.root && group.has(array) && (last == nullptr || group.root > last->root))
      last = &group;
  }
  return last;
}

}  // namespace ricci::program
