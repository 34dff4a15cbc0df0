#pragma once
// From a way to deal out the ranks to a spread: grid, tiles, and the layouts of what is not placed yet.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "plan/label_classes.hpp"
#include "plan/spread.hpp"

namespace ricci::planning {

/// Tiles as the tensors have them, where they agree and suffice; as the output has them; as few as will do; or a few
/// more, so that the groups of the output are spread evenly, too.
enum class Tiles { of_all, of_output, fewest, even };

/// What a way to deal out the ranks leaves open.
struct Variant {
  Tiles tiles;
  std::vector<std::size_t> order;  // of the grid
  int phases;
  bool sums_together = false;  // on one of the ranks that have them, instead of a share for each
};

/// Refers to the problem.
class SpreadMaker {
 public:
  /// `asked_for`: the grid has just the parts of the labels, in their order.
  SpreadMaker(const SpreadProblem& problem, std::vector<int> labels, bool asked_for)
      : problem_(problem), classes_(problem), labels_(std::move(labels)), asked_for_(asked_for) {}

  /// `parts`: of each of the labels.
  void set_parts(const std::vector<int>& parts) { parts_ = parts; }
  /// Nothing where the tensors' tiles will not do.
  std::optional<Spread> make_spread(const Variant& variant) const;

 private:
  /// A summed label that many ranks share is on two dimensions of the grid, so that the sums can be spread over two
  /// labels of the output and stay compact.
  std::vector<int> grid_extents(std::size_t l) const;
  /// Where an operand is: where it was or, where it may be anywhere, on the ranks whose blocks need it, each with a
  /// share of its own. Modes by themselves have a tile a rank, as blocks come in runs; groups have the blocks' tiles.
  Layout operand_layout(const PlacedTensor& tensor, const std::vector<int>& grid,
                        const std::vector<std::vector<int>>& dims_of, const std::vector<int>& tiles) const;
  /// Sorted tuples that are dealt out need more tiles than parts, so that everybody gets about the same.
  /// With `output`: of its groups as well; true where that makes a difference.
  bool balance(std::vector<int>& tiles, const std::vector<std::vector<int>>& c_mapping, bool output) const;
  /// A summed label that is cut finely enough for so many phases. False where there is none.
  bool cut_for_phases(std::vector<int>& tiles, int phases) const;
  int parts_of(int label) const {
    return parts_[static_cast<std::size_t>(std::find(labels_.begin(), labels_.end(), label) - labels_.begin())];
  }
  void need(std::vector<int>& tiles, int label, int ways) const;
  int tiles_of(const std::vector<int>& tiles, int label) const;
  /// Whether all tensors that are placed have each label in the same tiles, and enough of them.
  bool keep_tiles(std::vector<int>& tiles, const std::vector<const PlacedTensor*>& tensors) const;
  /// A tensor's own labels take their grid dimensions; the others go to its longest labels, down to parts of this
  /// length.
  std::vector<std::vector<int>> mapping_of(const PlacedTensor& tensor, const std::vector<int>& grid,
                                           const std::vector<std::vector<int>>& dims_of, double shortest) const;

  const SpreadProblem& problem_;
  LabelClasses classes_;
  std::vector<int> labels_, parts_;
  bool asked_for_;
};

}  // namespace ricci::planning
