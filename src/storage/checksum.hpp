#pragma once
// What tells whether bytes came back from a disk as they were given to it.
#include <cstddef>
#include <cstdint>
#include <span>

namespace ricci::storage {

/// XXH3, 64 bits: not against malice. Takes about as long as reading the bytes once from memory.
std::uint64_t checksum_of(std::span<const std::byte> bytes);

}  // namespace ricci::storage
