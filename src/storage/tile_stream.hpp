#pragma once
// Reading ahead and writing behind, for whoever knows which tiles it is going to need: while it computes with one tile,
// the next ones are read and the last ones written. Memory is a fixed number of buffers that are made at the start.
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "storage/disk_array.hpp"
#include "util/aligned_buffer.hpp"

namespace ricci::storage {

/// So many buffers, each large enough for any tile that goes through.
struct StreamBuffers {
  int count = 2;
  std::int64_t bytes = 0;        // of each
  MemoryMeter* meter = nullptr;  // counts count * bytes
};

struct TileName {
  DiskArray* array = nullptr;
  std::int64_t tile = 0;
};

class WriteBehind;

/// Tiles in the order in which a callback names them, each in a buffer. For one thread.
class ReadAhead {
 public:
  /// The tile after the last one named; nothing where there is none, or where it may not be read yet because it is
  /// still to be written: then it is asked again later. Asked ahead, by as many tiles as there are buffers.
  using Sequence = std::function<std::optional<TileName>()>;

  ReadAhead(const StreamBuffers& buffers, Sequence sequence);
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// A tile in memory, which its holder may change. Gives the buffer back when destroyed.
  class Tile {
   public:
    Tile(Tile&& other) noexcept;
    Tile& operator=(Tile&&) = delete;
    ~Tile();
    const TileName& name() const { return name_; }
    std::span<std::byte> bytes() const { return {buffer_.data(), static_cast<std::size_t>(buffer_.bytes())}; }
    template <class T>
    T* as() const {
      return buffer_.as<T>();
    }

   private:
    friend class ReadAhead;
    friend class WriteBehind;
    Tile(ReadAhead& stream, TileName name, AlignedBuffer buffer)
        : stream_(&stream), name_(name), buffer_(std::move(buffer)) {}
    ReadAhead* stream_;
    TileName name_;
    AlignedBuffer buffer_;
  };

  /// Waits for the next tile, having begun those behind it that there are buffers for; nothing at the end of the
  /// sequence. A holder of several tiles at once needs more buffers than that: InternalError where all are held. Throws
  /// as TileTransfer::wait; InternalError where the tile was written after it had been read ahead.
  std::optional<Tile> next();
  /// Begins reads for as long as there are buffers and tiles. next() does so, too; this is for buffers that are given
  /// back long before that.
  void begin();

 private:
  struct Filling {
    AlignedBuffer buffer;
    TileName name;
    std::int64_t version;
    TileTransfer transfer;  // after the buffer: is waited for before that is freed
  };

  void give_back(AlignedBuffer buffer) noexcept;

  Sequence sequence_;
  std::vector<AlignedBuffer> free_;
  std::deque<Filling> filling_;
  int held_ = 0;
};

/// Tiles that are written while their maker makes the next. Errors show in later calls, and in finish() at the latest:
/// destroying it waits in silence. For one thread.
class WriteBehind {
 public:
  explicit WriteBehind(const StreamBuffers& buffers);
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  /// A buffer of so many bytes; waits for the oldest write where none is free, and throws what that failed with.
  AlignedBuffer take(std::int64_t bytes);
  /// Starts to write a buffer that came from take().
  void write(const TileName& name, AlignedBuffer buffer);
  /// The same for a tile that was read: its buffer is exchanged for a free one, which goes back where it came from.
  /// Both streams have buffers of the same size.
  void write(const TileName& name, ReadAhead::Tile tile);
  /// Until everything is written; throws the first error.
  void finish();

 private:
  struct Writing {
    AlignedBuffer buffer;
    TileTransfer transfer;
  };

  void reclaim_oldest();

  std::vector<AlignedBuffer> free_;
  std::deque<Writing> writing_;
};

}  // namespace ricci::storage
