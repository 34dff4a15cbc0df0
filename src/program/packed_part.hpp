#pragma once
// Blocks of a tensor that a file holds packed: a block's elements in the order of the file, of which each rank moves
// its part (layout::part_of).
#include <cstddef>
#include <vector>

#include "layout/box.hpp"
#include "program/any_tensor.hpp"
#include "storage/run_reader.hpp"

namespace ricci::program {

/// A canonical block, and this rank's part of its stored elements.
struct PackedPart {
  const symmetry::Shape& shape;  // of the whole tensor
  layout::Box box;
  layout::Part part;
  std::int64_t most = 0;  // elements that any rank has
};

PackedPart packed_part(const symmetry::Shape& shape, const layout::Box& box, const symmetry::Shape& block,
                       const World& world);

/// Where they are in the file.
std::vector<storage::FileRun> runs_of(const PackedPart& part);

/// Sets the elements of the block that they are. Collective.
void set_elements(AnyTensor& block, const PackedPart& part, const std::byte* elements);
/// Collective.
void get_elements(const AnyTensor& block, const PackedPart& part, std::byte* elements);

}  // namespace ricci::program
