#include "compile/choose_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compile/label_lists.hpp"

namespace ricci::compile {

namespace {

class Estimator {
 public:
  Estimator(const Formula& formula, const Operation& operation, const std::vector<Home>& homes,
            const BlockBudget& budget, double copies_of_output)
      : formula_(formula),
        operation_(operation),
        homes_(homes),
        budget_(budget),
        out_copies_(homes[operation.out.array] == Home::disk ? copies_of_output : 1) {}

  BlockCost run(const std::vector<std::int64_t>& tile, const std::vector<int>& loops) const {
    BlockCost cost;
    const Operand& out = operation_.out;
    const double out_block = block_bytes(out, tile);
    const bool cut = is_cut(out, tile);
    double blocks = out_block * (is_cut_in_a_group(out, tile) ? 2 : 1);
    if (homes_[out.array] == Home::memory && !cut) blocks = 0;  // in place
    double most = 0;
    for (const Product& term : operation_.terms) {
      double factors = 0;
      for (const Operand& factor : term.factors) {
        // The same block twice is read and held once.
        if (&factor != &term.factors[0] && factor.array == term.factors[0].array &&
            factor.labels == term.factors[0].labels)
          continue;
        const bool whole = homes_[factor.array] == Home::memory && !is_cut(factor, tile);
        if (whole) continue;
        factors += block_bytes(factor, tile) * (reads_ahead(factor) ? 2 : 1);
        if (homes_[factor.array] == Home::disk || homes_[factor.array] == Home::file)
          cost.read_bytes += reads(term, factor, tile, loops);
        if (homes_[factor.array] == Home::formula)
          cost.made_elements += reads(term, factor, tile, loops) / element_bytes(factor.array);
      }
      most = std::max(most, factors);
    }
    cost.peak_bytes = std::max(blocks + most, out_copies_ * out_block);
    if (homes_[out.array] == Home::disk) {
      cost.peak_bytes += blocks_on_disk(out, tile) * static_cast<double>(budget_.bytes_a_block);
      const double size = stored_bytes(out.array);
      cost.written_bytes = size;
      if (operation_.kind == Operation::Kind::add) cost.read_bytes += size;
    }
    cost.steps = steps(tile);
    cost.seconds = cost.read_bytes / budget_.read_bandwidth + cost.written_bytes / budget_.write_bandwidth +
                   cost.steps * budget_.step_seconds + cost.made_elements * budget_.making_seconds;
    return cost;
  }

 private:
  /// Whether there are two buffers for its blocks. What comes from a file may have to be packed, from one to the other.
  bool reads_ahead(const Operand& factor) const {
    if (homes_[factor.array] == Home::memory) return false;
    return budget_.reads_ahead ||
           (homes_[factor.array] == Home::file && !formula_.arrays[factor.array].shape->symmetry().empty());
  }
  double count(int label, const std::vector<std::int64_t>& tile) const {
    const std::int64_t extent = formula_.labels[label].extent;
    return extent == 0 ? 0 : static_cast<double>((extent + tile[label] - 1) / tile[label]);
  }
  bool is_cut(const Operand& operand, const std::vector<std::int64_t>& tile) const {
    return std::any_of(operand.labels.begin(), operand.labels.end(),
                       [&](int label) { return tile[label] < formula_.labels[label].extent; });
  }
  bool is_cut_in_a_group(const Operand& operand, const std::vector<std::int64_t>& tile) const {
    for (const SymmetryGroup& group : formula_.arrays[operand.array].shape->symmetry().groups()) {
      const int label = operand.labels[group.modes[0]];
      if (tile[label] < formula_.labels[label].extent) return true;
    }
    return false;
  }
  /// Of one rank, unpacked: the largest.
  double block_bytes(const Operand& operand, const std::vector<std::int64_t>& tile) const {
    double elements = 1;
    for (int label : operand.labels)
      elements *= static_cast<double>(std::min(tile[label], formula_.labels[label].extent));
    if (!is_cut(operand, tile)) elements = static_cast<double>(formula_.arrays[operand.array].shape->stored_size());
    return std::ceil(elements / budget_.ranks) * element_bytes(operand.array);
  }
  /// Canonical ones: their tiles ascend within each group.
  double blocks_on_disk(const Operand& operand, const std::vector<std::int64_t>& tile) const {
    double blocks = 1;
    for (const symmetry::StorageDim& dim : formula_.arrays[operand.array].shape->dims()) {
      for (std::size_t d = 0; d < dim.modes.size(); ++d) {
        const double before = dim.grouped() ? static_cast<double>(d) : 0;
        blocks *= (count(operand.labels[dim.modes[d]], tile) + before) / (before + 1);
      }
    }
    return blocks;
  }
  double stored_bytes(int array) const {
    return static_cast<double>(formula_.arrays[array].shape->stored_size()) * element_bytes(array) / budget_.ranks;
  }
  double element_bytes(int array) const { return static_cast<double>(element_size(formula_.arrays[array].type)); }

