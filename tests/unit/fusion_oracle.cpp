#include "fusion_oracle.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ricci::fusion::oracle {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

int pick(std::mt19937& random, int below) { return std::uniform_int_distribution<int>(0, below - 1)(random); }

/// Calls f for every combination of values of some labels within [begin, end).
template <class F>
void for_each_point(const std::vector<int>& labels, const std::vector<std::int64_t>& begin,
                    const std::vector<std::int64_t>& end, F&& f) {
  std::vector<std::int64_t> point = begin;
  for (;;) {
    f(point);
    std::size_t i = labels.size();
    while (i > 0 && ++point[at(labels[i - 1])] == end[at(labels[i - 1])]) {
      point[at(labels[i - 1])] = begin[at(labels[i - 1])];
      --i;
    }
    if (i == 0) return;
  }
}

std::vector<int> union_of(std::initializer_list<const std::vector<int>*> lists) {
  std::vector<int> all;
  for (const auto* list : lists) {
    for (const int label : *list) {
      if (std::find(all.begin(), all.end(), label) == all.end()) all.push_back(label);
    }
  }
  return all;
}

}  // namespace

Forest four_index(std::int64_t a, std::int64_t p) {
  Forest forest;
  for (const char* name : {"a", "b", "c", "d"}) forest.labels.push_back({name, a});
  for (const char* name : {"p", "q", "r", "s"}) forest.labels.push_back({name, p});
  for (const char* name : {"A", "C4", "T1", "C3", "T2", "C2", "T3", "C1", "B"}) forest.arrays.push_back({name});
  forest.trees = {{{{0, {4, 5, 6, 7}},
                    {1, {4, 0}},
                    {2, {0, 5, 6, 7}, 0, 1},
                    {3, {5, 1}},
                    {4, {0, 1, 6, 7}, 2, 3},
                    {5, {6, 2}},
                    {6, {0, 1, 2, 7}, 4, 5},
                    {7, {7, 3}},
                    {8, {0, 1, 2, 3}, 6, 7}}}};
  return forest;
}

Forest matmul(std::int64_t i, std::int64_t j, std::int64_t k) {
  Forest forest;
  forest.labels = {{"i", i}, {"j", j}, {"k", k}};
  for (const char* name : {"A", "B", "C"}) forest.arrays.push_back({name});
  forest.trees = {{{{0, {0, 2}}, {1, {2, 1}}, {2, {0, 1}, 0, 1}}}};
  return forest;
}

Forest pair_example(std::int64_t extent) {
  Forest forest;
  for (const char* name : {"i", "j", "k", "l"}) forest.labels.push_back({name, extent});
  for (const char* name : {"B", "C", "t", "A", "D"}) forest.arrays.push_back({name});
  forest.trees = {{{{0, {2, 3}}, {1, {1, 3}}, {2, {2, 1}, 0, 1}, {3, {0, 2}}, {4, {0, 1}, 2, 3}}}};
  return forest;
}

Forest random_forest(std::mt19937& random, int contractions, std::int64_t longest) {
  Forest forest;
  const int labels = 2 + pick(random, 4);
  for (int l = 0; l < labels; ++l) {
    forest.labels.push_back({std::string(1, static_cast<char>('i' + l)), 1 + pick(random, static_cast<int>(longest))});
  }
  Tree tree;
  std::vector<int> loose;  // nodes that nothing uses yet
  const auto add_leaf = [&] {
    Node leaf{static_cast<int>(forest.arrays.size()), {}};
    for (int l = 0; l < labels; ++l) {
      if (pick(random, 2)) leaf.labels.push_back(l);
    }
    std::shuffle(leaf.labels.begin(), leaf.labels.end(), random);
    forest.arrays.push_back(
        {"A" + std::to_string(leaf.array), pick(random, 4) ? 8 : 4, pick(random, 6) ? Home::anywhere : Home::memory});
    tree.nodes.push_back(leaf);
    return tree.root();
  };
  const auto take = [&] {
    if (loose.empty() || pick(random, 3) == 0) return add_leaf();
    const int taken = loose.back();
    loose.pop_back();
    return taken;
  };
  for (int c = 0; c < contractions; ++c) {
    const bool last = c + 1 == contractions;
    const int left = take();
    int right = last && loose.empty() && pick(random, 5) == 0 ? -1 : take();
    Node made{static_cast<int>(forest.arrays.size()), {}, left, right};
    const std::vector<int> none;
    for (const int l : union_of({&tree.nodes[at(left)].labels, right < 0 ? &none : &tree.nodes[at(right)].labels})) {
      if (pick(random, 3)) made.labels.push_back(l);
    }
    forest.arrays.push_back({"T" + std::to_string(made.array)});
    if (last && pick(random, 6) == 0) forest.arrays.back().home = Home::memory;
    tree.nodes.push_back(made);
    loose.push_back(tree.root());
  }
  while (loose.size() > 1) {  // products of what is left
    const int right = loose.back();
    loose.pop_back();
    const int left = loose.back();
    loose.pop_back();
    Node made{static_cast<int>(forest.arrays.size()), tree.nodes[at(left)].labels, left, right};
    forest.arrays.push_back({"T" + std::to_string(made.array)});
    tree.nodes.push_back(made);
    loose.push_back(tree.root());
  }
  forest.trees = {tree};
  return forest;
}

