#pragma once
// What an operation reads from disk and writes there, to the byte.
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "compile/choose_tiles.hpp"
#include "program/fused_nest.hpp"

namespace ricci::program {

/// [array]: where its modes are cut.
using Tilings = std::map<int, compile::Cuts>;

struct DiskBytes {
  std::int64_t read = 0, written = 0;
  DiskBytes& operator+=(const DiskBytes& other) {
    read += other.read;
    written += other.written;
    return *this;
  }
  bool operator==(const DiskBytes&) const = default;
};

/// How the files of arrays hold them: packed ones by number; all others are unpacked.
using PackedFiles = std::set<int>;

/// Of one rank; its parts of blocks of files count, too. `tilings`: of the arrays on disk before the operation; one
/// that is not there has never been written, and reading it takes nothing. Blocks that the product before has needed,
/// too, are not read again.
DiskBytes predict_traffic(const compile::Formula& formula, const compile::BlockedOperation& operation,
                          const std::vector<compile::Home>& homes, const Tilings& tilings,
                          const PackedFiles& packed_files, int ranks, int rank);

/// The same of loops that operations share.
DiskBytes predict_traffic(const compile::Formula& formula, const FusedNest& nest,
                          const std::vector<compile::Home>& homes, const Tilings& tilings, int ranks, int rank);

/// All blocks of an array.
std::int64_t bytes_on_disk(const compile::Array& array, const compile::Cuts& cuts, int ranks, int rank);

/// All blocks read from disk and written to a file, as program::write_output does: canonical ones if it is packed
/// there.
DiskBytes bytes_of_copy(const compile::Array& array, const compile::Cuts& cuts, bool is_packed, std::int64_t limit,
                        int ranks, int rank);

}  // namespace ricci::program
