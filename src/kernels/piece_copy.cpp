#include "kernels/piece_copy.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

#include "util/parallel.hpp"

namespace ricci::kernels {

namespace {

using layout::Loop;
using layout::Piece;
using layout::Segment;
using layout::Turns;

struct Word16 {
  std::uint64_t low, high;
};

enum class Ends { tile_to_message, message_to_tile, tile_to_tile };

constexpr bool reads_tile(Ends ends) { return ends != Ends::message_to_tile; }
constexpr bool writes_tile(Ends ends) { return ends != Ends::tile_to_message; }

/// A loop with the strides of its piece applied. A single segment has no list.
struct Level {
  std::span<const Segment> segments;
  Segment single;  // instead of `segments` where they are one
  std::int64_t from_scale, to_scale, from_step, to_step;

  std::span<const Segment> get() const { return segments.empty() ? std::span(&single, 1) : segments; }
  bool is_single() const { return segments.empty(); }
};

/// Whether an inner loop continues the outer one, so that both are one.
bool continues(const Level& outer, const Level& inner, Ends ends) {
  if (!outer.is_single() || !inner.is_single()) return false;
  const std::int64_t turns = inner.single.count;
  return (!reads_tile(ends) || outer.from_step == turns * inner.from_step) &&
         (!writes_tile(ends) || outer.to_step == turns * inner.to_step);
}

/// The loops of a piece, slowest first, as few as possible, and where it begins. Made again for each piece, in the
/// memory of the one before.
class Nest {
 public:
  std::int64_t from = 0, to = 0;
  const std::vector<Level>& levels() const { return levels_; }

  void set(const Piece& piece, Ends ends) {
    levels_.clear();
    cut_segments_.clear();
    from = piece.from_begin;
    to = piece.to_begin;
    std::size_t number = 0;
    for (std::size_t u = 0; u < piece.units.size(); ++u) {
      const std::int64_t from_scale = reads_tile(ends) ? piece.from_stride[u] : 0;
      const std::int64_t to_scale = writes_tile(ends) ? piece.to_stride[u] : 0;
      for (const Loop& loop : piece.units[u]->loops) {
        const Turns turns = number < piece.cut.size() ? piece.cut[number] : Turns{0, loop.turns};
        add(level_of(loop, turns, from_scale, to_scale, ends), ends);
        ++number;
      }
    }
    if (levels_.empty()) levels_.push_back({{}, {0, 0, 1}, 0, 0, 1, 1});
  }

 private:
  void add(Level level, Ends ends) {
    if (level.is_single()) {
      from += level.single.from * level.from_scale;
      to += level.single.to * level.to_scale;
      level.single.from = level.single.to = 0;
      if (level.single.count == 1 && !levels_.empty()) return;
    }
    if (!levels_.empty() && continues(levels_.back(), level, ends)) {
      level.single.count *= levels_.back().single.count;
      levels_.back() = level;
    } else {
      levels_.push_back(level);
    }
  }

  Level level_of(const Loop& loop, Turns turns, std::int64_t from_scale, std::int64_t to_scale, Ends ends) {
    Level level{{}, {}, from_scale, to_scale, loop.from_step * from_scale, loop.to_step * to_scale};
    const bool from_is_line = !reads_tile(ends) || loop.from_line.step != 0;
    const bool to_is_line = !writes_tile(ends) || loop.to_line.step != 0;
    if (from_is_line && to_is_line) {
      level.single = {loop.from_line.first + turns.first * loop.from_line.step,
                      loop.to_line.first + turns.first * loop.to_line.step, turns.count};
      level.from_step = loop.from_line.step * from_scale;
      level.to_step = loop.to_line.step * to_scale;
    } else if (loop.segments.size() == 1) {
      const Segment& all = loop.segments[0];
      level.single = {all.from + turns.first * loop.from_step, all.to + turns.first * loop.to_step, turns.count};
    } else if (turns.count == loop.turns) {
      level.segments = loop.segments;
    } else {
      level.segments = cut(loop, turns);
      if (level.segments.size() == 1) {
        level.single = level.segments[0];
        level.segments = {};
      }
    }
    return level;
  }

  std::span<const Segment> cut(const Loop& loop, Turns turns) {
    std::vector<Segment>& segments = cut_segments_.emplace_back();
    std::int64_t before = 0;
    for (const Segment& segment : loop.segments) {
      const std::int64_t first = std::max(turns.first - before, std::int64_t{0});
      const std::int64_t last = std::min(turns.first + turns.count - before, segment.count);
      if (first < last) {
        segments.push_back({segment.from + first * loop.from_step, segment.to + first * loop.to_step, last - first});
      }
      before += segment.count;
    }
    return segments;
  }

