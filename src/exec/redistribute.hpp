#pragma once
// Moving a tensor from one distribution to another, as layout::Redistribution says.
#include <algorithm>
#include <cstddef>

#include "comm/communicator.hpp"
#include "layout/redistribution.hpp"
#include "util/buffer_pool.hpp"

namespace ricci::exec {

struct Redistribute {
  const layout::Redistribution& moves;
  std::size_t element_size;
  int threads;
  BufferPool& pool;

  /// Collective. `from` and `to` hold this rank's tiles of each distribution and do not overlap. Sends
  /// moves.total_sent() elements, each of which changes its rank.
  void run(const comm::Communicator& communicator, const std::byte* from, std::byte* to) const;
  /// Elements of the buffers of a run.
  static std::int64_t buffer_elements(const layout::Redistribution& moves) {
    return room(moves.sends()) + room(moves.receives());
  }
  /// Only what stays on the rank. Not collective.
  void keep(const std::byte* from, std::byte* to) const;

 private:
  /// Two rounds are under way at a time, where there are two.
  static std::int64_t room(const layout::Parcels& parcels) {
    return std::min<std::int64_t>(2, static_cast<std::int64_t>(parcels.rounds.size())) * parcels.largest_round();
  }
  void move_tiles(const comm::Communicator& communicator, const std::byte* from, std::byte* to) const;
  void move_pieces(const comm::Communicator& communicator, const std::byte* from, std::byte* to) const;
};

}  // namespace ricci::exec
