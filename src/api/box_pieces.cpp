#include "api/box_pieces.hpp"

#include <algorithm>
#include <array>

#include "symmetry/keys.hpp"

namespace ricci::detail {

BoxPieces::BoxPieces(const layout::Distribution& part, const layout::LocalTiles& tiles,
                     const std::vector<std::int64_t>& lo, const layout::Locator& whole)
    : elements_(part, tiles), lo_(lo), whole_(whole) {}

exec::Piece BoxPieces::piece() const {
  const symmetry::Shape& shape = whole_.distribution().shape();
  std::array<std::int64_t, symmetry::Shape::max_order> index{};
  for (std::size_t mode = 0; mode < lo_.size(); ++mode) index[mode] = lo_[mode] + elements_.index()[mode];
  const std::int64_t left = elements_.run() - in_run_;
  const bool runs = elements_.run() > 1;
  const int mode = elements_.run_mode();
  if (runs) index[static_cast<std::size_t>(mode)] += in_run_;
  const std::int64_t moving = runs ? index[static_cast<std::size_t>(mode)] : 0;
  exec::Piece piece{.here = done_, .count = 1};
  piece.factor = symmetry::sort_index(shape, index.data());
  if (piece.factor == 0) return piece;
  const layout::Spot spot = whole_.spot(index.data());
  piece.rank = spot.rank;
  piece.place = spot.place;
  if (runs) piece.count = std::min(left, whole_.run_along(index.data(), mode, moving));
  return piece;
}

std::vector<exec::Piece> BoxPieces::next(std::int64_t bytes, std::int64_t element_size) {
  // Twice as a piece and as a request, at either end; elements in a message at either end.
  constexpr std::int64_t bytes_a_piece = 2 * sizeof(exec::Piece) + 32;
  std::vector<exec::Piece> pieces;
  for (std::int64_t under_way = 0; !is_done() && (pieces.empty() || under_way < bytes);) {
    exec::Piece found = piece();
    const std::int64_t room = std::max<std::int64_t>(1, (bytes - under_way - bytes_a_piece) / (2 * element_size));
    found.count = std::min(found.count, room);
    done_ += found.count;
    in_run_ += found.count;
    if (in_run_ == elements_.run()) {
      elements_.skip_run();
      in_run_ = 0;
    }
    if (found.factor == 0) continue;
    under_way += bytes_a_piece + 2 * element_size * found.count;
    pieces.push_back(found);
  }
  return pieces;
}

}  // namespace ricci::detail
