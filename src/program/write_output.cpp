#include "program/write_output.hpp"

#include <numeric>

#include "api/row_parts.hpp"
#include "api/world_state.hpp"
#include "exec/shared_file.hpp"
#include "program/output_slabs.hpp"
#include "program/packed_part.hpp"

namespace ricci::program {

using compile::BlockCatalog;
using compile::Box;
using compile::CanonicalBlock;

namespace {

class OutputFile {
 public:
  OutputFile(const notation::ProgramTensor& output, DiskTensor& tensor, const World& world,
             storage::DiskTraffic& traffic)
      : output_(output),
        tensor_(tensor),
        world_(world),
        traffic_(traffic),
        is_packed_(holds_packed(output)),
        writer_(world.state().communicator, storage::parse_location(output.file),
                storage::make_header(output.type, output.shape.extents(),
                                     is_packed_ ? output.shape.symmetry() : Symmetry{}, output.file)) {}

  void write() {
    if (is_packed_)
      write_packed();
    else
      write_unpacked();
    writer_.finish();
  }

 private:
  /// The blocks that there are.
  void write_packed() {
    const BlockCatalog& catalog = tensor_.catalog();
    for (std::int64_t number = 0; number < catalog.blocks(); ++number) {
      const auto stored = tensor_.start_read(number);
      const PackedPart mine =
          packed_part(output_.shape, catalog.box(catalog.tiles_of(number)), catalog.block_shape(number), world_);
      const AlignedBuffer elements = room_for(mine.part);
      get_elements(stored->get(), mine, elements.data());
      put(mine.part, [&] { writer_->write_runs(runs_of(mine), elements.data()); });
    }
  }

  /// Those that follow from them as well.
  void write_unpacked() {
    const BlockCatalog& catalog = tensor_.catalog();
    std::vector<std::int64_t> tiles(static_cast<std::size_t>(output_.shape.order()), 0);
    for (bool more = catalog.blocks() > 0; more;) {
      const CanonicalBlock where = catalog.find(tiles);
      const Box box = catalog.box(tiles);
      const auto stored = tensor_.start_read(where.number);
      if (is_in_file_order(output_.shape, world_.size())) {
        const layout::Part all = layout::part_of(storage::elements(box), 1, 0);
        put(all, [&] { writer_->write_part(box, all, state_of(stored->get()).data.data()); });
      } else {
        write_in_slabs(stored->get(), where, box);
      }
      more = false;
      for (std::size_t m = tiles.size(); m-- > 0 && !more;) {
        more = ++tiles[m] < catalog.tiles(static_cast<int>(m));
        if (!more) tiles[m] = 0;
      }
    }
  }

  void write_in_slabs(const AnyTensor& stored, const CanonicalBlock& where, const Box& box) {
    std::vector<int> modes(box.lo.size());
    std::iota(modes.begin(), modes.end(), 0);
    const std::int64_t most = most_in_a_slab(output_.type, world_.size(), world_.state().options.memory_limit);
    for (const Box& slab : slabs_of(box, most)) {
      Extents extents;
      for (std::size_t m = 0; m < modes.size(); ++m) extents.push_back(slab.hi[m] - slab.lo[m]);
      const AnyTensor plain = make_block(world_, output_.type, {extents, Symmetry{}});
      const double sign = where.sign;
      if (slab == box) {
        indexed(plain, mode_names(modes)) = sign * indexed(stored, mode_names(where.order));
      } else {
        const AnyTensor part = part_of(stored, where, box, slab);
        indexed(plain, mode_names(modes)) = sign * indexed(part, mode_names(where.order));
      }
      const layout::Part mine = layout::part_of(storage::elements(slab), world_.size(), world_.rank());
      const AlignedBuffer elements = room_for(mine);
      detail::get_by_parts(state_of(plain), elements.data());
      put(mine, [&] { writer_->write_part(slab, mine, elements.data()); });
    }
  }

  /// The stored block's modes stand in another order than the box's.
  static AnyTensor part_of(const AnyTensor& stored, const CanonicalBlock& where, const Box& box, const Box& slab) {
    std::vector<std::int64_t> lo, hi;
    for (int mode : where.order) {
      const auto m = static_cast<std::size_t>(mode);
      lo.push_back(slab.lo[m] - box.lo[m]);
      hi.push_back(slab.hi[m] - box.lo[m]);
    }
    return std::visit([&](const auto& tensor) -> AnyTensor { return tensor.slice(lo, hi); }, stored);
  }

  std::int64_t bytes(const layout::Part& part) const {
    return part.count() * static_cast<std::int64_t>(element_size(output_.type));
  }
  AlignedBuffer room_for(const layout::Part& part) const {
    world_.state().pool.release(bytes(part));
    return AlignedBuffer(bytes(part), &world_.state().tensors);
  }

  template <class F>
  void put(const layout::Part& part, F write) {
    comm::together(world_.state().communicator, write);
    ++traffic_.writes;
    traffic_.written_bytes += bytes(part);
  }

  const notation::ProgramTensor& output_;
  DiskTensor& tensor_;
  World world_;
  storage::DiskTraffic& traffic_;
  bool is_packed_;
  exec::SharedWriter writer_;
};

}  // namespace

bool holds_packed(const notation::ProgramTensor& output) {
  return !output.shape.symmetry().empty() && storage::parse_location(output.file).format == storage::FileFormat::hdf5;
}

void write_output(const notation::ProgramTensor& output, DiskTensor& tensor, const World& world,
                  storage::DiskTraffic& traffic) {
  OutputFile(output, tensor, world, traffic).write();
}

}  // namespace ricci::program
