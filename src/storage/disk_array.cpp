#include "storage/disk_array.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "storage/checksum.hpp"

namespace ricci::storage {

DiskTraffic& DiskTraffic::operator+=(const DiskTraffic& other) {
  reads += other.reads;
  read_bytes += other.read_bytes;
  writes += other.writes;
  written_bytes += other.written_bytes;
  zero_bytes += other.zero_bytes;
  return *this;
}

DiskTraffic& DiskTraffic::operator-=(const DiskTraffic& other) {
  reads -= other.reads;
  read_bytes -= other.read_bytes;
  writes -= other.writes;
  written_bytes -= other.written_bytes;
  zero_bytes -= other.zero_bytes;
  return *this;
}

std::ostream& operator<<(std::ostream& out, const DiskTraffic& traffic) {
  return out << fmt::format("read {} tiles ({} bytes), wrote {} ({} bytes), {} bytes were zero", traffic.reads,
                            traffic.read_bytes, traffic.writes, traffic.written_bytes, traffic.zero_bytes);
}

void TileTransfer::wait() {
  ticket_.wait();
  const auto read = std::exchange(to_check_, {});
  if (read.empty() || checksum_of(read) == checksum_) return;
  to_check_ = read;  // so that asking again gives the same answer
  array_->throw_damaged(tile_);
}

std::int64_t DiskArray::file_bytes(std::span<const std::int64_t> tile_bytes) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() - BlockFile::alignment;
  std::int64_t total = 0;
  for (const std::int64_t bytes : tile_bytes) {
    if (bytes < 0) throw InternalError(fmt::format("a disk array with a tile of {} bytes", bytes));
    if (bytes > most - total) throw ResourceError("a disk array of more than 2^63 bytes; use smaller tensors");
    total += BlockFile::align_up(bytes);
  }
  return total;
}

DiskArray::DiskArray(BlockIo& io, const std::string& path, std::span<const std::int64_t> tile_bytes,
                     const DiskArrayOptions& options)
    : io_(io), unwritten_(options.unwritten), file_(path, file_bytes(tile_bytes), options.keep_file) {
  tiles_.reserve(tile_bytes.size());
  std::int64_t offset = 0;
  for (const std::int64_t bytes : tile_bytes) {
    tiles_.push_back({offset, bytes, 0, 0, false});
    offset += BlockFile::align_up(bytes);
  }
}

const DiskArray::Tile& DiskArray::at(std::int64_t tile) const {
  if (tile < 0 || tile >= tiles()) {
    throw InternalError(fmt::format("{}: tile {} of {}", path(), tile, tiles()));
  }
  return tiles_[static_cast<std::size_t>(tile)];
}

void DiskArray::check(std::int64_t tile, std::size_t bytes) const {
  if (at(tile).bytes == static_cast<std::int64_t>(bytes)) return;
  throw InternalError(
      fmt::format("{}: tile {} has {} bytes, the memory for it {}", path(), tile, at(tile).bytes, bytes));
}

TileTransfer DiskArray::start_read(std::int64_t tile, std::span<std::byte> to) {
  check(tile, to.size());
  const Tile& place = at(tile);
  if (!place.written) {
    if (unwritten_ == Unwritten::error) {
      throw InternalError(fmt::format("{}: tile {} is read before it is written", path(), tile));
    }
    std::fill(to.begin(), to.end(), std::byte{0});
    traffic_.zero_bytes += place.bytes;
    return {};
  }
  forget_ended();
  const auto busy = busy_.find(tile);
  if (busy != busy_.end()) busy->second.write.wait();
  TileTransfer transfer(io_.read(file_, place.offset, to), this);
  auto& reads = busy_[tile].reads;
  std::erase_if(reads, [](const IoTicket& read) { return read.done(); });
  reads.push_back(transfer.ticket_.share());
  transfer.tile_ = tile;
  transfer.to_check_ = to;
  transfer.checksum_ = place.checksum;
  ++traffic_.reads;
  traffic_.read_bytes += place.bytes;
  return transfer;
}

TileTransfer DiskArray::start_write(std::int64_t tile, std::span<const std::byte> from) {
  check(tile, from.size());
  forget_ended();
  busy_.erase(tile);  // waits: what a failed write has left is overwritten now
  Tile& place = tiles_[static_cast<std::size_t>(tile)];
  place.checksum = checksum_of(from);
  TileTransfer transfer(io_.write(file_, place.offset, from), this);
  busy_[tile].write = transfer.ticket_.share();
  place.written = true;
  ++place.version;
  ++traffic_.writes;
  traffic_.written_bytes += place.bytes;
  return transfer;
}

void DiskArray::forget() {
  busy_.clear();
  for (Tile& tile : tiles_) {
    tile.written = false;
    ++tile.version;
  }
}

/// Keeps the table of transfers short. A failed write stays: the tile cannot be read.
void DiskArray::forget_ended() {
  constexpr std::size_t few = 64;
  if (busy_.size() <= few) return;
  std::erase_if(busy_, [](const auto& entry) {
    const auto& [tile, busy] = entry;
    return busy.write.done() && !busy.write.failed() &&
           std::all_of(busy.reads.begin(), busy.reads.end(), [](const IoTicket& read) { return read.done(); });
  });
}

void DiskArray::throw_damaged(std::int64_t tile) const {
  const Tile& place = at(tile);
  throw ResourceError(fmt::format(
      "{}: tile {} (bytes {} to {} of the file) did not come back from the disk as it was written: its checksum is "
      "another. Either another program has changed the file, or the disk or the memory of this machine fails. Nothing "
      "was computed from it; run again, with another scratch directory",
      path(), tile, place.offset, place.offset + place.bytes));
}

}  // namespace ricci::storage
