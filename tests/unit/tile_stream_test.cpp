// Reading ahead and writing behind.
#include "storage/tile_stream.hpp"

#include <cstring>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"
#include "faulty_backend.hpp"

namespace ricci::storage {
namespace {

using testing::HasSubstr;

class TileStream : public ArrayFileTest {};

/// Tile t is filled with the byte t + shift.
void write_tiles(DiskArray& array, int shift, WriteBehind& stream) {
  for (std::int64_t tile = 0; tile < array.tiles(); ++tile) {
    AlignedBuffer buffer = stream.take(array.bytes(tile));
    std::memset(buffer.data(), static_cast<int>(tile + shift), buffer.bytes());
    stream.write({&array, tile}, std::move(buffer));
  }
  stream.finish();
}

bool is_filled(std::span<const std::byte> bytes, std::int64_t with) {
  return std::all_of(bytes.begin(), bytes.end(), [&](std::byte byte) { return byte == static_cast<std::byte>(with); });
}

ReadAhead::Sequence sequence_of(DiskArray& array, std::vector<std::int64_t> tiles) {
  return [&array, tiles, at = std::size_t{0}]() mutable -> std::optional<TileName> {
    if (at == tiles.size()) return std::nullopt;
    return TileName{&array, tiles[at++]};
  };
}

TEST_F(TileStream, TilesComeInOrder) {
  std::mt19937 random(5);
  for (const IoKind kind : kinds_of_this_system()) {
    for (const int count : {1, 2, 5}) {
      BlockIo io({.kind = kind, .piece_bytes = 65'536});
      std::vector<std::int64_t> sizes(30), order(100);
      for (auto& bytes : sizes) bytes = static_cast<std::int64_t>(random() % 100'000);
      for (auto& tile : order) tile = static_cast<std::int64_t>(random() % 30);
      DiskArray array(io, path("array"), sizes);
      MemoryMeter meter;
      const StreamBuffers buffers{.count = count, .bytes = 100'000, .meter = &meter};
      {
        WriteBehind writes(buffers);
        write_tiles(array, 3, writes);
        EXPECT_EQ(meter.peak(), count * 100'000);
      }
      ReadAhead reads(buffers, sequence_of(array, order));
      for (const std::int64_t tile : order) {
        const auto got = reads.next();
        ASSERT_TRUE(got);
        EXPECT_EQ(got->name().tile, tile);
        EXPECT_EQ(std::ssize(got->bytes()), sizes[tile]);
        EXPECT_TRUE(is_filled(got->bytes(), tile + 3));
      }
      EXPECT_FALSE(reads.next());
      std::int64_t expected = 0;
      for (const std::int64_t tile : order) expected += sizes[tile];
      EXPECT_EQ(array.traffic().read_bytes, expected);
      EXPECT_EQ(array.traffic().written_bytes, std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
    }
  }
}

TEST_F(TileStream, ReadsAreUnderWayBeforeTheyAreAskedFor) {
  BlockIo io;
  DiskArray array(io, path("array"), std::vector<std::int64_t>(6, 1000));
  WriteBehind writes({.count = 2, .bytes = 1000});
  write_tiles(array, 0, writes);
  ReadAhead reads({.count = 3, .bytes = 1000}, sequence_of(array, {0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(array.traffic().reads, 3);
  {
    const auto first = reads.next();
    EXPECT_EQ(array.traffic().reads, 3);
  }
  EXPECT_EQ(array.traffic().reads, 3);
  reads.begin();
  EXPECT_EQ(array.traffic().reads, 4);
}

/// A tile is read, changed and written, again and again: a sum over an outer loop. A tile may be read ahead only when
/// its last write has begun.
TEST_F(TileStream, SumsThatGoThroughTheDisk) {
  BlockIo io({.piece_bytes = 4096});
  constexpr std::int64_t tiles = 7, turns = 5;
  DiskArray array(io, path("array"), std::vector<std::int64_t>(tiles, 10'000), {.unwritten = Unwritten::zero});
  std::int64_t named = 0, written = 0;
  const StreamBuffers buffers{.count = 3, .bytes = 10'000};
  WriteBehind writes(buffers);
  ReadAhead reads(buffers, [&]() -> std::optional<TileName> {
    if (named == tiles * turns || named >= written + tiles) return std::nullopt;
    return TileName{&array, named++ % tiles};
  });
  while (auto tile = reads.next()) {
    for (std::byte& byte : tile->bytes()) byte = static_cast<std::byte>(static_cast<int>(byte) + 1);
    const TileName name = tile->name();
    writes.write(name, std::move(*tile));
    ++written;
  }
  writes.finish();
  EXPECT_EQ(written, tiles * turns);
  std::vector<std::byte> bytes(10'000);
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    array.read(tile, bytes);
    EXPECT_TRUE(is_filled(bytes, turns));
  }
  EXPECT_EQ(array.traffic().zero_bytes, tiles * 10'000);
}

TEST_F(TileStream, ATileThatChangesAfterItWasReadAheadIsNotGiven) {
  BlockIo io;
  DiskArray array(io, path("array"), std::vector<std::int64_t>{8, 8}, {.unwritten = Unwritten::zero});
  ReadAhead reads({.count = 2, .bytes = 8}, sequence_of(array, {0, 1}));
  std::vector<std::byte> bytes(8);
  array.write(1, bytes);
  reads.next();
  EXPECT_EQ(message_of<InternalError>([&] { reads.next(); }),
            path("array") + ": tile 1 was written after it had been read ahead");
}

TEST_F(TileStream, HeldBuffersAreNotFilled) {
  BlockIo io;
  DiskArray array(io, path("array"), std::vector<std::int64_t>(3, 8), {.unwritten = Unwritten::zero});
  ReadAhead reads({.count = 2, .bytes = 8}, sequence_of(array, {0, 1, 2}));
  const auto first = reads.next();
  const auto second = reads.next();
  EXPECT_THROW(reads.next(), InternalError);
  ReadAhead all({.count = 3, .bytes = 8}, sequence_of(array, {0, 1, 2}));
  const auto a = all.next(), b = all.next(), c = all.next();
  EXPECT_FALSE(all.next());
}

TEST_F(TileStream, TilesThatDoNotFitAreInternalErrors) {
  BlockIo io;
  DiskArray array(io, path("array"), std::vector<std::int64_t>{9}, {.unwritten = Unwritten::zero});
  EXPECT_EQ(message_of<InternalError>([&] { ReadAhead({.count = 1, .bytes = 8}, sequence_of(array, {0})); }),
            "a tile of 9 bytes in a stream with buffers of 8");
  WriteBehind writes({.count = 1, .bytes = 8});
  EXPECT_THROW(writes.take(9), InternalError);
  const AlignedBuffer held = writes.take(8);
  EXPECT_THROW(writes.take(8), InternalError);
}

TEST_F(TileStream, AFullDiskIsToldByTheWriterAndLeavesNothingUnderWay) {
  BlockIo io(std::make_unique<FaultyBackend>(Faults{.room = 50'000}), {});
  DiskArray array(io, path("array"), std::vector<std::int64_t>(10, 20'000));
  WriteBehind writes({.count = 2, .bytes = 20'000});
  EXPECT_THAT(message_of<ResourceError>([&] { write_tiles(array, 0, writes); }), HasSubstr("No space left on device"));
}

TEST_F(TileStream, DamageIsToldByTheReader) {
  BlockIo io;
  DiskArray array(io, path("array"), std::vector<std::int64_t>(3, 20'000));
  {
    WriteBehind writes({.count = 2, .bytes = 20'000});
    write_tiles(array, 1, writes);
  }
  std::fstream file(path("array"), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(20'480 + 5);
  file.put('x');
  file.close();
  ReadAhead reads({.count = 2, .bytes = 20'000}, sequence_of(array, {0, 1, 2}));
  EXPECT_TRUE(reads.next());
  EXPECT_THAT(message_of<ResourceError>([&] { reads.next(); }), HasSubstr("tile 1"));
}

}  // namespace
}  // namespace ricci::storage
