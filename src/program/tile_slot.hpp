#pragma once
// One array of a program of disk loops while it is run: its file, and the tile of it that is in memory.
#include <cstdint>
#include <memory>
#include <span>

#include "compile/parallel_disk_walk.hpp"
#include "program/parallel_disk_run.hpp"
#include "util/aligned_buffer.hpp"

namespace ricci::program {

/// The next tile is read while this one is used, and the last tile of C written, where the program has a second buffer
/// for it. Not collective.
class TileSlot {
 public:
  TileSlot(const ParallelDiskProduct& product, compile::parallel_disk::Array array, const ParallelDiskPlace& place);

  const compile::parallel_disk::TileGrid& grid() const { return grid_; }
  storage::DiskArray& file() { return *file_; }
  /// Takes another file; what the last one has counted is kept. `as_tiles`: it has whole tiles where the last one had
  /// shares of them.
  void set_file(std::unique_ptr<storage::DiskArray> file, bool as_tiles = false);
  std::unique_ptr<storage::DiskArray> take_file();

  /// Where reading ahead starts from: the statement after the last one that was run.
  void look_ahead_from(const compile::parallel_disk::DiskWalk& walk);
  /// Into the tile's memory, or into that of the share.
  void read(const compile::parallel_disk::DiskEvent& event);
  void set_zero(const compile::parallel_disk::DiskEvent& event);
  void write();
  /// A tile by its number, with nothing read ahead: for communication out of core.
  void read_tile(std::int64_t tile);
  void write_tile_to(storage::DiskArray& file, std::int64_t tile);
  void finish_writing();

  /// Memory of a tile by its number, of a fine tile, and of the rank's share of a tile: of the sizes that these have,
  /// whether or not they could be read.
  std::span<std::byte> tile(std::int64_t number) const { return part(tile_, 0, grid_.elements(number)); }
  std::span<std::byte> fine_tile(const compile::parallel_disk::DiskEvent& event) const;
  std::span<std::byte> share(std::int64_t number) const { return part(share_, 0, grid_.share(number)); }
  /// As large as the shares of all ranks together.
  std::span<std::byte> all_shares(std::int64_t number) const {
    return part(tile_, 0, grid_.share(number) * grid_.sharing);
  }

  storage::DiskTraffic traffic() const;

 private:
  std::span<std::byte> part(const AlignedBuffer& buffer, std::int64_t begin, std::int64_t elements) const {
    return {buffer.data() + begin * element_, static_cast<std::size_t>(elements * element_)};
  }
  static std::span<std::byte> bytes_of(const AlignedBuffer& buffer) {
    return {buffer.data(), static_cast<std::size_t>(buffer.bytes())};
  }
  bool keeps_shares() const { return grid_.sharing > 1 && !as_tiles_; }
  std::int64_t bytes_in_file(std::int64_t tile) const;
  bool find_next_read(compile::parallel_disk::DiskEvent& event);
  void begin_next();

  const ParallelDiskProduct& product_;
  const compile::parallel_disk::Array array_;
  const compile::parallel_disk::TileGrid grid_;
  const std::int64_t element_;
  bool reads_ahead_, as_tiles_ = false;
  std::unique_ptr<storage::DiskArray> file_;
  storage::DiskTraffic past_;
  std::int64_t number_ = -1, next_number_ = -1;  // of the tile in memory, and of the one that is being read
  AlignedBuffer tile_, share_, other_;
  storage::TileTransfer reading_, writing_, writing_other_;  // after the memory: are waited for before that is freed
  compile::parallel_disk::DiskWalk ahead_;
  bool blocked_ = true;
};

}  // namespace ricci::program
