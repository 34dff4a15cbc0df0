// Where the elements of one tile of a unit go in another distribution.
#include <algorithm>

#include "layout/redistribution.hpp"
#include "symmetry/packed.hpp"

namespace ricci::layout {

namespace {

struct Interval {
  std::int64_t begin, end;
  std::int64_t size() const { return end - begin; }
  bool operator==(const Interval&) const = default;
};

Interval bounds(const Tiling& tiling, std::int64_t tile) {
  return {tiling.begin(tile), tiling.begin(tile) + tiling.size(tile)};
}

/// What the index of one mode adds to the place of an element in its tile.
class Term {
 public:
  Term(const Unit& unit, const std::vector<TileRun>& runs, int mode) : strict_(unit.strict()) {
    const auto run = std::find_if(runs.begin(), runs.end(),
                                  [&](const TileRun& r) { return r.first <= mode && mode < r.first + r.degree; });
    position_ = mode - run->first;
    stride_ = run->stride;
    begin_ = unit.tiling().begin(run->tile);
  }
  std::int64_t operator()(std::int64_t index) const {
    return stride_ * symmetry::rank_term(strict_, index - begin_, position_);
  }
  /// A first index counts as it is; others by binomials.
  bool linear() const { return position_ == 0; }
  std::int64_t step() const { return stride_; }

 private:
  bool strict_;
  int position_;
  std::int64_t stride_, begin_;
};

/// The loop over sorted indices of consecutive modes, all within one interval.
class RunLoop {
 public:
  RunLoop(bool strict, Interval interval, std::vector<Term> from, std::vector<Term> to)
      : strict_(strict), interval_(interval), from_(std::move(from)), to_(std::move(to)) {
    linear_ = from_[0].linear() && to_[0].linear();
    loop_.from_step = linear_ ? from_[0].step() : 0;
    loop_.to_step = linear_ ? to_[0].step() : 0;
    choose(static_cast<int>(from_.size()) - 1, interval_.end, 0, 0);
  }
  Loop take() { return std::move(loop_); }

 private:
  /// Index `mode` runs below `end` (the index of the next mode, which comes before it in the nest).
  void choose(int mode, std::int64_t end, std::int64_t from, std::int64_t to) {
    const std::int64_t first = interval_.begin + (strict_ ? mode : 0);  // leaves room for the modes before
    if (mode == 0 && linear_) {
      if (end > first) loop_.segments.push_back({from + from_[0](first), to + to_[0](first), end - first});
      return;
    }
    for (std::int64_t i = first; i < end; ++i) {
      const std::int64_t here_from = from + from_[mode](i), here_to = to + to_[mode](i);
      if (mode == 0) {
        loop_.segments.push_back({here_from, here_to, 1});
      } else {
        choose(mode - 1, strict_ ? i : i + 1, here_from, here_to);
      }
    }
  }

  bool strict_, linear_;
  Interval interval_;
  std::vector<Term> from_, to_;
  Loop loop_;
};

/// A run that is whole on both sides is one long loop.
bool is_whole(const std::vector<TileRun>& runs, int first, int degree, const Tiling& tiling, Interval interval) {
  return std::any_of(runs.begin(), runs.end(), [&](const TileRun& run) {
    return run.first == first && run.degree == degree && bounds(tiling, run.tile) == interval;
  });
}

std::unique_ptr<UnitPiece> make_piece(const Unit& from, const Unit& to, const TileTuple& from_tile,
                                      const TileTuple& to_tile) {
  auto piece = std::make_unique<UnitPiece>();
  piece->from = from_tile;
  piece->to = to_tile;
  piece->size = 1;
  const auto from_runs = from.runs(from_tile), to_runs = to.runs(to_tile);
  const auto stride_of = [](const std::vector<TileRun>& runs, int first) {
    return std::find_if(runs.begin(), runs.end(), [&](const TileRun& run) { return run.first == first; })->stride;
  };
  for (int first = 0; first < from.degree();) {
    int end = first + 1;
    while (end < from.degree() && from_tile[end] == from_tile[first] && to_tile[end] == to_tile[first]) ++end;
    const Interval x = bounds(from.tiling(), from_tile[first]), y = bounds(to.tiling(), to_tile[first]);
    const Interval interval{std::max(x.begin, y.begin), std::min(x.end, y.end)};
    const int degree = end - first;
    const std::int64_t size =
        degree == 1 ? interval.size() : *symmetry::packed_size(from.strict(), interval.size(), degree);
    piece->size *= size;
    if (size == 0) return piece;
    if (degree > 1 && is_whole(from_runs, first, degree, from.tiling(), interval) &&
        is_whole(to_runs, first, degree, to.tiling(), interval)) {
      piece->loops.push_back({stride_of(from_runs, first), stride_of(to_runs, first), {{0, 0, size}}});
    } else {
      std::vector<Term> from_terms, to_terms;
      for (int mode = first; mode < end; ++mode) {
        from_terms.emplace_back(from, from_runs, mode);
        to_terms.emplace_back(to, to_runs, mode);
      }
      piece->loops.push_back(RunLoop(from.strict(), interval, std::move(from_terms), std::move(to_terms)).take());
    }
    first = end;
  }
  std::reverse(piece->loops.begin(), piece->loops.end());
  return piece;
}

/// Calls f with every sorted tuple of tiles of `other` that shares indices with a tile.
template <class F>
void for_each_overlap(const Tiling& tiling, const TileTuple& tile, const Tiling& other, F f) {
  const int degree = static_cast<int>(tile.size());
  std::vector<std::int64_t> first(degree), last(degree);
  for (int k = 0; k < degree; ++k) {
    const Interval interval = bounds(tiling, tile[k]);
    if (interval.size() == 0) return;
    first[k] = other.tile_of(interval.begin);
    last[k] = other.tile_of(interval.end - 1);
  }
  TileTuple tuple = first;
  for (int k = 1; k < degree; ++k) tuple[k] = std::max(first[k], tuple[k - 1]);
  for (;;) {
    f(tuple);
    int k = degree - 1;
    while (k >= 0 && tuple[k] == last[k]) --k;
    if (k < 0) return;
    ++tuple[k];
    for (int j = k + 1; j < degree; ++j) tuple[j] = std::max(first[j], tuple[j - 1]);
  }
}

}  // namespace

std::vector<std::unique_ptr<UnitPiece>> unit_pieces(const Unit& from, const Unit& to,
                                                    const std::vector<TileTuple>& tiles, bool backwards) {
  std::vector<std::unique_ptr<UnitPiece>> pieces;
  for (const TileTuple& tile : tiles) {
    const Unit &here = backwards ? to : from, &there = backwards ? from : to;
    for_each_overlap(here.tiling(), tile, there.tiling(), [&](const TileTuple& other) {
      auto piece = backwards ? make_piece(from, to, other, tile) : make_piece(from, to, tile, other);
      if (piece->size > 0) pieces.push_back(std::move(piece));
    });
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const auto& x, const auto& y) { return std::tie(x->from, x->to) < std::tie(y->from, y->to); });
  return pieces;
}

}  // namespace ricci::layout
