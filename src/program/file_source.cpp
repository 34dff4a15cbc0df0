// Blocks of an input that lies in a file of the user's.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "program/block_source.hpp"
#include "program/input_file.hpp"
#include "storage/location.hpp"

namespace ricci::program {

using compile::BlockCatalog;
using compile::Box;
using compile::CanonicalBlock;

namespace {

class FileBlock : public ReadBlock {
 public:
  explicit FileBlock(AnyTensor tensor) : tensor_(std::move(tensor)) {}
  const AnyTensor& get() override { return tensor_; }

 private:
  AnyTensor tensor_;
};

class FileSource : public BlockSource {
 public:
  FileSource(const notation::ProgramTensor& input, BlockCatalog catalog, const World& world,
             storage::DiskTraffic& traffic)
      : input_(input), catalog_(std::move(catalog)), world_(world), traffic_(traffic), reader_(open_input(input)) {}

  std::unique_ptr<ReadBlock> start(const Box& box) override {
    const CanonicalBlock where = catalog_.find(catalog_.tiles_touched(box).lo);
    const Box bounds = catalog_.box(where.tiles);
    Extents extents;
    for (std::size_t m = 0; m < bounds.lo.size(); ++m) extents.push_back(bounds.hi[m] - bounds.lo[m]);
    AnyTensor plain = make_tensor(world_, input_.type, {extents, Symmetry{}});
    const AlignedBuffer& data = state_of(plain).data;
    reader_->read_box({bounds.lo, bounds.hi}, data.data());
    ++traffic_.reads;
    traffic_.read_bytes += data.bytes();
    auto block = std::make_unique<FileBlock>(packed(std::move(plain), where.number));
    block->order = where.order;
    block->sign = where.sign;
    return block;
  }

 private:
  /// With the symmetry that the block has. InputError where the file contradicts it.
  AnyTensor packed(AnyTensor plain, std::int64_t number) const {
    const symmetry::Shape shape = catalog_.block_shape(number);
    if (shape.symmetry().empty()) return plain;
    AnyTensor result = make_tensor(world_, input_.type, shape);
    std::visit([&](auto& tensor) { tensor.assign_dense(std::get<std::decay_t<decltype(tensor)>>(plain).gather()); },
               result);
    return result;
  }

  const notation::ProgramTensor& input_;
  BlockCatalog catalog_;
  World world_;
  storage::DiskTraffic& traffic_;
  std::unique_ptr<storage::ArrayReader> reader_;
};

}  // namespace

std::unique_ptr<storage::ArrayReader> open_input(const notation::ProgramTensor& input) {
  auto reader = storage::open_for_reading(storage::parse_location(input.file));
  check_input(input, reader->header());
  return reader;
}

void check_input(const notation::ProgramTensor& input, const storage::ArrayHeader& header) {
  if (header.type != input.type || header.shape.extents() != input.shape.extents()) {
    throw InputError(fmt::format("{} holds {}, but the program declares {} as {} {}", input.file,
                                 storage::describe(header), input.name, name_of(input.type),
                                 fmt::join(input.shape.extents(), ",")));
  }
  if (!header.shape.symmetry().empty() && !(header.shape == input.shape)) {
    throw InputError(fmt::format("{} holds a tensor with another symmetry than the program declares for {}", input.file,
                                 input.name));
  }
}

std::unique_ptr<BlockSource> file_source(const notation::ProgramTensor& input, BlockCatalog catalog, const World& world,
                                         storage::DiskTraffic& traffic) {
  return std::make_unique<FileSource>(input, std::move(catalog), world, traffic);
}

}  // namespace ricci::program