LoopStructure random_structure(std::mt19937& random, const Forest& forest, const Tree& tree) {
  const std::vector<int> parent = parents(tree);
  const auto subset = [&](LabelSet set) {
    const LabelSet some = std::uniform_int_distribution<LabelSet>()(random);
    return pick(random, 4) ? set & some : set;
  };
  LoopStructure structure(tree.nodes.size());
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    const Node& node = tree.nodes[v];
    const bool outside = node.is_leaf() || parent[v] < 0;
    structure[v].right_first = pick(random, 2);
    structure[v].on_disk = outside ? forest.arrays[at(node.array)].home != Home::memory : pick(random, 3) == 0;
  }
  for (int tries = 0; tries < 20; ++tries) {  // edge by edge, keeping what is legal
    const std::size_t v = at(pick(random, static_cast<int>(tree.nodes.size())));
    const EdgeFusion before = structure[v];
    if (before.on_disk) {
      if (!tree.nodes[v].is_leaf()) structure[v].produce = subset(loops_of(tree, static_cast<int>(v)));
      if (parent[v] >= 0) structure[v].consume = subset(loops_of(tree, parent[v]));
    } else if (!tree.nodes[v].is_leaf() && parent[v] >= 0) {
      structure[v].produce = structure[v].consume = subset(set_of(tree.nodes[v].labels));
    }
    if (!is_legal(tree, structure)) structure[v] = before;
  }
  return structure;
}

std::map<int, Values> random_inputs(std::mt19937& random, const Forest& forest) {
  std::map<int, Values> inputs;
  for (const Tree& tree : forest.trees) {
    for (const Node& node : tree.nodes) {
      if (!node.is_leaf() || inputs.count(node.array)) continue;
      std::size_t size = 1;
      for (const int l : node.labels) size *= static_cast<std::size_t>(forest.labels[at(l)].extent);
      Values& values = inputs[node.array];
      for (std::size_t i = 0; i < size; ++i) values.push_back(pick(random, 7) - 3);
    }
  }
  return inputs;
}

namespace {

std::size_t place(const std::vector<int>& labels, const std::vector<std::int64_t>& point,
                  const std::vector<std::int64_t>& begin, const std::vector<std::int64_t>& size) {
  std::int64_t position = 0;
  for (const int l : labels) position = position * size[at(l)] + point[at(l)] - begin[at(l)];
  return static_cast<std::size_t>(position);
}

}  // namespace

std::map<int, Values> evaluate(const Forest& forest, std::map<int, Values> arrays) {
  std::vector<std::int64_t> extents, zero(forest.labels.size(), 0);
  for (const Label& label : forest.labels) extents.push_back(label.extent);
  for (const Tree& tree : forest.trees) {
    for (const Node& node : tree.nodes) {
      if (node.is_leaf()) continue;
      const Node& left = tree.nodes[at(node.left)];
      const Node* right = node.right < 0 ? nullptr : &tree.nodes[at(node.right)];
      const std::vector<int> none;
      Values& out = arrays[node.array];
      std::size_t size = 1;
      for (const int l : node.labels) size *= static_cast<std::size_t>(extents[at(l)]);
      out.assign(size, 0.0);
      for_each_point(union_of({&left.labels, right ? &right->labels : &none}), zero, extents, [&](const auto& point) {
        double product = arrays[left.array][place(left.labels, point, zero, extents)];
        if (right) product *= arrays[right->array][place(right->labels, point, zero, extents)];
        out[place(node.labels, point, zero, extents)] += product;
      });
    }
  }
  return arrays;
}

namespace {

/// A block in memory and the time of its uses.
struct Block {
  std::vector<std::int64_t> begin;  // by label
  std::vector<std::int64_t> size;   // by label, as allocated
  Values values;
  std::int64_t bytes = 0;
  std::size_t first_use = 0, last_use = 0;
};

class Interpreter {
 public:
  Interpreter(const LoopProgram& program, const std::map<int, Values>& inputs)
      : program_(program), current_(program.buffers.size(), -1) {
    run_.arrays = inputs;
    run_.traffic.resize(program.arrays.size());
    for (const Label& label : program.labels) {
      begin_.push_back(0);
      end_.push_back(label.extent);
    }
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
      if (program.buffers[b].resident) resident_array(program.buffers[b]);
    }
  }