  /// A block is kept for as long as the loops inside do not want another one.
  double reads(const Product& term, const Operand& factor, const std::vector<std::int64_t>& tile,
               const std::vector<int>& loops) const {
    std::vector<int> nest = loops;
    for (const Operand& operand : term.factors) {
      for (int label : operand.labels) {
        if (!contains(nest, label)) nest.push_back(label);
      }
    }
    const auto in_factor = [&](int label) { return contains(factor.labels, label); };
    double loads = 1, pending = 1, own = 1;
    for (std::size_t depth = 0; depth < nest.size(); ++depth) {
      const double n = count(nest[depth], tile);
      if (n <= 1) continue;
      pending *= n;
      // With several terms, a block is only kept within its own sums.
      const bool last_output = depth + 1 == loops.size() && operation_.terms.size() > 1;
      if (in_factor(nest[depth]) || last_output) loads *= std::exchange(pending, 1);
      if (in_factor(nest[depth])) own *= n;
    }
    double full = element_bytes(factor.array) / budget_.ranks;
    for (const symmetry::StorageDim& dim : formula_.arrays[factor.array].shape->dims()) {
      if (!dim.grouped() || !runs_sorted(term, factor, dim))
        for (int mode : dim.modes) full *= static_cast<double>(formula_.labels[factor.labels[mode]].extent);
      else
        full *= static_cast<double>(dim.size);
    }
    return loads / own * full * sorted_part(factor, tile);
  }

  /// Whether only sorted blocks of a group are asked for: its labels stand in one group of the output, or are summed
  /// over and the other factor has them in a group as well.
  bool runs_sorted(const Product& term, const Operand& factor, const symmetry::StorageDim& dim) const {
    std::vector<int> labels;
    for (int mode : dim.modes) labels.push_back(factor.labels[mode]);
    if (distinct(labels).size() != labels.size()) return false;
    const auto in_one_group = [&](const Operand& operand) {
      const auto& dims = formula_.arrays[operand.array].shape->dims();
      return std::any_of(dims.begin(), dims.end(), [&](const symmetry::StorageDim& other) {
        return std::all_of(labels.begin(), labels.end(), [&](int label) {
          return std::any_of(other.modes.begin(), other.modes.end(),
                             [&](int mode) { return operand.labels[mode] == label; });
        });
      });
    };
    if (contains(operation_.out.labels, labels[0])) return in_one_group(operation_.out);
    return std::all_of(term.factors.begin(), term.factors.end(), in_one_group);
  }

  /// Of an output with symmetry only sorted blocks are made: factors that have a part of a group are read less often.
  double sorted_part(const Operand& factor, const std::vector<std::int64_t>& tile) const {
    double part = 1;
    for (const SymmetryGroup& group : formula_.arrays[operation_.out.array].shape->symmetry().groups()) {
      const auto in_factor = [&](int mode) { return contains(factor.labels, operation_.out.labels[mode]); };
      if (std::all_of(group.modes.begin(), group.modes.end(), in_factor)) continue;
      const double n = count(operation_.out.labels[group.modes[0]], tile);
      for (std::size_t d = 0; d < group.modes.size(); ++d)
        part *= n > 1 ? (n + static_cast<double>(d)) / (n * static_cast<double>(d + 1)) : 1;
    }
    return part;
  }

  double steps(const std::vector<std::int64_t>& tile) const {
    double all = 0;
    for (const Product& term : operation_.terms) {
      std::vector<int> labels = operation_.out.labels;
      for (const Operand& factor : term.factors)
        labels.insert(labels.end(), factor.labels.begin(), factor.labels.end());
      double product = 1;
      for (int label : distinct(labels)) product *= std::max(1.0, count(label, tile));
      all += product;
    }
    return all;
  }

  const Formula& formula_;
  const Operation& operation_;
  const std::vector<Home>& homes_;
  const BlockBudget& budget_;
  const double out_copies_;  // of the output's block
};

/// Numbers of tiles for each class of labels: all small ones, then ever fewer.
std::vector<std::int64_t> tile_sizes(std::int64_t extent, std::size_t most) {
  std::vector<std::int64_t> sizes;
  double growth = 1.0;
  for (double n = 1; n < static_cast<double>(extent) && sizes.size() + 1 < most; n += growth) {
    const auto count = static_cast<std::int64_t>(n);
    const std::int64_t size = (extent + count - 1) / count;
    if (sizes.empty() || size < sizes.back()) sizes.push_back(size);
    if (n >= 6) growth = n / 3;
  }
  if (extent >= 1 && (sizes.empty() || sizes.back() > 1)) sizes.push_back(1);
  if (sizes.empty()) sizes.push_back(1);
  return sizes;
}

class TileSearch {
 public:
  TileSearch(const Formula& formula, const Operation& operation, const std::vector<Home>& homes,
             const BlockBudget& budget, const TileRules& rules)
      : formula_(formula),
        operation_(operation),
        budget_(budget),
        estimator_(formula, operation, homes, budget, rules.copies_of_output),
        classes_(label_classes(formula, operation)),
        loops_(distinct(operation.out.labels)) {
    for (std::size_t l = 0; l < formula.labels.size(); ++l) {
      tile_.push_back(std::max<std::int64_t>(1, formula.labels[l].extent));
      const bool is_first = classes_.first[l] == static_cast<int>(l);
      if (is_first && !classes_.whole[l] && formula.labels[l].extent > 1) free_.push_back(static_cast<int>(l));
    }
    for (std::size_t l = 0; l < rules.given.size(); ++l) {
      const auto free = std::find(free_.begin(), free_.end(), classes_.first[l]);
      if (rules.given[l] == 0 || free == free_.end()) continue;
      set(classes_.first[l], rules.given[l]);
      free_.erase(free);
    }
    // Classes are tried together, so the more there are the fewer sizes of each.
    const double classes = static_cast<double>(std::max<std::size_t>(1, free_.size()));
    most_sizes_ = std::max<std::size_t>(3, static_cast<std::size_t>(std::pow(40000.0, 1 / classes)));
  }

