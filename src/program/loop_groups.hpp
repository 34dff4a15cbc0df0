#pragma once
// Which operations of a program could share loops.
#include <algorithm>
#include <functional>
#include <vector>

#include "program/program_plan.hpp"

namespace ricci::program {

/// Operations that would share their loops with a later one, the root, wait for it.
struct LoopGroup {
  std::size_t first = 0, root = 0;  // places in the list
  FusedTree tree;
  std::vector<const compile::Operation*> releases = {};  // of its arrays, that come before the root
  bool has(int array) const { return std::find(tree.arrays.begin(), tree.arrays.end(), array) != tree.arrays.end(); }
};

/// `is_wanted`: whether an operation may be a root.
std::vector<LoopGroup> loop_groups(const ProgramPlan& plan, const std::vector<compile::Operation>& operations,
                                   const std::function<bool(const compile::Operation&)>& is_wanted);

/// The group that an operation belongs to, or null.
LoopGroup* group_with(std::vector<LoopGroup>& groups, const compile::Operation& operation);

/// The last one whose root is still to come at this place of the list, though the array was needed before; or null.
LoopGroup* last_group_open(std::vector<LoopGroup>& groups, std::size_t at, int array);

}  // namespace ricci::program
