#pragma once
// What an operation reads from disk and writes there, to the byte.
#include <cstdint>
#include <map>
#include <vector>

#include "compile/choose_tiles.hpp"

namespace ricci::program {

/// [array]: the tiles of its modes.
using Tilings = std::map<int, std::vector<std::int64_t>>;

struct DiskBytes {
  std::int64_t read = 0, written = 0;
  DiskBytes& operator+=(const DiskBytes& other) {
    read += other.read;
    written += other.written;
    return *this;
  }
  bool operator==(const DiskBytes&) const = default;
};

/// Of one rank; unpacked boxes of files count, too. `tilings`: of the arrays on disk before the operation; one that is
/// not there has never been written, and reading it takes nothing. Blocks that the product before has needed, too, are
/// not read again.
DiskBytes predict_traffic(const compile::Formula& formula, const compile::BlockedOperation& operation,
                          const std::vector<compile::Home>& homes, const Tilings& tilings, int ranks, int rank);

/// All blocks of an array.
std::int64_t bytes_on_disk(const compile::Array& array, const std::vector<std::int64_t>& tiling, int ranks, int rank);

/// All blocks, canonical or not, read from disk and written unpacked to a file.
DiskBytes bytes_of_copy(const compile::Array& array, const std::vector<std::int64_t>& tiling, int ranks, int rank);

}  // namespace ricci::program
