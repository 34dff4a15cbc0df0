#include "compile/totals_search.hpp"

#include <algorithm>

#include "compile/disk_cost.hpp"

namespace ricci::compile {

namespace {

/// A way to evaluate a subtree: at first up to the nesting of its root, then with the fusion to its consumer.
struct Solution {
  std::vector<LabelSet> order;  // IndexsetSequence::sets: of the nesting, then of the fusion
  double memory = 0, disk = 0;
  int left = -1, right = -1;  // solutions of the operands
  EdgeFusion fusion;
  double unread = 0;  // memory of the root's buffer before it was written, part of `memory`
};

using Solutions = std::vector<Solution>;

class TotalsSearch {
 public:
  TotalsSearch(const Forest& forest, const Tree& tree, Totals totals)
      : forest_(forest),
        tree_(tree),
        totals_(totals),
        parents_(parents(tree)),
        ones_(forest.labels.size(), 1),
        solutions_(tree.nodes.size()) {}

  std::vector<TotalsCandidate> run() {
    for (int v = 0; v <= tree_.root(); ++v) solutions_[index(v)] = node(v).is_leaf() ? read(v, {Solution{}}) : make(v);
    std::vector<TotalsCandidate> result;
    for (const Solution& solution : solutions_.back()) {
      TotalsCandidate candidate{LoopStructure(tree_.nodes.size()), solution.memory, solution.disk};
      trace(tree_.root(), solution, candidate.structure);
      result.push_back(std::move(candidate));
    }
    return result;
  }

 private:
  static std::size_t index(int v) { return static_cast<std::size_t>(v); }
  const Node& node(int v) const { return tree_.nodes[index(v)]; }
  Home home(int v) const { return forest_.arrays[index(node(v).array)].home; }
  double element(int v) const { return static_cast<double>(forest_.arrays[index(node(v).array)].bytes_per_element); }

  double memory(int v, LabelSet fusion) const {
    return element(v) * mem_usage(forest_, set_of(node(v).labels), fusion, ones_);
  }
  double volume(int v, LabelSet fusion, Between between) const {
    return element(v) * disk_cost(forest_, set_of(node(v).labels), fusion, between, ones_);
  }

  /// Whether a is no worse than b in what counts.
  bool leq(const Solution& a, const Solution& b) const {
    return a.memory <= b.memory && (totals_ == Totals::memory || a.disk <= b.disk);
  }

  /// Inferior(s', s), within solutions of the same order first, which are many, then between orders.
  Solutions pruned(Solutions all, bool by_order) const {
    std::stable_sort(all.begin(), all.end(), [&](const Solution& a, const Solution& b) {
      if (by_order && a.order != b.order) return a.order < b.order;
      return a.memory != b.memory ? a.memory < b.memory : a.disk < b.disk;
    });
    Solutions fronts;
    for (Solution& s : all) {
      if (!fronts.empty() && (!by_order || fronts.back().order == s.order) && leq(fronts.back(), s)) continue;
      fronts.push_back(std::move(s));
    }
    if (!by_order) return fronts;
    Solutions kept;
    for (std::size_t i = 0; i < fronts.size(); ++i) {
      bool inferior = false;
      for (std::size_t j = 0; !inferior && j < fronts.size(); ++j) {
        if (i == j || !leq(fronts[j], fronts[i])) continue;
        inferior =
            more_constraining({fronts[i].order}, {fronts[j].order}) && (j < i || fronts[i].order != fronts[j].order);
      }
      if (!inferior) kept.push_back(fronts[i]);
    }
    return kept;
  }

