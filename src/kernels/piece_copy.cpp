#include "kernels/piece_copy.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "util/parallel.hpp"

namespace ricci::kernels {

namespace {

using layout::Loop;
using layout::Piece;
using layout::Segment;

struct Word16 {
  std::uint64_t low, high;
};

/// A loop with the strides of its piece applied. A single segment may be cut to a part.
struct Level {
  std::span<const Segment> segments;
  Segment single;  // instead of `segments` where they are one
  std::int64_t from_scale, to_scale, from_step, to_step;

  std::span<const Segment> get() const { return segments.empty() ? std::span(&single, 1) : segments; }
  bool is_single() const { return segments.empty(); }
};

enum class Ends { tile_to_message, message_to_tile, tile_to_tile };

constexpr bool reads_tile(Ends ends) { return ends != Ends::message_to_tile; }
constexpr bool writes_tile(Ends ends) { return ends != Ends::tile_to_message; }

/// Whether an inner loop continues the outer one, so that both are one.
bool continues(const Level& outer, const Level& inner, Ends ends) {
  if (!outer.is_single() || !inner.is_single()) return false;
  const std::int64_t turns = inner.single.count;
  return (!reads_tile(ends) || outer.from_step == turns * inner.from_step) &&
         (!writes_tile(ends) || outer.to_step == turns * inner.to_step);
}

/// The loops of a piece, slowest first, as few as possible, and where it begins.
struct Nest {
  std::vector<Level> levels;
  std::int64_t from = 0, to = 0;
};

Nest nest_of(const Piece& piece, Ends ends) {
  Nest nest{{}, piece.from_begin, piece.to_begin};
  for (std::size_t u = 0; u < piece.units.size(); ++u) {
    const std::int64_t from_scale = reads_tile(ends) ? piece.from_stride[u] : 0;
    const std::int64_t to_scale = writes_tile(ends) ? piece.to_stride[u] : 0;
    for (const Loop& loop : piece.units[u]->loops) {
      Level level{loop.segments, {}, from_scale, to_scale, loop.from_step * from_scale, loop.to_step * to_scale};
      if (loop.segments.size() == 1) {
        level.segments = {};
        level.single = {0, 0, loop.segments[0].count};
        nest.from += loop.segments[0].from * from_scale;
        nest.to += loop.segments[0].to * to_scale;
        if (level.single.count == 1 && !nest.levels.empty()) continue;
      }
      if (!nest.levels.empty() && continues(nest.levels.back(), level, ends)) {
        level.single.count *= nest.levels.back().single.count;
        nest.levels.back() = level;
      } else {
        nest.levels.push_back(level);
      }
    }
  }
  if (nest.levels.empty()) nest.levels.push_back({{}, {0, 0, 1}, 0, 0, 1, 1});
  return nest;
}

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
    const Level& level_here = nest_.levels[depth];
    const bool innermost = depth + 1 == nest_.levels.size();
    for (const Segment& segment : level_here.get()) {
      std::int64_t x = from + segment.from * level_here.from_scale, y = to + segment.to * level_here.to_scale;
      if (innermost) {
        copy_run(x, y, level_here.from_step, level_here.to_step, segment.count);
        continue;
      }
      const Level& inner = nest_.levels[depth + 1];
      if (depth + 2 == nest_.levels.size() && inner.is_single()) {
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

/// A piece, or turns [first, first + count) of its outermost loop, where that is one segment.
struct Share {
  static constexpr std::int64_t whole = -1;
  const Piece* piece;
  std::int64_t first, count;
};

/// Large pieces are cut so that all threads find work.
std::vector<Share> shares_of(const std::vector<Piece>& pieces, Ends ends, int threads) {
  std::int64_t total = 0;
  for (const Piece& piece : pieces) total += piece.size;
  const std::int64_t aim = std::max<std::int64_t>(4096, total / (4 * std::max(threads, 1)) + 1);
  std::vector<Share> shares;
  for (const Piece& piece : pieces) {
    std::int64_t turns = 1;
    if (threads > 1 && piece.size > 2 * aim) {
      const Nest nest = nest_of(piece, ends);
      if (nest.levels[0].is_single()) turns = nest.levels[0].single.count;
    }
    const std::int64_t parts = std::min(turns, std::max<std::int64_t>(1, piece.size / aim));
    if (parts == 1) {
      shares.push_back({&piece, 0, Share::whole});
      continue;
    }
    for (std::int64_t p = 0; p < parts; ++p) {
      const std::int64_t first = turns * p / parts;
      shares.push_back({&piece, first, turns * (p + 1) / parts - first});
    }
  }
  return shares;
}

template <class Word, Ends ends>
void run_share(const Share& share, const Word* from, Word* to) {
  Nest nest = nest_of(*share.piece, ends);
  Level& outermost = nest.levels[0];
  if (share.count != Share::whole) {
    const std::int64_t turn = share.piece->size / outermost.single.count;
    nest.from += share.first * outermost.from_step;
    nest.to += share.first * outermost.to_step;
    if (!reads_tile(ends)) from += share.first * turn;
    if (!writes_tile(ends)) to += share.first * turn;
    outermost.single.count = share.count;
  }
  Walk<Word, ends>(nest, from, to).run();
}

template <Ends ends, class Message>
void run_all(const PieceCopy& settings, const std::vector<Piece>& pieces, const std::byte* from, std::byte* to,
             Message message_begin) {
  const std::vector<Share> shares = shares_of(pieces, ends, settings.threads);
  const auto run = [&]<class Word>(Word*) {
    parallel_for(static_cast<std::int64_t>(shares.size()), settings.threads, [&](std::int64_t i) {
      const Share& share = shares[i];
      const Word* source = reinterpret_cast<const Word*>(from);
      Word* target = reinterpret_cast<Word*>(to);
      if (!reads_tile(ends)) source += message_begin(*share.piece);
      if (!writes_tile(ends)) target += message_begin(*share.piece);
      run_share<Word, ends>(share, source, target);
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

void PieceCopy::pack(const std::vector<Piece>& pieces, const std::byte* tiles,
                     const std::vector<std::int64_t>& message_begin, std::byte* messages) const {
  run_all<Ends::tile_to_message>(*this, pieces, tiles, messages,
                                 [&](const Piece& piece) { return message_begin[piece.peer] + piece.at_message; });
}

void PieceCopy::unpack(const std::vector<Piece>& pieces, const std::byte* messages,
                       const std::vector<std::int64_t>& message_begin, std::byte* tiles) const {
  run_all<Ends::message_to_tile>(*this, pieces, messages, tiles,
                                 [&](const Piece& piece) { return message_begin[piece.peer] + piece.at_message; });
}

void PieceCopy::copy(const std::vector<Piece>& pieces, const std::byte* from, std::byte* to) const {
  run_all<Ends::tile_to_tile>(*this, pieces, from, to, [](const Piece&) { return std::int64_t{0}; });
}

}  // namespace ricci::kernels
