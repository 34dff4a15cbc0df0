#pragma once
// Which rank computes what: the blocks of a contraction (one tile for each label) are dealt out like the tiles of a
// tensor whose modes are the labels and whose groups are the units of the fold. The iteration space is a tensor that
// nobody stores.
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "layout/distribution.hpp"
#include "plan/tile_terms.hpp"
#include "symmetry/fold.hpp"

namespace ricci::planning {

/// Tiles by label of the statement; those of labels that do not matter are 0.
using BlockTiles = std::vector<std::int64_t>;

class BlockMapping {
 public:
  /// `labels`: those of the contraction, numbers in the statement. `layout`: one word a label, with its tiles.
  /// `label_count`: of the statement.
  BlockMapping(const symmetry::Fold& fold, std::vector<int> labels, Layout layout, std::size_t label_count);

  const Layout& layout() const { return distribution_->layout(); }
  int ranks() const { return distribution_->ranks(); }

  struct Unit {
    std::vector<int> labels;
    symmetry::Role role;
  };
  /// In the order of the mapping's own units.
  const std::vector<Unit>& units() const { return *units_; }
  /// The units that a tensor has labels of.
  std::vector<int> units_of(const TiledTensor& tensor) const;
  /// Whether a rank takes part: those along grid dimensions that no label is spread over would do the same work again,
  /// and where there are few tiles some ranks get none.
  bool works(int rank) const;
  /// The rank's coordinates along the grid dimensions of some units: ranks that agree in them need the same tiles.
  std::vector<int> coordinates(int rank, const std::vector<int>& units) const;

  /// How many ranks need the same tiles of a tensor, over all phases.
  int sharing(const TiledTensor& tensor) const;

  /// The panel that a rank begins with where its blocks run in so many phases: neighbours begin with neighbouring ones,
  /// so that not everybody needs the same panel at the same time (Cannon's skew).
  int first_panel(int rank, int phases) const;
  /// The ranks one further along the grid dimensions that have as many ranks as there are phases: what such a rank has
  /// in one phase, this one needs in the next.
  std::vector<int> passing_on(int rank, int phases) const;

  /// One rank's part. Sorted tuples are dealt out like the tiles of a group. The tiles of a label by itself are dealt
  /// out in runs, not in turn: so a finer tiling leaves every index with the rank that a coarser one gives it to, which
  /// is where tensors that are cut into as many tiles as ranks have it.
  class Part {
   public:
    Part(const BlockMapping& mapping, int rank);
    /// Every combination of the rank's tiles of some units, the last unit fastest. None where the rank has no block.
    template <class F>
    void for_each(const std::vector<int>& units, BlockTiles& tiles, F f) const {
      if (works_) choose(units, 0, tiles, f);
    }

   private:
    template <class F>
    void choose(const std::vector<int>& units, std::size_t at, BlockTiles& tiles, F& f) const {
      if (at == units.size()) return f();
      const auto& labels = (*units_)[units[at]].labels;
      for (const layout::TileTuple& tuple : tiles_[units[at]]) {
        for (std::size_t i = 0; i < labels.size(); ++i) tiles[labels[i]] = tuple[i];
        choose(units, at + 1, tiles, f);
      }
    }
    std::shared_ptr<const std::vector<Unit>> units_;
    std::vector<std::vector<layout::TileTuple>> tiles_;  // [unit]
    bool works_;
    friend class BlockMapping;
  };
  /// Made once for each rank. Not for several threads.
  const Part& part(int rank) const;
  BlockTiles no_tiles() const { return BlockTiles(label_count_, 0); }

 private:
  /// Grid dimensions of the labels of some units.
  std::vector<int> dims_of(const std::vector<int>& units) const;
  /// Those of labels that are not summed over.
  std::vector<int> open_dims() const;

  std::shared_ptr<const layout::Distribution> distribution_;
  std::shared_ptr<const std::vector<Unit>> units_;
  std::size_t label_count_;
  mutable std::map<int, Part> parts_;
};

}  // namespace ricci::planning
