#pragma once
// Which loops the statements of a tree share: a fusion for every edge, and what lives on disk. From it the loops with
// their scopes follow, and from those the loop program.
#include <vector>

#include "fusion/fusion.hpp"
#include "fusion/loop_program.hpp"

namespace ricci::fusion {

/// How a node's array gets from its producer to its consumer. Section 4 calls the fusions f_w (produce and write), f_r
/// (read and consume) and f_c (produce and consume: both members are the same).
struct EdgeFusion {
  bool on_disk = false;
  LabelSet produce = 0;  // loops around the write, or around all of producer and consumer; none for a leaf
  LabelSet consume = 0;  // loops around the read; none for the root
  /// Of a contraction: its right operand is made before its left one, if both are made in its part.
  bool right_first = false;
  bool operator==(const EdgeFusion&) const = default;
};

/// One a node.
using LoopStructure = std::vector<EdgeFusion>;

struct LowerOptions {
  bool read_ahead = false;    // a second buffer for what is read inside of loops
  bool write_behind = false;  // a second buffer for what is written inside of loops
};

/// Whether scopes of loops that meet contain one another, and fusions have only loops that both sides have.
bool is_legal(const Tree& tree, const LoopStructure& structure);

/// Nodes whose arrays stay in memory make one nest with their consumers; each such part of a tree runs by itself, with
/// only disks between. The roots of the parts, in the order in which they run.
std::vector<int> part_roots(const Tree& tree, const LoopStructure& structure);

/// The program of one part; all tiles are 1.
struct LoweredPart {
  LoopProgram program;
  std::vector<int> nodes;  // by buffer: whose array it has
};

LoweredPart lower(const Forest& forest, const Tree& tree, const LoopStructure& structure, int part_root,
                  const LowerOptions& options);

/// "T1: memory <rs>", "T2: write <rs,b>, read <a>", a line for each array.
std::string to_string(const Forest& forest, const Tree& tree, const LoopStructure& structure);

}  // namespace ricci::fusion