  /// Every fusion of a read with its consumer. What is in memory all the time is read nowhere.
  Solutions read(int v, const Solutions& written) const {
    const bool reads = !node(v).is_leaf() || on_disk(forest_, node(v));
    const LabelSet loops = reads ? loops_of(tree_, parents_[index(v)]) : 0;
    Solutions result;
    for (const Solution& made : written) {
      for (LabelSet fusion = loops;; fusion = (fusion - 1) & loops) {
        Solution s = made;
        s.order.clear();
        if (fusion) s.order.push_back(fusion);
        s.fusion.on_disk = reads;
        s.fusion.consume = fusion;
        if (reads) {  // of the buffers before the write and after the read the larger one counts
          s.memory += std::max(memory(v, fusion) - made.unread, 0.0);
          s.disk += volume(v, fusion, Between::read_and_consume);
        }
        result.push_back(std::move(s));
        if (fusion == 0) break;
      }
    }
    return pruned(std::move(result), true);
  }

  /// All pairs of solutions of the operands whose fusions go together.
  Solutions nestings(int v) const {
    const Node& made = node(v);
    const Solutions alone = {Solution{}};
    const Solutions& left = solutions_[index(made.left)];
    const Solutions& right = made.right >= 0 ? solutions_[index(made.right)] : alone;
    Solutions result;
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (std::size_t j = 0; j < right.size(); ++j) {
        if (!compatible({left[i].order}, {right[j].order})) continue;
        Solution s;
        s.order = merged({left[i].order}, {right[j].order}).sets;
        s.memory = left[i].memory + right[j].memory;
        s.disk = left[i].disk + right[j].disk;
        s.left = static_cast<int>(i);
        s.right = static_cast<int>(j);
        result.push_back(std::move(s));
      }
    }
    return pruned(std::move(result), true);
  }

  Solutions make(int v) const {
    const Solutions nested = nestings(v);
    const bool is_root = v == tree_.root();
    const bool to_disk =
        is_root ? on_disk(forest_, node(v))
                : home(v) == Home::disk || (home(v) == Home::anywhere && totals_ == Totals::memory_and_disk);
    Solutions result;
    if (to_disk) {
      Solutions written;
      fuse_all(v, loops_of(tree_, v), nested, true, written);
      written = pruned(std::move(written), false);
      if (is_root) return written;
      result = read(v, written);
    }
    if (is_root ? !to_disk : home(v) != Home::disk)
      fuse_all(v, is_root ? 0 : set_of(node(v).labels), nested, false, result);
    return pruned(std::move(result), !is_root);
  }

  /// Every legal fusion with the write (f_w), or with the consumer (f_c).
  void fuse_all(int v, LabelSet loops, const Solutions& nested, bool write, Solutions& result) const {
    const bool resident = !write && v == tree_.root();
    for (LabelSet fusion = loops;; fusion = (fusion - 1) & loops) {
      const double buffer = resident ? 0 : memory(v, fusion);
      const double disk = write ? volume(v, fusion, Between::produce_and_write) : 0;
      for (const Solution& nesting : nested) {
        if (!may_fuse({nesting.order}, fusion)) continue;
        Solution s = nesting;
        s.order = restricted({nesting.order}, fusion).sets;
        s.memory += buffer;
        s.disk += disk;
        s.unread = write ? buffer : 0;
        s.fusion = {write, fusion, write ? LabelSet{0} : fusion};
        result.push_back(std::move(s));
      }
      if (fusion == 0) break;
    }
  }

  void trace(int v, const Solution& solution, LoopStructure& structure) const {
    structure[index(v)] = solution.fusion;
    if (node(v).is_leaf()) return;
    trace(node(v).left, solutions_[index(node(v).left)][index(solution.left)], structure);
    if (node(v).right >= 0) trace(node(v).right, solutions_[index(node(v).right)][index(solution.right)], structure);
  }

  const Forest& forest_;
  const Tree& tree_;
  Totals totals_;
  std::vector<int> parents_;
  std::vector<std::int64_t> ones_;
  std::vector<Solutions> solutions_;  // by node
};

}  // namespace

std::vector<TotalsCandidate> candidates_by_totals(const Forest& forest, const Tree& tree, Totals totals) {
  return TotalsSearch(forest, tree, totals).run();
}

}  // namespace ricci::compile
