#pragma once
// Operations of a program whose loops are shared: a tree of contractions, the loop program that computes it out of
// core, and what that has to do with the arrays of the formula. Decided before anything runs; prints as its loop
// program.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ricci/machine.hpp>

#include "compile/choose_tiles.hpp"
#include "compile/formula.hpp"
#include "fusion/out_of_core_plan.hpp"
#include "program/block_table.hpp"

namespace ricci::program {

/// A tree of contractions as src/fusion plans it (seed 003, section 2), taken from operations of a formula.
struct FusedTree {
  fusion::Forest forest;    // of one tree
  std::vector<int> arrays;  // [array of the forest]: of the formula
  /// [array of the forest]: how an array that is computed follows from its operands.
  struct Making {
    double coefficient = 1;
    bool conjugate_a = false, conjugate_b = false;
  };
  std::vector<Making> making;
  std::vector<const compile::Operation*> operations;  // in the order of the formula, the root's last
  bool adds = false;                                  // to what the root holds; else it is overwritten

  const compile::Operation& root() const { return *operations.back(); }
};

struct FusedNest {
  FusedTree tree;
  fusion::LoopPlan plan;
  std::map<int, compile::Cuts> cuts;  // [array of the formula]: of those that are written to disk
  std::int64_t ahead_bytes = 0;       // of one rank: blocks that are read before they are wanted or written afterwards
  std::int64_t peak_bytes = 0;        // of one rank, those included, arrays that stay in memory not
  double disk_seconds = 0, compute_seconds = 0, seconds = 0;
};

/// What a rank may use, and how fast it is.
struct NestBudget {
  std::int64_t bytes = 0;  // of one rank, besides arrays that stay in memory
  int ranks = 1;
  bool threaded = false;                           // several threads a rank
  std::int64_t bytes_a_block = bytes_of_table(1);  // of tables, for every block of an array on disk
};

/// The best loops, or none where nothing keeps to the budget. Intermediates of the tree live wherever the loops want
/// them.
std::unique_ptr<const FusedNest> plan_nest(const FusedTree& tree, const NestBudget& budget,
                                           const MachineModel& machine);

/// Whether the loops of an operation can be shared at all: a product of two arrays with a sum, that writes an array
/// without symmetry; every label once in each of them; what it reads from disk has no symmetry.
bool may_share_loops(const compile::Formula& formula, const compile::Operation& operation,
                     const std::vector<compile::Home>& homes);

/// The tree below the operation `root` of a list: operations before it whose results nobody else reads, and whose
/// operands do not change in between, are joined to it if their results would go to disk. `may_vanish`: by array of the
/// formula, whether nobody asks for it after the program.
FusedTree tree_below(const compile::Formula& formula, const std::vector<compile::Operation>& list, std::size_t root,
                     const std::vector<compile::Home>& homes, const std::vector<bool>& may_vanish);

std::string to_string(const FusedNest& nest);

}  // namespace ricci::program
