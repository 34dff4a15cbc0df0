// Disk arrays against a map in memory, and what they say of damaged files.
#include "storage/disk_array.hpp"

#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"
#include "faulty_backend.hpp"
#include "util/aligned_buffer.hpp"

namespace ricci::storage {
namespace {

using testing::HasSubstr;

class DiskArrayTest : public ArrayFileTest {
 protected:
  void flip_byte(const std::string& name, std::int64_t at) const {
    std::fstream file(path(name), std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(at);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(at);
    file.put(byte);
  }
};

std::span<std::byte> span_of(const AlignedBuffer& buffer) {
  return {buffer.data(), static_cast<std::size_t>(buffer.bytes())};
}

std::vector<std::int64_t> random_sizes(std::mt19937& random) {
  const std::int64_t sizes[] = {0, 1, 17, 4095, 4096, 4097, 65'536, 100'003, 1'048'576, 1'100'001};
  std::vector<std::int64_t> tiles(1 + random() % 40);
  for (auto& bytes : tiles) bytes = sizes[random() % 10];
  return tiles;
}

/// A read that is under way, and what it is to bring.
struct Expected {
  AlignedBuffer buffer;
  std::vector<std::byte> bytes;
  TileTransfer transfer;
};

/// Random reads and writes, many under way at once, against a map.
void compare_with_map(BlockIo& io, const std::string& file, unsigned seed) {
  std::mt19937 random(seed);
  const auto sizes = random_sizes(random);
  DiskArray array(io, file, sizes, {.unwritten = Unwritten::zero});
  std::map<std::int64_t, std::vector<std::byte>> oracle;
  DiskTraffic counted;
  std::vector<std::pair<AlignedBuffer, TileTransfer>> writes;
  std::vector<Expected> reads;
  for (int step = 0; step < 150; ++step) {
    const auto tile = static_cast<std::int64_t>(random() % sizes.size());
    const std::int64_t bytes = sizes[tile];
    AlignedBuffer buffer(bytes);
    if (random() % 2 == 0) {
      oracle[tile] = random_bytes(bytes, random);
      std::copy(oracle[tile].begin(), oracle[tile].end(), buffer.data());
      auto transfer = array.start_write(tile, span_of(buffer));
      writes.emplace_back(std::move(buffer), std::move(transfer));
      counted += {.writes = 1, .written_bytes = bytes};
    } else {
      counted +=
          oracle.contains(tile) ? DiskTraffic{.reads = 1, .read_bytes = bytes} : DiskTraffic{.zero_bytes = bytes};
      auto expected = oracle.contains(tile) ? oracle[tile] : std::vector<std::byte>(bytes);
      auto transfer = array.start_read(tile, span_of(buffer));
      reads.push_back({std::move(buffer), std::move(expected), std::move(transfer)});
    }
    if (random() % 16 == 0) {
      for (auto& read : reads) {
        read.transfer.wait();
        ASSERT_TRUE(std::equal(read.bytes.begin(), read.bytes.end(), read.buffer.data()));
      }
      reads.clear();
      if (random() % 2 == 0) writes.clear();
    }
    ASSERT_EQ(array.written(tile), oracle.contains(tile));
  }
  EXPECT_EQ(array.traffic(), counted);
}

TEST_F(DiskArrayTest, LikeAMapOnEveryBackend) {
  for (const IoKind kind : kinds_of_this_system()) {
    BlockIo io({.kind = kind, .in_flight = 8, .piece_bytes = 256 << 10});
    for (unsigned seed = 1; seed < 5; ++seed) {
      compare_with_map(io, path("array"), seed);
    }
  }
}

TEST_F(DiskArrayTest, LikeAMapOnABadDay) {
  for (unsigned seed = 1; seed < 4; ++seed) {
    BlockIo io(std::make_unique<FaultyBackend>(Faults{.seed = seed}), {.in_flight = 6, .piece_bytes = 64 << 10});
    compare_with_map(io, path("array"), seed);
  }
}

TEST_F(DiskArrayTest, LargeTiles) {
  std::mt19937 random(3);
  for (const IoKind kind : kinds_of_this_system()) {
    BlockIo io({.kind = kind});
    const std::vector<std::int64_t> sizes = {40'000'009, 33'554'432};
    DiskArray array(io, path("array"), sizes);
    const AlignedBuffer first(sizes[0]), second(sizes[1]), back(sizes[0]);
    for (std::byte& byte : span_of(first)) byte = static_cast<std::byte>(random());
    std::memset(second.data(), 5, sizes[1]);
    auto a = array.start_write(0, span_of(first)), b = array.start_write(1, span_of(second));
    array.read(0, span_of(back));
    EXPECT_EQ(std::memcmp(first.data(), back.data(), sizes[0]), 0);
    a.wait();
    b.wait();
  }
}

TEST_F(DiskArrayTest, TilesBeginAtMultiples) {
  EXPECT_EQ(DiskArray::file_bytes(std::vector<std::int64_t>{}), 0);
  EXPECT_EQ(DiskArray::file_bytes(std::vector<std::int64_t>{0, 1, 4096, 4097}), 4096 + 4096 + 8192);
  EXPECT_THROW(DiskArray::file_bytes(std::vector<std::int64_t>{-1}), InternalError);
  EXPECT_THROW(DiskArray::file_bytes(std::vector<std::int64_t>(3, std::int64_t{1} << 62)), ResourceError);
  BlockIo io;
  const DiskArray array(io, path("array"), std::vector<std::int64_t>{0, 1, 4096, 4097});
  EXPECT_EQ(std::filesystem::file_size(path("array")), 16'384U);
}

TEST_F(DiskArrayTest, ItsFileGoesWithItUnlessKept) {
  BlockIo io;
  {
    const DiskArray array(io, path("gone"), std::vector<std::int64_t>{10});
    const DiskArray kept(io, path("kept"), std::vector<std::int64_t>{10}, {.keep_file = true});
    EXPECT_EQ(files(), 2U);
  }
  EXPECT_TRUE(std::filesystem::exists(path("kept")));
  EXPECT_EQ(files(), 1U);
}

TEST_F(DiskArrayTest, AFlippedByteIsFound) {
  std::mt19937 random(1);
  for (const IoKind kind : kinds_of_this_system()) {
    for (const std::int64_t bytes : {1, 100, 5000, 2'000'000}) {
      BlockIo io({.kind = kind});
      DiskArray array(io, path("array"), std::vector<std::int64_t>{bytes, bytes});
      const AlignedBuffer data(bytes), back(bytes);
      for (std::byte& byte : span_of(data)) byte = static_cast<std::byte>(random());
      array.write(0, span_of(data));
      array.write(1, span_of(data));
      const std::int64_t second = BlockFile::align_up(bytes);
      flip_byte("array", second + static_cast<std::int64_t>(random() % bytes));
      array.read(0, span_of(back));
      auto transfer = array.start_read(1, span_of(back));
      for (int again = 0; again < 2; ++again) {
        const auto message = message_of<ResourceError>([&] { transfer.wait(); });
        EXPECT_THAT(message, HasSubstr(fmt::format("tile 1 (bytes {} to {} of the file)", second, second + bytes)));
        EXPECT_THAT(message, HasSubstr("did not come back from the disk as it was written"));
      }
      array.write(1, span_of(data));
      EXPECT_NO_THROW(array.read(1, span_of(back)));
    }
  }
}

TEST_F(DiskArrayTest, ATruncatedFileIsFound) {
  BlockIo io;
  DiskArray array(io, path("array"), std::vector<std::int64_t>{10'000, 10'000});
  const AlignedBuffer data = AlignedBuffer::zeroed(10'000), back(10'000);
  array.write(0, span_of(data));
  array.write(1, span_of(data));
  std::filesystem::resize_file(path("array"), 15'000);
  EXPECT_NO_THROW(array.read(0, span_of(back)));
  EXPECT_THAT(message_of<ResourceError>([&] { array.read(1, span_of(back)); }), HasSubstr("the file ends at byte"));
}

TEST_F(DiskArrayTest, ATileWhoseWriteFailedCannotBeRead) {
  BlockIo io(std::make_unique<FaultyBackend>(Faults{.room = 10'000}), {.piece_bytes = 4096});
  DiskArray array(io, path("array"), std::vector<std::int64_t>(200, 8000));
  const AlignedBuffer data = AlignedBuffer::zeroed(8000), back(8000);
  array.write(0, span_of(data));
  for (std::int64_t tile = 1; tile < 200; ++tile) array.start_write(tile, span_of(data));  // nobody waits for these
  EXPECT_NO_THROW(array.read(0, span_of(back)));
  for (const std::int64_t tile : {1, 2, 100, 199}) {
    EXPECT_THAT(message_of<ResourceError>([&] { array.read(tile, span_of(back)); }),
                HasSubstr("No space left on device"));
  }
}

TEST_F(DiskArrayTest, AFullDiskIsAResourceErrorAndLeavesNoFile) {
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{1 << 20, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  BlockIo io;
  const auto message = message_of<ResourceError>([&] {
    const DiskArray array(io, path("array"), std::vector<std::int64_t>{1 << 20, 1});
  });
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path("array") +
                         ": cannot write it: File too large (for 1052672 bytes); make room there, or choose another "
                         "scratch directory");
  EXPECT_EQ(files(), 0U);
}

TEST_F(DiskArrayTest, ReadingWhatWasNeverWritten) {
  BlockIo io;
  DiskArray strict(io, path("strict"), std::vector<std::int64_t>{8});
  std::vector<std::byte> bytes(8, std::byte{7});
  EXPECT_EQ(message_of<InternalError>([&] { strict.read(0, bytes); }),
            path("strict") + ": tile 0 is read before it is written");
  DiskArray zero(io, path("zero"), std::vector<std::int64_t>{8}, {.unwritten = Unwritten::zero});
  zero.read(0, bytes);
  EXPECT_EQ(bytes, std::vector<std::byte>(8));
  bytes[3] = std::byte{1};
  zero.write(0, bytes);
  std::vector<std::byte> back(8);
  zero.read(0, back);
  EXPECT_EQ(back, bytes);
  const auto before = zero.version(0);
  zero.forget();
  EXPECT_NE(zero.version(0), before);
  zero.read(0, back);
  EXPECT_EQ(back, std::vector<std::byte>(8));
  EXPECT_EQ(zero.traffic(), (DiskTraffic{1, 8, 1, 8, 16}));
  std::ostringstream out;
  out << zero.traffic();
  EXPECT_EQ(out.str(), "read 1 tiles (8 bytes), wrote 1 (8 bytes), 16 bytes were zero");
}

TEST_F(DiskArrayTest, WrongTilesAndSizesAreInternalErrors) {
  BlockIo io;
  DiskArray array(io, path("array"), std::vector<std::int64_t>{8});
  std::vector<std::byte> bytes(9);
  EXPECT_EQ(message_of<InternalError>([&] { array.write(0, bytes); }),
            path("array") + ": tile 0 has 8 bytes, the memory for it 9");
  EXPECT_THROW(array.write(1, bytes), InternalError);
  EXPECT_THROW(array.read(-1, bytes), InternalError);
}

}  // namespace
}  // namespace ricci::storage
