#include <algorithm>

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

}  // namespace

void cut_piece(const Piece& piece, std::int64_t largest, std::vector<Piece>& parts) {
  if (piece.size <= largest) {
    parts.push_back(piece);
  } else {
    Cutter(piece, largest, parts).cut(0, piece.size);
  }
}

}  // namespace ricci::layout
