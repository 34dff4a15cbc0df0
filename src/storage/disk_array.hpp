#pragma once
// One rank's part of a tensor on disk: numbered tiles, each a contiguous run of bytes of its own size, in one scratch
// file. What a tile's bytes mean (a dense block, a packed one) is the caller's business.
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "storage/block_file.hpp"
#include "storage/block_io.hpp"

namespace ricci::storage {

class DiskArray;

/// What a tile is before it is written.
enum class Unwritten {
  error,  ///< reading it is a mistake of ours: InternalError
  zero,   ///< zeros, which are made without touching the disk
};

struct DiskArrayOptions {
  Unwritten unwritten = Unwritten::error;
  bool keep_file = false;  // when the array goes; else its room on the disk is free again
};

/// Payload alone: the sizes of the tiles that were read and written, as a plan counts them. What alignment adds is not
/// in here (DiskArray::file_bytes has it), nor what was zero.
struct DiskTraffic {
  std::int64_t reads = 0, read_bytes = 0;
  std::int64_t writes = 0, written_bytes = 0;
  std::int64_t zero_bytes = 0;  // read from tiles that were never written
  DiskTraffic& operator+=(const DiskTraffic& other);
  DiskTraffic& operator-=(const DiskTraffic& other);  // what was there before
  bool operator==(const DiskTraffic&) const = default;
};

/// `read 3 tiles (24 bytes), wrote 1 (8 bytes), 0 bytes were zero`.
std::ostream& operator<<(std::ostream&, const DiskTraffic&);

/// A tile that is being read or written. Destroying it waits, in silence. The array must be there until then.
class TileTransfer {
 public:
  TileTransfer() = default;  // has ended well
  /// Until the memory holds the tile, as it was written, or may be used again. ResourceError where the disk is full or
  /// fails, or where the tile's checksum is not the one that it had: then nothing is to be made of what was read.
  void wait();
  /// wait() would not wait for the disk.
  bool done() const { return ticket_.done(); }

 private:
  friend class DiskArray;
  TileTransfer(IoTicket ticket, const DiskArray* array) : ticket_(std::move(ticket)), array_(array) {}
  IoTicket ticket_;
  const DiskArray* array_ = nullptr;
  std::int64_t tile_ = 0;
  std::span<const std::byte> to_check_;  // what was read, until it has been checked
  std::uint64_t checksum_ = 0;
};

/// For one thread at a time. The table of tiles stays in memory (40 bytes a tile): the file is of no use to anybody
/// after the process has ended.
class DiskArray {
 public:
  /// Makes the file, with room for all tiles: a full disk says so now. InputError and ResourceError as BlockFile. The
  /// queue has to outlive the array.
  DiskArray(BlockIo& io, const std::string& path, std::span<const std::int64_t> tile_bytes,
            const DiskArrayOptions& options = {});

  /// Bytes of the file for such tiles: each begins at a multiple of BlockFile::alignment. ResourceError where 64 bits
  /// do not hold them.
  static std::int64_t file_bytes(std::span<const std::int64_t> tile_bytes);

  const std::string& path() const { return file_.path(); }
  std::int64_t tiles() const { return static_cast<std::int64_t>(tiles_.size()); }
  std::int64_t bytes(std::int64_t tile) const { return at(tile).bytes; }
  bool written(std::int64_t tile) const { return at(tile).written; }
  /// Another one whenever the tile is written or forgotten.
  std::int64_t version(std::int64_t tile) const { return at(tile).version; }

  /// The memory is as large as the tile and has to stay until the transfer is waited for or destroyed; what is being
  /// written must not change until then. Transfers of one tile take place in the order in which they are started: one
  /// that has to wait for an earlier one does so here, and throws what that one has failed with.
  TileTransfer start_read(std::int64_t tile, std::span<std::byte> to);
  TileTransfer start_write(std::int64_t tile, std::span<const std::byte> from);
  void read(std::int64_t tile, std::span<std::byte> to) { start_read(tile, to).wait(); }
  void write(std::int64_t tile, std::span<const std::byte> from) { start_write(tile, from).wait(); }

  /// All tiles are as if they had never been written; counts stay. For an intermediate that is made anew in each turn
  /// of an outer loop.
  void forget();

  const DiskTraffic& traffic() const { return traffic_; }

 private:
  friend class TileTransfer;
  struct Tile {
    std::int64_t offset, bytes, version;
    std::uint64_t checksum;
    bool written;
  };
  /// Transfers that may still be under way.
  struct Busy {
    IoTicket write;
    std::vector<IoTicket> reads;
  };

  const Tile& at(std::int64_t tile) const;
  void check(std::int64_t tile, std::size_t bytes) const;
  void forget_ended();
  [[noreturn]] void throw_damaged(std::int64_t tile) const;

  BlockIo& io_;
  std::vector<Tile> tiles_;
  Unwritten unwritten_;
  BlockFile file_;
  DiskTraffic traffic_;
  std::unordered_map<std::int64_t, Busy> busy_;  // after file_: is waited for before that is closed
};

}  // namespace ricci::storage
