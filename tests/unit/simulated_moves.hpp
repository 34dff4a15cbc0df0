#pragma once
// Redistributions of all ranks in one process: messages are vectors.
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/piece_copy.hpp"
#include "layout/local_elements.hpp"
#include "layout/redistribution.hpp"

namespace ricci::layout {

inline std::int64_t key_of(const symmetry::Shape& shape, std::span<const std::int64_t> index) {
  std::int64_t key = 0;
  for (int mode = 0; mode < shape.order(); ++mode) key += index[mode] * shape.full_strides()[mode];
  return key;
}

/// The elements of every rank, each holding its own key.
inline std::vector<std::vector<double>> keys_as_data(const Distribution& distribution) {
  std::vector<std::vector<double>> data;
  for (int rank = 0; rank < distribution.ranks(); ++rank) {
    const LocalTiles tiles = distribution.local(rank);
    LocalElements elements(distribution, tiles);
    auto& own = data.emplace_back();
    for (std::int64_t i = 0; i < elements.size(); ++i, elements.next()) {
      own.push_back(static_cast<double>(key_of(distribution.shape(), elements.index())));
    }
  }
  return data;
}

inline const std::byte* bytes(const std::vector<double>& data) {
  return reinterpret_cast<const std::byte*>(data.data());
}
inline std::byte* bytes(std::vector<double>& data) { return reinterpret_cast<std::byte*>(data.data()); }

/// What one rank sends another, round by round, as it is packed.
using Letters = std::vector<std::vector<double>>;

inline Letters pack_for(const Redistribution& moves, int peer, const std::vector<double>& tiles,
                        const kernels::PieceCopy& copy) {
  Letters letters;
  for (const Round& round : moves.sends().rounds) {
    std::vector<double> buffer(round.size, -1);
    copy.pack(std::span(moves.sends().pieces).subspan(round.first, round.last - round.first), bytes(tiles),
              bytes(buffer));
    for (const auto& message : round.messages) {
      if (message.peer != peer) continue;
      letters.emplace_back(buffer.begin() + message.begin, buffer.begin() + message.begin + message.size);
    }
  }
  return letters;
}

inline void move_pieces(const std::vector<const Redistribution*>& moves, int rank,
                        const std::vector<std::vector<double>>& source, const kernels::PieceCopy& copy,
                        std::vector<double>& result) {
  copy.copy(moves[rank]->stays(), bytes(source[rank]), bytes(result));
  std::vector<Letters> letters(moves.size());
  for (std::size_t peer = 0; peer < moves.size(); ++peer) {
    ASSERT_EQ(moves[rank]->received()[peer], moves[peer]->sent()[rank]);
    letters[peer] = pack_for(*moves[peer], rank, source[peer], copy);
  }
  std::vector<std::size_t> next(moves.size(), 0);
  for (const Round& round : moves[rank]->receives().rounds) {
    std::vector<double> buffer(round.size, -1);
    for (const auto& message : round.messages) {
      ASSERT_LT(next[message.peer], letters[message.peer].size());
      const std::vector<double>& letter = letters[message.peer][next[message.peer]++];
      ASSERT_EQ(static_cast<std::int64_t>(letter.size()), message.size);
      std::copy(letter.begin(), letter.end(), buffer.begin() + message.begin);
    }
    copy.unpack(std::span(moves[rank]->receives().pieces).subspan(round.first, round.last - round.first), bytes(buffer),
                bytes(result));
  }
  for (std::size_t peer = 0; peer < moves.size(); ++peer) EXPECT_EQ(next[peer], letters[peer].size());
}

inline void move_tiles(const std::vector<Redistribution>& moves, int rank,
                       const std::vector<std::vector<double>>& source, std::vector<double>& result) {
  for (const auto& tile : moves[rank].tile_stays()) {
    std::copy_n(source[rank].begin() + tile.from_begin, tile.size, result.begin() + tile.to_begin);
  }
  std::vector<std::size_t> next(moves.size(), 0);
  for (const auto& tile : moves[rank].tile_receives()) {
    // The peer's sends to this rank arrive in their order.
    const auto& sends = moves[tile.peer].tile_sends();
    std::size_t& at = next[tile.peer];
    while (sends[at].peer != rank) ++at;
    ASSERT_EQ(sends[at].size, tile.size);
    std::copy_n(source[tile.peer].begin() + sends[at].begin, tile.size, result.begin() + tile.begin);
    ++at;
  }
}

/// What a rank has afterwards, `size` elements of it.
inline std::vector<double> moved(const std::vector<Redistribution>& moves, int rank,
                                 const std::vector<std::vector<double>>& source, std::size_t size, int threads = 1) {
  std::vector<double> result(size, -2);
  if (moves[rank].by_tiles()) {
    move_tiles(moves, rank, source, result);
  } else {
    std::vector<const Redistribution*> all;
    for (const Redistribution& of_rank : moves) all.push_back(&of_rank);
    move_pieces(all, rank, source, kernels::PieceCopy{sizeof(double), threads}, result);
  }
  return result;
}

}  // namespace ricci::layout