  TileChoice run() {
    try_from(0);
    refine();
    BlockedOperation best = with_loops(blocked(formula_, operation_, best_tile_), best_loops_);
    best.reads_ahead = budget_.reads_ahead;
    return {std::move(best), best_cost_, best_cost_.peak_bytes <= static_cast<double>(budget_.bytes)};
  }

 private:
  static BlockedOperation with_loops(BlockedOperation operation, const std::vector<int>& loops) {
    operation.loops = loops;
    return operation;
  }

  void set(int first, std::int64_t size) {
    for (std::size_t l = 0; l < tile_.size(); ++l) {
      if (classes_.first[l] == first) tile_[l] = size;
    }
  }

  void try_from(std::size_t at) {
    if (at == free_.size()) {
      consider();
      return;
    }
    for (std::int64_t size : tile_sizes(formula_.labels[free_[at]].extent, most_sizes_)) {
      set(free_[at], size);
      try_from(at + 1);
    }
    set(free_[at], formula_.labels[free_[at]].extent);
  }

  /// Sizes between those that were tried.
  void refine() {
    for (bool better = true; std::exchange(better, false);) {
      for (int first : free_) {
        const std::int64_t extent = formula_.labels[first].extent, size = best_tile_[first];
        const std::int64_t count = (extent + size - 1) / size;
        for (std::int64_t n : {count - 1, count + 1, count - count / 8, count + count / 8}) {
          if (n < 1 || n > extent || n == count) continue;
          tile_ = best_tile_;
          set(first, (extent + n - 1) / n);
          better = consider() || better;
        }
        // Tiles of one size each, rather than a small one at the end.
        tile_ = best_tile_;
        for (std::int64_t larger : {size + 1, size + size / 16, size + size / 4}) {
          if (larger > extent) continue;
          set(first, larger);
          better = consider() || better;
        }
      }
    }
  }

  bool consider() {
    bool better = false;
    std::vector<int> cut, rest;
    for (int label : loops_) (tile_[label] < formula_.labels[label].extent ? cut : rest).push_back(label);
    std::sort(cut.begin(), cut.end());
    int tried = 0;
    do {
      std::vector<int> loops = cut;
      loops.insert(loops.end(), rest.begin(), rest.end());
      better = consider(loops) || better;
    } while (++tried < 24 && std::next_permutation(cut.begin(), cut.end()));
    return better;
  }

  bool consider(const std::vector<int>& loops) {
    const BlockCost cost = estimator_.run(tile_, loops);
    if (!best_tile_.empty() && !is_better(cost)) return false;
    best_cost_ = cost;
    best_tile_ = tile_;
    best_loops_ = loops;
    return true;
  }

  /// What fits comes first, then time, then larger blocks: few requests. What does not fit is the better the leaner.
  bool is_better(const BlockCost& cost) const {
    const double limit = static_cast<double>(budget_.bytes);
    const bool fits = cost.peak_bytes <= limit, fitted = best_cost_.peak_bytes <= limit;
    if (fits != fitted) return fits;
    if (!fits) return cost.peak_bytes < best_cost_.peak_bytes * (1 - 1e-12);
    if (cost.seconds != best_cost_.seconds) return cost.seconds < best_cost_.seconds * (1 - 1e-9);
    return cost.peak_bytes > best_cost_.peak_bytes * (1 + 1e-9);
  }

  const Formula& formula_;
  const Operation& operation_;
  const BlockBudget& budget_;
  const Estimator estimator_;
  const LabelClasses classes_;
  const std::vector<int> loops_;
  std::vector<int> free_;  // first labels of the classes that may be cut
  std::size_t most_sizes_ = 0;
  std::vector<std::int64_t> tile_, best_tile_;
  std::vector<int> best_loops_;
  BlockCost best_cost_;
};

}  // namespace

TileChoice choose_tiles(const Formula& formula, const Operation& operation, const std::vector<Home>& homes,
                        const BlockBudget& budget, const TileRules& rules) {
  return TileSearch(formula, operation, homes, budget, rules).run();
}

}  // namespace ricci::compile
