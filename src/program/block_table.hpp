#pragma once
// Tables of blocks on disk, which every rank has in memory.
#include <cstdint>

namespace ricci::program {

/// What an array of so many blocks takes: where they are, their checksums and norms.
inline std::int64_t bytes_of_table(std::int64_t blocks) { return 64 * blocks; }

}  // namespace ricci::program
