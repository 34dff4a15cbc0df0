#pragma once
// Copying pieces (layout/redistribution.hpp) between tiles and messages: nested loops over runs, no index an element.
#include <cstddef>
#include <cstdint>
#include <span>

#include "layout/redistribution.hpp"

namespace ricci::kernels {

/// Elements are `element_size` bytes (4, 8 or 16). Each works on several threads where the pieces allow it.
struct PieceCopy {
  std::size_t element_size;
  int threads;

  /// Pieces of this rank's tiles into the buffer of a round, each to its place there.
  void pack(std::span<const layout::Piece> pieces, const std::byte* tiles, std::byte* buffer) const;
  /// And back.
  void unpack(std::span<const layout::Piece> pieces, const std::byte* buffer, std::byte* tiles) const;
  /// From tile to tile.
  void copy(std::span<const layout::Piece> pieces, const std::byte* from, std::byte* to) const;
};

}  // namespace ricci::kernels
