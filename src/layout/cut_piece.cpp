#include <algorithm>
#include <utility>

#include "layout/redistribution.hpp"

namespace ricci::layout {

namespace {

class Cutter {
 public:
  Cutter(const Piece& piece, std::int64_t largest, std::vector<Piece>& parts)
      : piece_(piece), largest_(largest), parts_(parts) {
    for (const UnitPiece* unit : piece.units) {
      for (const Loop& loop : unit->loops) turns_.push_back(loop.turns);
    }
  }

  /// Some turns of a loop are a part where one turn is small enough; else each turn is cut in the next loop.
  void cut(std::size_t loop, std::int64_t size) {
    const std::int64_t turn = size / turns_[loop];
    const bool deeper = turn > largest_;
    const std::int64_t step = deeper ? 1 : largest_ / turn;
    for (std::int64_t first = 0; first < turns_[loop]; first += step) {
      const std::int64_t count = std::min(step, turns_[loop] - first);
      at_.push_back({first, count});
      if (deeper) {
        cut(loop + 1, turn);
      } else {
        Piece& part = parts_.emplace_back(piece_);
        part.size = count * turn;
        part.cut = at_;
      }
      at_.pop_back();
    }
  }

 private:
  const Piece& piece_;
  std::int64_t largest_;
  std::vector<Piece>& parts_;
  std::vector<std::int64_t> turns_;
  std::vector<Turns> at_;
};

/// The turns of a loop of a piece, the outermost being number 0.
std::int64_t turns_of(const Piece& piece, std::size_t loop) {
  for (const UnitPiece* unit : piece.units) {
    if (loop < unit->loops.size()) return unit->loops[loop].turns;
    loop -= unit->loops.size();
  }
  return 1;
}

}  // namespace

void cut_piece(const Piece& piece, std::int64_t largest, std::vector<Piece>& parts) {
  if (piece.size <= largest) {
    parts.push_back(piece);
  } else {
    Cutter(piece, largest, parts).cut(0, piece.size);
  }
}

void split_piece(Piece piece, std::int64_t at, std::int64_t slack, std::vector<Piece>& parts) {
  if (at <= slack || piece.size - at <= slack) {
    parts.push_back(std::move(piece));
    return;
  }
  // Some turns of the innermost loop that is cut; a single one is all turns of the next loop.
  while (piece.cut.empty() || piece.cut.back().count == 1) {
    piece.cut.push_back({0, turns_of(piece, piece.cut.size())});
  }
  const Turns turns = piece.cut.back();
  const std::int64_t turn = piece.size / turns.count, before = at / turn, within = at % turn;
  const auto part = [&](std::int64_t first, std::int64_t count) {
    Piece some = piece;
    some.size = count * turn;
    some.cut.back() = {turns.first + first, count};
    return some;
  };
  if (before > 0) parts.push_back(part(0, before));
  if (within > 0) split_piece(part(before, 1), within, slack, parts);
  const std::int64_t after = before + (within > 0 ? 1 : 0);
  if (after < turns.count) parts.push_back(part(after, turns.count - after));
}

}  // namespace ricci::layout
