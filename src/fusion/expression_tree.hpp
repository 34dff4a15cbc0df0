#pragma once
// What is to be computed out of core: trees of binary contractions over arrays that may live on disk (seed 003, section
// 2). Values that print and compare; no data.
#include <cstdint>
#include <string>
#include <vector>

#include "plan/contraction_order.hpp"

namespace ricci::fusion {

using planning::LabelSet;  // bit l for label l

inline LabelSet bit(int label) { return LabelSet{1} << label; }
inline bool contains(LabelSet set, int label) { return (set >> label) & 1; }

struct Label {
  std::string name;
  std::int64_t extent = 1;
  bool operator==(const Label&) const = default;
};

/// Where an array may live. Inputs and results that may live anywhere are on disk.
enum class Home { anywhere, disk, memory };

struct Array {
  std::string name;
  std::int64_t bytes_per_element = 8;
  Home home = Home::anywhere;
  /// On disk all of it lies row by row, not block by block: blocks that have their last modes whole are read in longer
  /// runs.
  bool in_rows = false;
  bool operator==(const Array&) const = default;
};

/// An array under labels: an input, the product of two operands or the sum of one, over every label that it lacks.
struct Node {
  int array = -1;           // into Forest::arrays
  std::vector<int> labels;  // one a mode, into Forest::labels; no label twice
  int left = -1, right = -1;
  bool is_leaf() const { return left < 0; }
  bool operator==(const Node&) const = default;
};

/// Nodes in post-order: operands before what is made of them, the root last, each but the root used once.
struct Tree {
  std::vector<Node> nodes;
  int root() const { return static_cast<int>(nodes.size()) - 1; }
  bool operator==(const Tree&) const = default;
};

/// Trees in the order of their evaluation. The root of one may be a leaf of later ones.
struct Forest {
  std::vector<Label> labels;
  std::vector<Array> arrays;
  std::vector<Tree> trees;
  bool operator==(const Forest&) const = default;
};

LabelSet set_of(const std::vector<int>& labels);

/// The loops of the contraction that makes a node.
LabelSet loops_of(const Tree& tree, int node);

/// The node that uses a node, or -1 for the root.
std::vector<int> parents(const Tree& tree);

/// The one place that knows how many elements an array has on disk: all of them.
std::int64_t size_in_elements(const std::vector<Label>& table, const std::vector<int>& labels);

double size_in_bytes(const Forest& forest, const Node& node);

bool on_disk(const Forest& forest, const Node& leaf_or_root);

/// InputError where a forest is none.
void check(const Forest& forest);

/// "T[i,j] = A[i,k] * B[k,j]", a line for each contraction.
std::string to_string(const Forest& forest);

/// "A[i,k]"
std::string to_string(const Forest& forest, const Node& node);

}  // namespace ricci::fusion
