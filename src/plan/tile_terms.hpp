#pragma once
// A contraction C[lc] += A[la] · B[lb] tile by tile. With one tile given for each label (a *block*), it says which
// stored tiles of A, B and C take part, under which labels and with which factor. A block is a statement of the same
// kind on small tensors, so that whatever symmetry is left within the tiles is left to the local kernels.
//
// Only blocks that are sorted within the units of the fold (symmetry/fold.hpp) are run. With d labels of a unit on
// tiles of multiplicities m, the permutations of the unit's labels fall into the arrangements of the tiles, S_d / S_m,
// and within an arrangement into what the local statement does by itself. Of arrangements that the operand's own
// symmetry H takes into each other one is read:
//  - labels of a group of C that come from one operand: once, with the sign;
//  - contracted labels in a group of the other operand: as many times as there are such arrangements.
#include <cstdint>
#include <memory>
#include <vector>

#include "layout/tensor_tiles.hpp"
#include "symmetry/fold.hpp"

namespace ricci::planning {

/// A tensor of a node: its shape, labels and tiles. Without a shape: it is not there. An operand may be stored in other
/// tiles, and is then cut anew while it is fetched.
struct TiledTensor {
  symmetry::Labelled labelled;
  std::shared_ptr<const layout::Distribution> distribution, stored;
  bool is_cut_anew() const { return !distribution->same_tiles(*stored); }
  bool exists() const { return labelled.shape != nullptr; }
  bool has(int label) const;
};

/// A stored tile as it stands in a block.
struct TileUse {
  layout::TileTuples tile;
  std::vector<int> labels;  // of its modes, in the order in which it is stored
  double factor = 1;
};

/// Labels that an operand is summed over in every order within one tile, before it enters products.
struct Symmetrisation {
  std::vector<int> labels;
  SymmetryKind kind;
  double weight;  // what the sum over all elements counts too often then
};

class TileTerms {
 public:
  TileTerms(const symmetry::Fold& fold, TiledTensor c, TiledTensor a, TiledTensor b);

  /// The readings of an operand whose sum enters the product. `tiles`: of each label.
  std::vector<TileUse> read_a(const std::vector<std::int64_t>& tiles) const { return read(a_, tiles); }
  std::vector<TileUse> read_b(const std::vector<std::int64_t>& tiles) const { return read(b_, tiles); }
  TileUse write_c(const std::vector<std::int64_t>& tiles) const;
  /// The numbers of the tiles that take part, only: of an operand (the second one or the first), some of them several
  /// times, and of C.
  void add_numbers(bool second, const layout::TensorTiles& all, const std::vector<std::int64_t>& tiles,
                   std::vector<std::int64_t>& numbers) const;
  std::int64_t number_of_c(const layout::TensorTiles& all, const std::vector<std::int64_t>& tiles) const;
  /// What the local statements of a block do with an operand (the second one or the first). Nothing where only some of
  /// the labels of a unit share a tile.
  std::vector<Symmetrisation> within_tiles(bool second, const std::vector<std::int64_t>& tiles) const;

  /// Whether sums of an operand's readings may be formed.
  bool is_symmetrised(bool second) const;

  const TiledTensor& a() const { return a_.tensor; }
  const TiledTensor& b() const { return b_.tensor; }
  const TiledTensor& c() const { return c_; }

 private:
  /// A unit whose labels an operand is read with in every arrangement.
  struct Arranged {
    std::vector<int> labels;
    std::vector<int> blocks;  // of the operand's own symmetry
    SymmetryKind kind;        // of the group that asks for it
    bool counted;             // arrangements count, rather than once
    double cosets;            // of all orders of the labels by the operand's own symmetry
  };
  struct Operand {
    TiledTensor tensor;
    std::vector<Arranged> units;
    std::vector<std::vector<int>> readings = {};  // the labels of each, the same tiles or not; none where they are many
  };
  static void list_readings(Operand& operand);
  std::vector<TileUse> read(const Operand& operand, const std::vector<std::int64_t>& tiles) const;
  TileUse use(const TiledTensor& tensor, const std::vector<int>& labels, const std::vector<std::int64_t>& tiles) const;

  TiledTensor c_;
  Operand a_, b_;
};

}  // namespace ricci::planning
