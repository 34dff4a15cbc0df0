#include "fusion/expression_tree.hpp"

#include <bit>
#include <optional>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "util/checked.hpp"

namespace ricci::fusion {

LabelSet set_of(const std::vector<int>& labels) {
  LabelSet set = 0;
  for (const int label : labels) set |= bit(label);
  return set;
}

LabelSet loops_of(const Tree& tree, int node) {
  const Node& made = tree.nodes[static_cast<std::size_t>(node)];
  LabelSet loops = set_of(made.labels);
  for (const int child : {made.left, made.right}) {
    if (child >= 0) loops |= set_of(tree.nodes[static_cast<std::size_t>(child)].labels);
  }
  return loops;
}

std::vector<int> parents(const Tree& tree) {
  std::vector<int> result(tree.nodes.size(), -1);
  for (int v = 0; v <= tree.root(); ++v) {
    const Node& node = tree.nodes[static_cast<std::size_t>(v)];
    for (const int child : {node.left, node.right}) {
      if (child >= 0) result[static_cast<std::size_t>(child)] = v;
    }
  }
  return result;
}

std::int64_t size_in_elements(const std::vector<Label>& table, const std::vector<int>& labels) {
  std::int64_t product = 1;
  for (const int label : labels) product *= table[static_cast<std::size_t>(label)].extent;
  return product;
}

double size_in_bytes(const Forest& forest, const Node& node) {
  const Array& array = forest.arrays[static_cast<std::size_t>(node.array)];
  return static_cast<double>(size_in_elements(forest.labels, node.labels) * array.bytes_per_element);
}

bool on_disk(const Forest& forest, const Node& leaf_or_root) {
  return forest.arrays[static_cast<std::size_t>(leaf_or_root.array)].home != Home::memory;
}

namespace {

void check_node(const Forest& forest, const Tree& tree, int v, std::vector<int>& uses) {
  const Node& node = tree.nodes[static_cast<std::size_t>(v)];
  if (node.array < 0 || node.array >= static_cast<int>(forest.arrays.size())) {
    throw InputError(
        fmt::format("node {} names array {}, but there are {} arrays", v, node.array, forest.arrays.size()));
  }
  const std::string& name = forest.arrays[static_cast<std::size_t>(node.array)].name;
  for (const int label : node.labels) {
    if (label < 0 || label >= static_cast<int>(forest.labels.size())) {
      throw InputError(fmt::format("{} has label {}, but there are {} labels", name, label, forest.labels.size()));
    }
  }
  if (std::popcount(set_of(node.labels)) != static_cast<int>(node.labels.size())) {
    throw InputError(fmt::format("{} has a label twice; take its diagonal first", to_string(forest, node)));
  }
  LabelSet operands = 0;
  for (const int child : {node.left, node.right}) {
    if (child < 0) continue;
    if (child >= v || ++uses[static_cast<std::size_t>(child)] > 1) {
      throw InputError(fmt::format("{} uses node {}, which is not an unused node before it", name, child));
    }
    operands |= set_of(tree.nodes[static_cast<std::size_t>(child)].labels);
  }
  if (node.is_leaf() && node.right >= 0)
    throw InputError(fmt::format("{} has a second operand and no first one", name));
  if (!node.is_leaf() && (set_of(node.labels) & ~operands)) {
    throw InputError(fmt::format("{} has a label that none of its operands has", to_string(forest, node)));
  }
}

/// Every use of an array has the extents of its first one.
void check_extents(const Forest& forest, const Node& first, const Node& node) {
  bool alike = first.labels.size() == node.labels.size();
  for (std::size_t m = 0; alike && m < node.labels.size(); ++m) {
    alike = forest.labels[static_cast<std::size_t>(first.labels[m])].extent ==
            forest.labels[static_cast<std::size_t>(node.labels[m])].extent;
  }
  if (!alike) {
    throw InputError(fmt::format("{} and {} are one array with different extents", to_string(forest, first),
                                 to_string(forest, node)));
  }
}

/// Bytes of an array are counted in 64 bits.
void check_size(const Forest& forest, const Node& node) {
  std::optional<std::int64_t> bytes = forest.arrays[static_cast<std::size_t>(node.array)].bytes_per_element;
  for (const int label : node.labels) {
    if (bytes) bytes = checked_multiply(*bytes, forest.labels[static_cast<std::size_t>(label)].extent);
  }
  if (!bytes) throw InputError(fmt::format("{} has more bytes than 64 bits can count", to_string(forest, node)));
}

void check_tree(const Forest& forest, const Tree& tree, std::vector<const Node*>& first_use) {
  if (tree.nodes.empty() || tree.nodes.back().is_leaf()) {
    throw InputError("a tree computes nothing: its last node is an input");
  }
  if (tree.nodes.size() > 64) {
    throw InputError(fmt::format("a tree has {} nodes; at most 64 are planned together", tree.nodes.size()));
  }
  std::vector<int> uses(tree.nodes.size(), 0);
  for (int v = 0; v <= tree.root(); ++v) {
    check_node(forest, tree, v, uses);
    const Node& node = tree.nodes[static_cast<std::size_t>(v)];
    const Node*& first = first_use[static_cast<std::size_t>(node.array)];
    if (first != nullptr && !node.is_leaf()) {
      throw InputError(fmt::format("{} is computed after it has been used or computed", to_string(forest, node)));
    }
    if (first == nullptr) first = &node;
    check_extents(forest, *first, node);
    check_size(forest, node);
  }
  for (int v = 0; v < tree.root(); ++v) {
    if (uses[static_cast<std::size_t>(v)] == 0) {
      throw InputError(
          fmt::format("{} is computed and never used", to_string(forest, tree.nodes[static_cast<std::size_t>(v)])));
    }
  }
}

}  // namespace

void check(const Forest& forest) {
  if (forest.labels.size() > 63) {
    throw InputError(fmt::format("{} labels; at most 63 go into one forest", forest.labels.size()));
  }
  for (const Label& label : forest.labels) {
    if (label.extent < 1) {
      throw InputError(fmt::format("label {} has extent {}; at least 1 is needed", label.name, label.extent));
    }
  }
  std::vector<const Node*> first_use(forest.arrays.size(), nullptr);
  for (const Tree& tree : forest.trees) check_tree(forest, tree, first_use);
}

std::string to_string(const Forest& forest, const Node& node) {
  std::vector<std::string> names;
  for (const int label : node.labels) names.push_back(forest.labels[static_cast<std::size_t>(label)].name);
  return fmt::format("{}[{}]", forest.arrays[static_cast<std::size_t>(node.array)].name, fmt::join(names, ","));
}

std::string to_string(const Forest& forest) {
  std::string text;
  for (const Tree& tree : forest.trees) {
    for (const Node& node : tree.nodes) {
      if (node.is_leaf()) continue;
      text += to_string(forest, node) + " = " + to_string(forest, tree.nodes[static_cast<std::size_t>(node.left)]);
      if (node.right >= 0) text += " * " + to_string(forest, tree.nodes[static_cast<std::size_t>(node.right)]);
      text += '\n';
    }
  }
  return text;
}

}  // namespace ricci::fusion
