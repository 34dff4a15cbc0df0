// From fusions to a loop program. Every statement goes inside of exactly the loops whose scope it is in, so reads and
// writes are as far out as their fusion says; loops go in order of their scopes.
#include <algorithm>

#include "fusion/loop_scopes.hpp"

namespace ricci::fusion {

namespace {

/// A statement and the loops around it that are still to be opened, outermost first.
struct Item {
  Statement statement;
  std::vector<int> loops;
};

class Lowering {
 public:
  Lowering(const Forest& forest, const Tree& tree, const LoopStructure& structure, const LowerOptions& options)
      : tree_(tree),
        structure_(structure),
        options_(options),
        scopes_(loop_scopes(tree, structure)),
        loop_number_(scopes_.loops.size(), -1) {
    program_.labels = forest.labels;
    program_.arrays = forest.arrays;
  }

  LoweredPart run(int part_root) {
    add_node(part_root);
    program_.body = nested(std::move(items_), 0);
    return {std::move(program_), std::move(nodes_)};
  }

 private:
  std::size_t count() const { return tree_.nodes.size(); }
  const Node& node(int v) const { return tree_.nodes[static_cast<std::size_t>(v)]; }
  const EdgeFusion& fusion(int v) const { return structure_[static_cast<std::size_t>(v)]; }

  /// Statements of a node, after those of its operands in this part. Reads come last, so that they do not wait in
  /// memory while operands are made. Returns the buffer of its array.
  int add_node(int v) {
    const Node& made = node(v);
    int operand[2] = {-1, -1};
    const int children[2] = {made.left, made.right};
    for (const int c : {fusion(v).right_first ? 1 : 0, fusion(v).right_first ? 0 : 1}) {
      if (children[c] >= 0 && !is_outside(children[c])) operand[c] = add_node(children[c]);
    }
    for (int c = 0; c < 2; ++c) {
      if (children[c] >= 0 && is_outside(children[c])) operand[c] = add_operand(children[c]);
    }
    return add_contraction(v, operand[0], operand[1]);
  }

  /// Whether an operand comes from elsewhere: an input, or made by another part.
  bool is_outside(int v) const { return node(v).is_leaf() || fusion(v).on_disk; }

  int add_operand(int v) {
    if (!fusion(v).on_disk) return add_buffer(v, {}, false, true);
    const std::vector<int> around = loops_at(count() + static_cast<std::size_t>(v));
    const int buffer = add_buffer(v, around, options_.read_ahead && !around.empty(), false);
    items_.push_back({{Read{buffer, {}}}, around});
    return buffer;
  }

  int add_contraction(int v, int a, int b) {
    const bool writes = fusion(v).on_disk;
    const std::vector<int> around = loops_at(static_cast<std::size_t>(v));
    std::vector<int> kept;  // the loops around the life of the result
    for (const int loop : around) {
      if (contains(fusion(v).produce, program_.loops[static_cast<std::size_t>(loop)].label)) kept.push_back(loop);
    }
    const LabelSet own = set_of(node(v).labels);
    const auto is_sum = [&](int loop) { return !contains(own, program_.loops[static_cast<std::size_t>(loop)].label); };
    std::vector<int> partial;  // sums over these end up on disk before they are complete
    std::copy_if(kept.begin(), kept.end(), std::back_inserter(partial), is_sum);
    const bool doubled =
        writes && !kept.empty() && (options_.write_behind || (options_.read_ahead && !partial.empty()));
    const int out = add_buffer(v, kept, doubled, !writes && v == tree_.root());
    const bool sums = std::count_if(around.begin(), around.end(), is_sum) > static_cast<std::ptrdiff_t>(partial.size());
    if (!partial.empty()) {
      items_.push_back({{Read{out, partial}}, kept});
    } else if (sums) {
      items_.push_back({{Clear{out}}, kept});
    }
    items_.push_back({{Contract{out, a, b, sums || !partial.empty()}}, around});
    if (writes) items_.push_back({{Write{out}}, kept});
    return out;
  }

  /// Loops around a point by their number in the program.
  std::vector<int> loops_at(std::size_t point) {
    std::vector<int> result;
    for (const int l : scopes_.around[point]) {
      int& number = loop_number_[static_cast<std::size_t>(l)];
      if (number < 0) {
        number = static_cast<int>(program_.loops.size());
        program_.loops.push_back({scopes_.loops[static_cast<std::size_t>(l)].label, 1});
      }
      result.push_back(number);
    }
    return result;
  }

  int add_buffer(int v, const std::vector<int>& around, bool doubled, bool resident) {
    Buffer buffer{node(v).array, node(v).labels, {}, doubled, resident};
    for (const int label : buffer.labels) {
      const auto found = std::find_if(around.begin(), around.end(), [&](int loop) {
        return program_.loops[static_cast<std::size_t>(loop)].label == label;
      });
      buffer.loops.push_back(found == around.end() ? -1 : *found);
    }
    if (resident) {  // one buffer, however often it is used
      for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
        if (program_.buffers[b] == buffer) return static_cast<int>(b);
      }
    }
    program_.buffers.push_back(buffer);
    nodes_.push_back(v);
    return static_cast<int>(program_.buffers.size()) - 1;
  }

  /// Items with the same outermost loop go into it together, where the last of them stands: by then all that they need
  /// from outside has been made.
  std::vector<Statement> nested(std::vector<Item> items, std::size_t depth) {
    std::vector<Statement> body;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].loops.size() <= depth) {
        body.push_back(std::move(items[i].statement));
        continue;
      }
      const int loop = items[i].loops[depth];
      const auto in_loop = [&](const Item& item) { return item.loops.size() > depth && item.loops[depth] == loop; };
      if (std::any_of(items.begin() + static_cast<std::ptrdiff_t>(i) + 1, items.end(), in_loop)) continue;
      std::vector<Item> inner;
      for (std::size_t j = 0; j <= i; ++j) {
        if (in_loop(items[j])) inner.push_back(items[j]);
      }
      body.push_back({Loop{loop, nested(std::move(inner), depth + 1)}});
    }
    return body;
  }

  const Tree& tree_;
  const LoopStructure& structure_;
  const LowerOptions& options_;
  LoopScopes scopes_;
  std::vector<int> loop_number_;  // in the program, by loop of the scopes
  LoopProgram program_;
  std::vector<int> nodes_;
  std::vector<Item> items_;
};

}  // namespace

LoweredPart lower(const Forest& forest, const Tree& tree, const LoopStructure& structure, int part_root,
                  const LowerOptions& options) {
  return Lowering(forest, tree, structure, options).run(part_root);
}

}  // namespace ricci::fusion