  std::vector<Level> levels_;
  std::deque<std::vector<Segment>> cut_segments_;
};

/// Runs are often short, and a call of memcpy would cost more than the copy. So fixed chunks, the last of them
/// overlapping the one before.
template <class Word>
[[gnu::always_inline]] inline void copy_contiguous(const Word* from, Word* to, std::int64_t count) {
  constexpr std::int64_t large = 1024 / sizeof(Word), chunk = 64 / sizeof(Word), half = chunk / 2;
  if (count >= large) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Word));
  } else if (count >= chunk) {
    for (std::int64_t i = 0; i + chunk <= count; i += chunk) std::memcpy(to + i, from + i, chunk * sizeof(Word));
    if (count % chunk != 0) std::memcpy(to + count - chunk, from + count - chunk, chunk * sizeof(Word));
  } else if (count >= half) {
    std::memcpy(to, from, half * sizeof(Word));
    std::memcpy(to + count - half, from + count - half, half * sizeof(Word));
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
  }
}

/// One walk through a nest. The message is read or written in order.
template <class Word, Ends ends>
class Walk {
 public:
  Walk(const Nest& nest, const Word* from, Word* to) : nest_(nest), from_(from), to_(to) {}

  void run() { level(0, nest_.from, nest_.to); }

 private:
  void level(std::size_t depth, std::int64_t from, std::int64_t to) {
    const Level& level_here = nest_.levels()[depth];
    const bool innermost = depth + 1 == nest_.levels().size();
    for (const Segment& segment : level_here.get()) {
      std::int64_t x = from + segment.from * level_here.from_scale, y = to + segment.to * level_here.to_scale;
      if (innermost) {
        copy_run(x, y, level_here.from_step, level_here.to_step, segment.count);
        continue;
      }
      const Level& inner = nest_.levels()[depth + 1];
      if (depth + 2 == nest_.levels().size() && inner.is_single()) {
        for (std::int64_t i = 0; i < segment.count; ++i) {
          copy_run(x, y, inner.from_step, inner.to_step, inner.single.count);
          x += level_here.from_step;
          y += level_here.to_step;
        }
        continue;
      }
      for (std::int64_t i = 0; i < segment.count; ++i) {
        level(depth + 1, x, y);
        x += level_here.from_step;
        y += level_here.to_step;
      }
    }
  }

  [[gnu::always_inline]] void copy_run(std::int64_t x, std::int64_t y, std::int64_t from_step, std::int64_t to_step,
                                       std::int64_t count) {
    const Word* from = from_;
    Word* to = to_;
    if constexpr (reads_tile(ends)) {
      from += x;
    } else {
      from_ += count;
      from_step = 1;
    }
    if constexpr (writes_tile(ends)) {
      to += y;
    } else {
      to_ += count;
      to_step = 1;
    }
    if (from_step == 1 && to_step == 1) return copy_contiguous(from, to, count);
    for (std::int64_t i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
  }

  const Nest& nest_;
  const Word* from_;
  Word* to_;
};

template <Ends ends>
void run_all(const PieceCopy& settings, std::span<const Piece> pieces, const std::byte* from, std::byte* to) {
  const auto run = [&]<class Word>(Word*) {
    const auto count = static_cast<std::int64_t>(pieces.size());
    const auto team = static_cast<int>(std::clamp<std::int64_t>(settings.threads, 1, std::max<std::int64_t>(count, 1)));
    run_on_threads(team, [&](int thread) {
      Nest nest;
      for (std::int64_t i = thread; i < count; i += team) {
        const Piece& piece = pieces[i];
        const Word* source = reinterpret_cast<const Word*>(from);
        Word* target = reinterpret_cast<Word*>(to);
        if (!reads_tile(ends)) source += piece.at_buffer;
        if (!writes_tile(ends)) target += piece.at_buffer;
        nest.set(piece, ends);
        Walk<Word, ends>(nest, source, target).run();
      }
    });
  };
  switch (settings.element_size) {
    case 4:
      return run(static_cast<std::uint32_t*>(nullptr));
    case 8:
      return run(static_cast<std::uint64_t*>(nullptr));
    default:
      return run(static_cast<Word16*>(nullptr));
  }
}

}  // namespace

void PieceCopy::pack(std::span<const Piece> pieces, const std::byte* tiles, std::byte* buffer) const {
  run_all<Ends::tile_to_message>(*this, pieces, tiles, buffer);
}

void PieceCopy::unpack(std::span<const Piece> pieces, const std::byte* buffer, std::byte* tiles) const {
  run_all<Ends::message_to_tile>(*this, pieces, buffer, tiles);
}

void PieceCopy::copy(std::span<const Piece> pieces, const std::byte* from, std::byte* to) const {
  run_all<Ends::tile_to_tile>(*this, pieces, from, to);
}

}  // namespace ricci::kernels