  Run run() {
    execute(program_.body);
    for (std::size_t t = 0; t < time_; ++t) {
      std::int64_t bytes = resident_;
      for (const Block& block : blocks_) bytes += block.first_use <= t && t <= block.last_use ? block.bytes : 0;
      run_.peak_bytes = std::max(run_.peak_bytes, bytes);
    }
    return run_;
  }

 private:
  void resident_array(const Buffer& buffer) {
    std::size_t size = 1;
    for (const int l : buffer.labels) size *= static_cast<std::size_t>(program_.labels[at(l)].extent);
    run_.arrays.emplace(buffer.array, Values(size, std::numeric_limits<double>::quiet_NaN()));
    if (!counted_[buffer.array])
      resident_ += static_cast<std::int64_t>(size) * program_.arrays[at(buffer.array)].bytes_per_element;
    counted_[buffer.array] = true;
  }

  void execute(const std::vector<Statement>& body) {
    for (const Statement& statement : body) {
      if (const auto* loop = std::get_if<Loop>(&statement.what)) {
        turn(*loop);
        continue;
      }
      if (const auto* clear = std::get_if<Clear>(&statement.what)) fill_zero(clear->buffer);
      if (const auto* read = std::get_if<Read>(&statement.what)) do_read(*read);
      if (const auto* write = std::get_if<Write>(&statement.what)) do_write(*write);
      if (const auto* contract = std::get_if<Contract>(&statement.what)) do_contract(*contract);
      ++time_;
    }
  }

  void turn(const Loop& loop) {
    const TileLoop& l = program_.loops[at(loop.loop)];
    const std::int64_t extent = program_.labels[at(l.label)].extent, begin = begin_[at(l.label)],
                       end = end_[at(l.label)];
    require(begin == 0 && end == extent);
    for (std::int64_t i = 0; i < extent; i += l.tile) {
      begin_[at(l.label)] = i;
      end_[at(l.label)] = std::min(i + l.tile, extent);
      first_[loop.loop] = i == 0;
      execute(loop.body);
    }
    begin_[at(l.label)] = begin;
    end_[at(l.label)] = end;
  }

