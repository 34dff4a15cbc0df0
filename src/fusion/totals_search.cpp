#include "fusion/totals_search.hpp"

#include <algorithm>

#include "fusion/disk_cost.hpp"
#include "fusion/solution_fronts.hpp"

namespace ricci::fusion {

namespace {

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
    for (int v = 0; v <= tree_.root(); ++v) solutions_[index(v)] = node(v).is_leaf() ? leaf(v) : make(v);
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

  SolutionFronts fronts() const { return SolutionFronts(totals_ == Totals::memory_and_disk); }

  /// Every fusion of a read with its consumer. What is in memory all the time is read nowhere.
  void read(int v, const Solutions& written, SolutionFronts& result) const {
    const bool reads = !node(v).is_leaf() || on_disk(forest_, node(v));
    const LabelSet loops = reads ? loops_of(tree_, parents_[index(v)]) : 0;
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
        result.add(std::move(s));
        if (fusion == 0) break;
      }
    }
  }

  Solutions leaf(int v) const {
    SolutionFronts result = fronts();
    read(v, {Solution{}}, result);
    return result.take();
  }

  /// All pairs of solutions of the operands whose fusions go together.
  Solutions nestings(int v) const {
    const Node& made = node(v);
    const Solutions alone = {Solution{}};
    const Solutions& left = solutions_[index(made.left)];
    const Solutions& right = made.right >= 0 ? solutions_[index(made.right)] : alone;
    SolutionFronts result = fronts();
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (std::size_t j = 0; j < right.size(); ++j) {
        if (!compatible({left[i].order}, {right[j].order})) continue;
        Solution s;
        s.order = merged({left[i].order}, {right[j].order}).sets;
        s.memory = left[i].memory + right[j].memory;
        s.disk = left[i].disk + right[j].disk;
        s.left = static_cast<int>(i);
        s.right = static_cast<int>(j);
        result.add(std::move(s));
      }
    }
    return result.take();
  }

  Solutions make(int v) const {
    const Solutions nested = nestings(v);
    const bool is_root = v == tree_.root();
    const bool to_disk =
        is_root ? on_disk(forest_, node(v))
                : home(v) == Home::disk || (home(v) == Home::anywhere && totals_ == Totals::memory_and_disk);
    SolutionFronts result = fronts();
    if (to_disk) {
      SolutionFronts written = fronts();
      fuse_all(v, loops_of(tree_, v), nested, true, written);
      if (is_root) return written.take();
      read(v, written.take(), result);
    }
    if (is_root ? !to_disk : home(v) != Home::disk) {
      fuse_all(v, is_root ? 0 : set_of(node(v).labels), nested, false, result);
    }
    return result.take();
  }

  /// Every legal fusion with the write (f_w), or with the consumer (f_c).
  void fuse_all(int v, LabelSet loops, const Solutions& nested, bool write, SolutionFronts& result) const {
    const bool resident = !write && v == tree_.root();
    for (LabelSet fusion = loops;; fusion = (fusion - 1) & loops) {
      const double buffer = resident ? 0 : memory(v, fusion);
      const double disk = write ? volume(v, fusion, Between::produce_and_write) : 0;
      for (const Solution& nesting : nested) {
        if (!may_fuse({nesting.order}, fusion)) continue;
        Solution s = nesting;
        // What is written is complete: no order ties it to what comes after (Inferior, last case).
        s.order = write ? std::vector<LabelSet>{} : restricted({nesting.order}, fusion).sets;
        s.memory += buffer;
        s.disk += disk;
        s.unread = write ? buffer : 0;
        s.fusion = {write, fusion, write ? LabelSet{0} : fusion};
        result.add(std::move(s));
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

}  // namespace ricci::fusion
