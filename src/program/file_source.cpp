// Blocks of an input that lies in a file of the user's.
#include <exception>
#include <future>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "api/row_parts.hpp"
#include "api/world_state.hpp"
#include "comm/communicator.hpp"
#include "program/block_source.hpp"
#include "program/input_file.hpp"
#include "program/packed_part.hpp"
#include "program/write_output.hpp"
#include "storage/location.hpp"

namespace ricci::program {

using compile::BlockCatalog;
using compile::Box;
using compile::CanonicalBlock;

namespace {

/// A block of which each rank reads its part, while something else is computed where the reader allows that.
class FileBlock : public ReadBlock {
 public:
  struct What {
    std::shared_ptr<const storage::ArrayReader> reader;
    Box bounds;
    symmetry::Shape shape;             // of the block
    std::optional<PackedPart> packed;  // where the file holds it so
  };

  FileBlock(What what, const World& world) : what_(std::move(what)), world_(world) {
    const std::int64_t elements = what_.packed ? what_.shape.stored_size() : storage::elements(what_.bounds);
    part_ = layout::part_of(elements, world.size(), world.rank());
    // One rank, and nothing to be packed: read to where it stays.
    if (world.size() == 1 && what_.shape.symmetry().empty() && !what_.packed) {
      block_.emplace(new_block());
    } else {
      world.state().pool.release(bytes());
      data_ = AlignedBuffer(bytes(), &world.state().tensors);
    }
    std::byte* const to = block_ ? state_of(*block_).data.data() : data_.data();
    if (what_.reader->is_concurrent()) {
      arriving_ = std::async(std::launch::async, [this, to] { read(to); });
      return;
    }
    try {
      read(to);
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  std::int64_t bytes() const {
    return part_.count() * static_cast<std::int64_t>(element_size(what_.reader->header().type));
  }

  const AnyTensor& get() override {
    if (is_there_) return *block_;
    comm::together(world_.state().communicator, [&] {
      if (arriving_.valid()) arriving_.get();
      if (error_) std::rethrow_exception(error_);
    });
    if (!block_) {
      block_.emplace(new_block());
      if (what_.packed)
        set_elements(*block_, *what_.packed, data_.data());
      else
        detail::set_by_parts(state_of(*block_), data_.data());
      data_ = {};
    }
    is_there_ = true;
    return *block_;
  }

 private:
  AnyTensor new_block() const { return make_block(world_, what_.reader->header().type, what_.shape); }
  void read(std::byte* to) const {
    if (what_.packed)
      what_.reader->read_runs(runs_of(*what_.packed), to);
    else
      what_.reader->read_part(what_.bounds, part_, to);
  }

  What what_;
  World world_;
  layout::Part part_;   // of this rank
  AlignedBuffer data_;  // what it has read
  std::optional<AnyTensor> block_;
  bool is_there_ = false;
  std::exception_ptr error_;
  std::future<void> arriving_;  // last: is waited for before what it writes to is gone
};

class FileSource : public BlockSource {
 public:
  FileSource(const notation::ProgramTensor& input, BlockCatalog catalog, const World& world,
             storage::DiskTraffic& traffic)
      : input_(input), catalog_(std::move(catalog)), world_(world), traffic_(traffic) {
    comm::together(world.state().communicator, [&] { reader_ = open_input(input); });
  }

  using BlockSource::start;
  std::unique_ptr<ReadBlock> start(const Box& box, std::int64_t /*ahead_bytes*/) override {
    const CanonicalBlock where = catalog_.find(catalog_.tiles_touched(box).lo);
    FileBlock::What what{reader_, catalog_.box(where.tiles), catalog_.block_shape(where.number), {}};
    if (!reader_->header().shape.symmetry().empty())
      what.packed.emplace(packed_part(input_.shape, what.bounds, what.shape, world_));
    auto block = std::make_unique<FileBlock>(std::move(what), world_);
    ++traffic_.reads;
    traffic_.read_bytes += block->bytes();
    block->order = where.order;
    block->sign = where.sign;
    return block;
  }

 private:
  const notation::ProgramTensor& input_;
  BlockCatalog catalog_;
  World world_;
  storage::DiskTraffic& traffic_;
  std::shared_ptr<const storage::ArrayReader> reader_;
};

}  // namespace

std::unique_ptr<storage::ArrayReader> open_input(const notation::ProgramTensor& input) {
  auto reader = storage::open_for_reading(storage::parse_location(input.file));
  check_input(input, reader->header());
  return reader;
}

bool is_packed_in_file(const notation::ProgramTensor& input) {
  try {
    return !storage::inspect(storage::parse_location(input.file)).shape.symmetry().empty();
  } catch (const InputError&) {
    return holds_packed(input);
  }
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
