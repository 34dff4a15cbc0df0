#pragma once
// Where blocks of an array come from: memory, disk, a file of the user's, or a formula.
#include <memory>
#include <vector>

#include "compile/block_catalog.hpp"
#include "notation/program.hpp"
#include "program/any_tensor.hpp"
#include "program/disk_tensor.hpp"

namespace ricci::program {

/// A block as an operand: mode m of the tensor is mode order[m] of the box that was asked for, and all is to be
/// multiplied by the sign.
class ReadBlock {
 public:
  virtual ~ReadBlock() = default;
  /// Waits until it is there.
  virtual const AnyTensor& get() = 0;
  /// The same for good: the block is of no use afterwards.
  virtual AnyTensor take() { return get(); }
  std::vector<int> order;
  int sign = 1;
};

/// Blocks of one array. All calls are collective.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  /// Begins to bring a box here. `ahead_bytes`: what it may take until it is asked for; less than the box has means
  /// that it is not wanted earlier than that, and then takes but little more than itself.
  virtual std::unique_ptr<ReadBlock> start(const compile::Box& box, std::int64_t ahead_bytes) = 0;
  std::unique_ptr<ReadBlock> start(const compile::Box& box) { return start(box, 0); }
};

/// The array is in memory; a part of it is copied.
std::unique_ptr<BlockSource> memory_source(const AnyTensor& tensor);
/// Boxes that are blocks there are read as they stand, others are put together.
std::unique_ptr<BlockSource> disk_source(DiskTensor& tensor, const World& world, ElementType type);
/// An input that nobody has stored: random(seed) or zero. `catalog`: the blocks that will be asked for.
std::unique_ptr<BlockSource> formula_source(const notation::ProgramTensor& input, compile::BlockCatalog catalog,
                                            const World& world);

/// An input in a file, packed there or not: each rank reads its part of a block (layout::part_of), which is counted.
/// InputError where the file is not what the program says.
std::unique_ptr<BlockSource> file_source(const notation::ProgramTensor& input, compile::BlockCatalog catalog,
                                         const World& world, storage::DiskTraffic& traffic);

}  // namespace ricci::program
