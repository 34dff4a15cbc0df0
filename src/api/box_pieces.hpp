#pragma once
// Where the elements of a part of a tensor are in the whole, run by run.
#include <cstdint>
#include <vector>

#include "exec/piece_exchange.hpp"
#include "layout/distribution.hpp"
#include "layout/local_elements.hpp"
#include "layout/locator.hpp"

namespace ricci::detail {

/// A walk through the elements that a rank has of a box. Refers to all that it is given.
class BoxPieces {
 public:
  /// `lo`: where the box begins in the whole. What vanishes in the whole is left out.
  BoxPieces(const layout::Distribution& part, const layout::LocalTiles& tiles, const std::vector<std::int64_t>& lo,
            const layout::Locator& whole);

  /// The next pieces, whose ranks are those of copy 0: as many as take at most so many bytes, under way with elements
  /// of that size, but one at least. None at the end.
  std::vector<exec::Piece> next(std::int64_t bytes, std::int64_t element_size);
  bool is_done() const { return done_ == elements_.size(); }

 private:
  /// The piece that begins with the present element, and how many elements it accounts for; factor 0 where they vanish.
  exec::Piece piece() const;

  layout::LocalElements elements_;
  const std::vector<std::int64_t>& lo_;
  const layout::Locator& whole_;
  std::int64_t done_ = 0, in_run_ = 0;  // elements; of the run that the walk is at
};

}  // namespace ricci::detail
