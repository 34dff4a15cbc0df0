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

/// The line that turns follow on one side, given where each segment begins there.
template <class Begin>
Line line_of(const std::vector<Segment>& segments, std::int64_t segment_step, Begin begin) {
  const std::int64_t first = begin(segments[0]);
  const bool by_segments = segments[0].count == 1 && segments.size() > 1;
  const std::int64_t step = by_segments ? begin(segments[1]) - first : segment_step;
  std::int64_t next = first;
  for (const Segment& segment : segments) {
    if (begin(segment) != next || (segment.count > 1 && step != segment_step)) return {};
    next += segment.count * step;
  }
  return {first, step};
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
  /// In an array that is not packed.
  explicit Term(std::int64_t stride) : strict_(false), position_(0), stride_(stride), begin_(0) {}
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
    choose(static_cast<int>(from_.size()) - 1, interval_.end, 0, 0);
  }
  Loop take() { return Loop(linear_ ? from_[0].step() : 0, linear_ ? to_[0].step() : 0, std::move(segments_)); }

 private:
  /// Index `mode` runs below `end` (the index of the next mode, which comes before it in the nest).
  void choose(int mode, std::int64_t end, std::int64_t from, std::int64_t to) {
    const std::int64_t first = interval_.begin + (strict_ ? mode : 0);  // leaves room for the modes before
    if (mode == 0 && linear_) {
      if (end > first) segments_.push_back({from + from_[0](first), to + to_[0](first), end - first});
      return;
    }
    for (std::int64_t i = first; i < end; ++i) {
      const std::int64_t here_from = from + from_[mode](i), here_to = to + to_[mode](i);
      if (mode == 0) {
        segments_.push_back({here_from, here_to, 1});
      } else {
        choose(mode - 1, strict_ ? i : i + 1, here_from, here_to);
      }
    }
  }

  bool strict_, linear_;
  Interval interval_;
  std::vector<Term> from_, to_;
  std::vector<Segment> segments_;
};

/// A run that is whole on both sides is one long loop.
bool is_whole(const std::vector<TileRun>& runs, int first, int degree, const Tiling& tiling, Interval interval) {
  return std::any_of(runs.begin(), runs.end(), [&](const TileRun& run) {
    return run.first == first && run.degree == degree && bounds(tiling, run.tile) == interval;
  });
}

}  // namespace

namespace {

/// Consecutive modes that share their tile on either side, and the indices that they have in common.
struct CommonRun {
  int first, degree;
  Interval interval;
  std::int64_t size;
};

std::vector<CommonRun> common_runs(const Unit& from, const Unit& to, const TileTuple& from_tile,
                                   const TileTuple& to_tile) {
  std::vector<CommonRun> runs;
  for (int first = 0; first < from.degree();) {
    int end = first + 1;
    while (end < from.degree() && from_tile[end] == from_tile[first] && to_tile[end] == to_tile[first]) ++end;
    const Interval x = bounds(from.tiling(), from_tile[first]), y = bounds(to.tiling(), to_tile[first]);
    const Interval interval{std::max(x.begin, y.begin), std::min(x.end, y.end)};
    const int degree = end - first;
    const std::int64_t extent = std::max<std::int64_t>(0, interval.size());
    runs.push_back(
        {first, degree, interval, degree == 1 ? extent : *symmetry::packed_size(from.strict(), extent, degree)});
    first = end;
  }
  return runs;
}

}  // namespace

std::int64_t common_elements(const Unit& unit, const TileTuple& tile, const Unit& other, const TileTuple& other_tile) {
  std::int64_t size = 1;
  for (const CommonRun& run : common_runs(unit, other, tile, other_tile)) size *= run.size;
  return size;
}

std::unique_ptr<UnitPiece> unit_piece(const Unit& from, const Unit& to, const TileTuple& from_tile,
                                      const TileTuple& to_tile) {
  auto piece = std::make_unique<UnitPiece>();
  piece->from = from_tile;
  piece->to = to_tile;
  piece->size = 1;
  const auto from_runs = from.runs(from_tile), to_runs = to.runs(to_tile);
  const auto stride_of = [](const std::vector<TileRun>& runs, int first) {
    return std::find_if(runs.begin(), runs.end(), [&](const TileRun& run) { return run.first == first; })->stride;
  };
  for (const CommonRun& run : common_runs(from, to, from_tile, to_tile)) {
    const auto [first, degree, interval, size] = run;
    piece->size *= size;
    if (size == 0) return piece;
    if (degree > 1 && is_whole(from_runs, first, degree, from.tiling(), interval) &&
        is_whole(to_runs, first, degree, to.tiling(), interval)) {
      piece->loops.push_back(
          Loop(stride_of(from_runs, first), stride_of(to_runs, first), std::vector<Segment>{{0, 0, size}}));
    } else {
      std::vector<Term> from_terms, to_terms;
      for (int mode = first; mode < first + degree; ++mode) {
        from_terms.emplace_back(from, from_runs, mode);
        to_terms.emplace_back(to, to_runs, mode);
      }
      piece->loops.push_back(RunLoop(from.strict(), interval, std::move(from_terms), std::move(to_terms)).take());
    }
  }
  std::reverse(piece->loops.begin(), piece->loops.end());
  return piece;
}

namespace {

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

std::vector<TileTuple> overlapping(const Unit& unit, const TileTuple& tile, const Unit& other) {
  std::vector<TileTuple> result;
  for_each_overlap(unit.tiling(), tile, other.tiling(), [&](const TileTuple& tuple) { result.push_back(tuple); });
  return result;
}

Loop::Loop(std::int64_t from_step, std::int64_t to_step, std::vector<Segment> segments)
    : from_step(from_step), to_step(to_step), segments(std::move(segments)) {
  for (const Segment& segment : this->segments) turns += segment.count;
  if (turns == 0) return;
  from_line = line_of(this->segments, from_step, [](const Segment& segment) { return segment.from; });
  to_line = line_of(this->segments, to_step, [](const Segment& segment) { return segment.to; });
}

std::vector<std::unique_ptr<UnitPiece>> unit_pieces(const Unit& from, const Unit& to,
                                                    const std::vector<TileTuple>& tiles, bool backwards) {
  std::vector<std::unique_ptr<UnitPiece>> pieces;
  for (const TileTuple& tile : tiles) {
    const Unit &here = backwards ? to : from, &there = backwards ? from : to;
    for_each_overlap(here.tiling(), tile, there.tiling(), [&](const TileTuple& other) {
      auto piece = backwards ? unit_piece(from, to, other, tile) : unit_piece(from, to, tile, other);
      if (piece->size > 0) pieces.push_back(std::move(piece));
    });
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const auto& x, const auto& y) { return std::tie(x->from, x->to) < std::tie(y->from, y->to); });
  return pieces;
}

std::unique_ptr<UnitPiece> dense_unit_piece(const Unit& to, const TileTuple& tile,
                                            std::span<const std::int64_t> strides) {
  auto piece = std::make_unique<UnitPiece>();
  piece->from = piece->to = tile;
  piece->size = to.size(tile);
  const auto runs = to.runs(tile);
  for (const TileRun& run : runs) {
    std::vector<Term> from_terms, to_terms;
    for (int mode = run.first; mode < run.first + run.degree; ++mode) {
      from_terms.emplace_back(strides[to.modes()[mode]]);
      to_terms.emplace_back(to, runs, mode);
    }
    piece->loops.push_back(
        RunLoop(to.strict(), bounds(to.tiling(), run.tile), std::move(from_terms), std::move(to_terms)).take());
  }
  return piece;
}

}  // namespace ricci::layout
