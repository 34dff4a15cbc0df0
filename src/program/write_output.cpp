#include "program/write_output.hpp"

#include <numeric>

#include "storage/location.hpp"

namespace ricci::program {

using compile::BlockCatalog;
using compile::Box;
using compile::CanonicalBlock;

void write_output(const notation::ProgramTensor& output, DiskTensor& tensor, const World& world,
                  storage::DiskTraffic& traffic) {
  const storage::Location location = storage::parse_location(output.file);
  const storage::ArrayHeader header =
      storage::make_header(output.type, output.shape.extents(), Symmetry{}, output.file);
  const auto created = storage::create(location, header);
  const auto writer = storage::open_for_writing(location, created->place(), header, {});
  const BlockCatalog& catalog = tensor.catalog();
  std::vector<int> modes(static_cast<std::size_t>(output.shape.order()));
  std::iota(modes.begin(), modes.end(), 0);
  std::vector<std::int64_t> tiles(modes.size(), 0);
  for (bool more = catalog.blocks() > 0; more;) {
    const CanonicalBlock where = catalog.find(tiles);
    const Box box = catalog.box(tiles);
    Extents extents;
    for (std::size_t m = 0; m < modes.size(); ++m) extents.push_back(box.hi[m] - box.lo[m]);
    const auto stored = tensor.start_read(where.number);
    const AnyTensor plain = make_tensor(world, output.type, {extents, Symmetry{}});
    indexed(plain, mode_names(modes)) =
        static_cast<double>(where.sign) * indexed(stored->get(), mode_names(where.order));
    const AlignedBuffer& data = state_of(plain).data;
    writer->write_box({box.lo, box.hi}, data.data());
    ++traffic.writes;
    traffic.written_bytes += data.bytes();
    more = false;
    for (std::size_t m = modes.size(); m-- > 0 && !more;) {
      more = ++tiles[m] < catalog.tiles(static_cast<int>(m));
      if (!more) tiles[m] = 0;
    }
  }
  writer->finish();
  created->commit();
}

}  // namespace ricci::program