  /// A new block where a buffer's tiles are now.
  Block& allocate(int b) {
    const Buffer& buffer = program_.buffers[at(b)];
    if (buffer.resident) {  // a view of the whole array
      views_[b].begin.assign(program_.labels.size(), 0);
      views_[b].size.resize(program_.labels.size());
      for (const int l : buffer.labels) views_[b].size[at(l)] = program_.labels[at(l)].extent;
      return views_[b];
    }
    Block block;
    block.begin.assign(program_.labels.size(), 0);
    block.size.assign(program_.labels.size(), 1);
    block.bytes = program_.arrays[at(buffer.array)].bytes_per_element;
    for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
      const std::size_t l = at(buffer.labels[m]);
      const bool tiled = buffer.loops[m] >= 0;
      block.begin[l] = tiled ? begin_[l] : 0;
      block.size[l] = tiled ? program_.loops[at(buffer.loops[m])].tile : program_.labels[l].extent;
      block.bytes *= block.size[l];
    }
    std::size_t elements = 1;
    for (const int l : buffer.labels) elements *= static_cast<std::size_t>(block.size[at(l)]);
    block.values.assign(elements, std::numeric_limits<double>::quiet_NaN());
    block.first_use = block.last_use = time_;
    current_[at(b)] = static_cast<int>(blocks_.size());
    blocks_.push_back(std::move(block));
    return blocks_.back();
  }

  Block& use(int b) {
    if (program_.buffers[at(b)].resident) return allocate(b);
    Block& block = blocks_.at(at(current_[at(b)]));
    block.last_use = time_;
    return block;
  }

  Values& values(int b, Block& block) {
    const Buffer& buffer = program_.buffers[at(b)];
    return buffer.resident ? run_.arrays[buffer.array] : block.values;
  }

  /// The current part of a buffer's tiles: begin and end by label.
  void bounds(int b, std::vector<std::int64_t>& begin, std::vector<std::int64_t>& end) {
    const Buffer& buffer = program_.buffers[at(b)];
    begin.assign(program_.labels.size(), 0);
    end.assign(program_.labels.size(), 1);
    for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
      const std::size_t l = at(buffer.labels[m]);
      begin[l] = buffer.loops[m] >= 0 ? begin_[l] : 0;
      end[l] = buffer.loops[m] >= 0 ? end_[l] : program_.labels[l].extent;
    }
  }

  void fill_zero(int b) {
    Block& block = allocate(b);
    Values& all = values(b, block);
    std::fill(all.begin(), all.end(), 0.0);
  }

  Values& on_disk(const Buffer& buffer) {
    std::size_t size = 1;
    for (const int l : buffer.labels) size *= static_cast<std::size_t>(program_.labels[at(l)].extent);
    return run_.arrays.emplace(buffer.array, Values(size, std::numeric_limits<double>::quiet_NaN())).first->second;
  }

  template <class F>
  std::int64_t for_block(int b, F&& f) {
    const Buffer& buffer = program_.buffers[at(b)];
    std::vector<std::int64_t> begin, end, zero(program_.labels.size(), 0), extents;
    for (const Label& label : program_.labels) extents.push_back(label.extent);
    bounds(b, begin, end);
    std::int64_t elements = 0;
    for_each_point(buffer.labels, begin, end, [&](const auto& point) {
      f(place(buffer.labels, point, zero, extents), point);
      ++elements;
    });
    return elements * program_.arrays[at(buffer.array)].bytes_per_element;
  }

  void do_read(const Read& read) {
    const Buffer& buffer = program_.buffers[at(read.buffer)];
    const bool first =
        std::all_of(read.unless_first.begin(), read.unless_first.end(), [&](int l) { return first_[l]; });
    if (!read.unless_first.empty() && first) {
      fill_zero(read.buffer);
      return;
    }
    Values& disk = on_disk(buffer);
    Block& block = allocate(read.buffer);
    ArrayTraffic& traffic = run_.traffic[at(buffer.array)];
    ++traffic.reads;
    traffic.read_bytes += for_block(read.buffer, [&](std::size_t i, const auto& point) {
      block.values[place(buffer.labels, point, block.begin, block.size)] = disk[i];
    });
  }

  void do_write(const Write& write) {
    const Buffer& buffer = program_.buffers[at(write.buffer)];
    Values& disk = on_disk(buffer);
    Block& block = use(write.buffer);
    ArrayTraffic& traffic = run_.traffic[at(buffer.array)];
    ++traffic.writes;
    traffic.written_bytes += for_block(write.buffer, [&](std::size_t i, const auto& point) {
      disk[i] = block.values[place(buffer.labels, point, block.begin, block.size)];
    });
  }

  bool is_where_tiles_are(int b) {
    if (current_[at(b)] < 0) return false;
    const Buffer& buffer = program_.buffers[at(b)];
    for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
      const std::size_t l = at(buffer.labels[m]);
      if (buffer.loops[m] >= 0 && blocks_[at(current_[at(b)])].begin[l] != begin_[l]) return false;
    }
    return true;
  }

  void do_contract(const Contract& contract) {
    const Buffer& out = program_.buffers[at(contract.out)];
    const Buffer& a = program_.buffers[at(contract.a)];
    if (!contract.accumulate && !out.resident && !is_where_tiles_are(contract.out)) allocate(contract.out);
    Block out_block = use(contract.out), a_block = use(contract.a);
    Block b_block;
    if (contract.b >= 0) b_block = use(contract.b);
    const std::vector<int> none;
    const std::vector<int>& b_labels = contract.b >= 0 ? program_.buffers[at(contract.b)].labels : none;
    Values& sums = values(contract.out, use(contract.out));
    if (!contract.accumulate) {
      for_each_point(out.labels, begin_, end_,
                     [&](const auto& point) { sums[place(out.labels, point, out_block.begin, out_block.size)] = 0; });
    }
    for_each_point(union_of({&a.labels, &b_labels}), begin_, end_, [&](const auto& point) {
      double product = values(contract.a, a_block)[place(a.labels, point, a_block.begin, a_block.size)];
      if (contract.b >= 0) product *= values(contract.b, b_block)[place(b_labels, point, b_block.begin, b_block.size)];
      sums[place(out.labels, point, out_block.begin, out_block.size)] += product;
    });
  }

  static void require(bool holds) {
    if (!holds) throw std::logic_error("two loops over one label are inside of each other");
  }

  const LoopProgram& program_;
  Run run_;
  std::vector<std::int64_t> begin_, end_;  // by label: the current tile
  std::map<int, bool> first_, counted_;
  std::vector<int> current_;  // block by buffer
  std::vector<Block> blocks_;
  std::map<int, Block> views_;
  std::int64_t resident_ = 0;
  std::size_t time_ = 0;
};

}  // namespace

Run run(const LoopProgram& program, const std::map<int, Values>& inputs) { return Interpreter(program, inputs).run(); }

}  // namespace ricci::fusion::oracle
