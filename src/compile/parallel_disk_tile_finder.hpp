#pragma once
// Which numbers of tiles are worth trying: only those with a smaller block than fewer tiles have, and of these only the
// fewest that fit.
#include <optional>
#include <vector>

#include "compile/parallel_disk_blocks.hpp"

namespace ricci::compile::parallel_disk {

class TileFinder {
 public:
  /// Looks at the blocks whenever it is asked; they must outlive it.
  explicit TileFinder(const BlockSizes& blocks) : blocks_(blocks) {}

  TileNumbers finest() const;  ///< blocks of one element, no inner loop
  /// The fewest outer tiles of a label with which these numbers fit when the inner loop is as fine as can be.
  std::optional<TileNumbers> fewest_outer(TileNumbers, Label) const;
  /// The fewest tiles of the inner loop with which these numbers fit.
  std::optional<TileNumbers> fewest_inner(TileNumbers) const;
  /// Numbers that fit, with as few outer tiles of a label as leave it so.
  TileNumbers with_coarsest(TileNumbers, Label) const;

  /// The next number of tiles with a smaller block, or nothing after blocks of one element.
  std::optional<double> next(Label, double number) const;
  /// Numbers of tiles that differ by a factor of `step`; all up to 32 where the step is below 1.5.
  std::vector<double> thinned(Label, double step) const;
  /// Up to 64 numbers of tiles within 5 per cent of a label's.
  std::vector<double> all_near(Label, const TileNumbers&) const;

 private:
  template <class Set>
  std::optional<TileNumbers> fewest(Label, Set&&) const;

  const BlockSizes& blocks_;
};

}  // namespace ricci::compile::parallel_disk
