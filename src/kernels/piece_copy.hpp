#pragma once
// Copying pieces (layout/redistribution.hpp) between tiles and messages: nested loops over runs, no index an element.
#include <cstddef>
#include <cstdint>

#include "layout/redistribution.hpp"

namespace ricci::kernels {

/// Elements are `element_size` bytes (4, 8 or 16). Each works on several threads where the pieces allow it.
struct PieceCopy {
  std::size_t element_size;
  int threads;

  /// Pieces of this rank's tiles into messages: piece p goes to message_begin[p.peer] + p.at_message (in elements).
  void pack(const std::vector<layout::Piece>& pieces, const std::byte* tiles,
            const std::vector<std::int64_t>& message_begin, std::byte* messages) const;
  /// And back.
  void unpack(const std::vector<layout::Piece>& pieces, const std::byte* messages,
              const std::vector<std::int64_t>& message_begin, std::byte* tiles) const;
  /// From tile to tile.
  void copy(const std::vector<layout::Piece>& pieces, const std::byte* from, std::byte* to) const;
};

}  // namespace ricci::kernels
