#pragma once
// How blocks on disk are copied to a file of the user's: in parts that fit beside the block.
#include <cstdint>
#include <vector>

#include "compile/block_catalog.hpp"
#include "compile/formula.hpp"

namespace ricci::program {

/// A box cut into parts of at most so many elements, in the order of the rows; the first modes are cut first, so that
/// what is written together lies together in the file.
std::vector<compile::Box> slabs_of(const compile::Box& box, std::int64_t most_elements);

/// Elements of a part where a rank may use `limit` bytes; 0: there is no limit.
std::int64_t most_in_a_slab(ElementType type, int ranks, std::int64_t limit);

/// Whether blocks have the order of the file already: nothing is copied then.
inline bool is_in_file_order(const symmetry::Shape& shape, int ranks) { return ranks == 1 && shape.symmetry().empty(); }

/// Of one rank, at most, while an array is copied: a block, and parts of it that are unpacked, or on their way.
std::int64_t bytes_to_copy(const compile::Array& array, const compile::Cuts& cuts, bool is_packed, int ranks,
                           std::int64_t limit);

}  // namespace ricci::program
