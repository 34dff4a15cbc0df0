// Requests that are cut into pieces, continued, repeated, and failed.
#include "storage/block_io.hpp"

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"
#include "faulty_backend.hpp"
#include "util/aligned_buffer.hpp"

namespace ricci::storage {
namespace {

using testing::HasSubstr;

class BlockIoTest : public ArrayFileTest {
 protected:
  std::string content(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

std::span<std::byte> span_of(const AlignedBuffer& buffer) {
  return {buffer.data(), static_cast<std::size_t>(buffer.bytes())};
}

void fill(const AlignedBuffer& buffer, std::mt19937& random) {
  for (std::byte& byte : span_of(buffer)) byte = static_cast<std::byte>(random());
}

/// Writes pieces of all alignments, many at a time, and reads them back in another order.
void round_trip(BlockIo& io, const BlockFile& file, std::int64_t file_bytes) {
  std::mt19937 random(7);
  const AlignedBuffer data(file_bytes), back = AlignedBuffer::zeroed(file_bytes);
  fill(data, random);
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;  // offset, bytes
  for (std::int64_t at = 0; at < file_bytes;) {
    const std::int64_t sizes[] = {1, 100, 4096, 4097, 3 * 4096, 70'000, 300'001};
    const std::int64_t bytes = std::min<std::int64_t>(sizes[random() % 7], file_bytes - at);
    parts.emplace_back(at, bytes);
    at += bytes;
    if (random() % 2 == 0) at = std::min(file_bytes, BlockFile::align_up(at));
  }
  std::vector<IoTicket> tickets;
  std::shuffle(parts.begin(), parts.end(), random);
  for (const auto& [at, bytes] : parts) tickets.push_back(io.write(file, at, span_of(data).subspan(at, bytes)));
  for (auto& ticket : tickets) ticket.wait();
  tickets.clear();
  std::shuffle(parts.begin(), parts.end(), random);
  for (const auto& [at, bytes] : parts) tickets.push_back(io.read(file, at, span_of(back).subspan(at, bytes)));
  io.wait_all();
  for (const auto& ticket : tickets) EXPECT_TRUE(ticket.done());
  for (const auto& [at, bytes] : parts) ASSERT_EQ(std::memcmp(data.data() + at, back.data() + at, bytes), 0) << at;
}

TEST_F(BlockIoTest, RoundTripOnEveryBackend) {
  for (const IoKind kind : kinds_of_this_system()) {
    for (const int in_flight : {1, 3, 16}) {
      BlockIo io({.kind = kind, .in_flight = in_flight, .piece_bytes = 16'384});
      EXPECT_EQ(io.backend(), to_string(kind));
      const BlockFile file(path("data"), 5'000'000);
      round_trip(io, file, 5'000'000);
    }
  }
}

TEST_F(BlockIoTest, WhatTheFileHoldsIsWhatWasWritten) {
  for (const IoKind kind : kinds_of_this_system()) {
    {
      BlockIo io({.kind = kind});
      const BlockFile file(path("data"), 3'000'000, true);
      const AlignedBuffer data = AlignedBuffer::zeroed(2'000'001);
      std::memset(data.data(), 'x', 2'000'001);
      io.write(file, 4096, span_of(data)).wait();
    }
    EXPECT_EQ(content("data"),
              std::string(4096, '\0') + std::string(2'000'001, 'x') + std::string(3'000'000 - 2'004'097, '\0'));
    std::filesystem::remove(path("data"));
  }
}

TEST_F(BlockIoTest, ShortAndInterruptedTransfersAreContinued) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    BlockIo io(std::make_unique<FaultyBackend>(Faults{.seed = seed}), {.in_flight = 5, .piece_bytes = 65'536});
    const BlockFile file(path("data"), 1'000'000);
    round_trip(io, file, 1'000'000);
  }
}

TEST_F(BlockIoTest, WithoutDirectTransfersBufferedOnesDo) {
  BlockIo io(std::make_unique<FaultyBackend>(Faults{.direct_error = EINVAL}), {});
  const BlockFile file(path("data"), 3'000'000);
  round_trip(io, file, 3'000'000);
  EXPECT_LT(file.direct(), 0);
}

TEST_F(BlockIoTest, AFullDiskIsAResourceErrorForTheTicketThatMeetsIt) {
  BlockIo io(std::make_unique<FaultyBackend>(Faults{.room = 100'000}), {.in_flight = 2, .piece_bytes = 8192});
  const BlockFile file(path("data"), 1'000'000);
  const AlignedBuffer data = AlignedBuffer::zeroed(500'000);
  IoTicket good = io.write(file, 0, span_of(data).first(60'000));
  IoTicket bad = io.write(file, 60'000, span_of(data));
  good.wait();
  EXPECT_FALSE(good.failed());
  const std::string expected = path("data") +
                               ": cannot write 500000 bytes at 60000: No space left on device; make room there, or "
                               "choose another scratch directory";
  EXPECT_EQ(message_of<ResourceError>([&] { bad.wait(); }), expected);
  EXPECT_EQ(message_of<ResourceError>([&] { bad.wait(); }), expected);
  EXPECT_TRUE(bad.failed());
  EXPECT_EQ(message_of<ResourceError>([&] { io.wait_all(); }), expected);
  EXPECT_NO_THROW(io.wait_all());
}

TEST_F(BlockIoTest, AFailureThatNobodyWaitedForIsToldInTheEnd) {
  BlockIo io(std::make_unique<FaultyBackend>(Faults{.read_error = EIO}), {});
  {
    const BlockFile file(path("data"), 8192);
    const AlignedBuffer data(8192);
    io.read(file, 0, span_of(data));
  }
  EXPECT_THAT(message_of<ResourceError>([&] { io.wait_all(); }),
              HasSubstr("data: cannot read 8192 bytes at 0: Input/output error; the disk (or the way to it) fails"));
}

TEST_F(BlockIoTest, WhatIsNeverDoneIsGivenUp) {
  BlockIo io(std::make_unique<FaultyBackend>(Faults{.always_again = true}), {});
  const BlockFile file(path("data"), 8192);
  const AlignedBuffer data(8192);
  IoTicket ticket = io.read(file, 0, span_of(data));
  EXPECT_THAT(message_of<ResourceError>([&] { ticket.wait(); }), HasSubstr("Interrupted system call"));
}

TEST_F(BlockIoTest, AFileThatWasCutOffIsAResourceError) {
  for (const IoKind kind : kinds_of_this_system()) {
    BlockIo io({.kind = kind, .piece_bytes = 65'536});
    const BlockFile file(path("data"), 1 << 20);
    std::filesystem::resize_file(path("data"), 300'000);
    for (const std::int64_t bytes : {std::int64_t{1} << 20, std::int64_t{300'001}}) {
      const AlignedBuffer data(bytes);
      IoTicket ticket = io.read(file, 0, span_of(data));
      EXPECT_THAT(message_of<ResourceError>([&] { ticket.wait(); }), HasSubstr("the file ends at byte "));
    }
  }
}

TEST_F(BlockIoTest, OursAreInternalErrors) {
  BlockIo io(std::make_unique<FaultyBackend>(Faults{.read_error = EBADF}), {});
  const BlockFile file(path("data"), 10);
  std::vector<std::byte> data(10);
  IoTicket ticket = io.read(file, 0, data);
  EXPECT_THROW(ticket.wait(), InternalError);
}

TEST_F(BlockIoTest, ADiskThatIsTooFullSaysSoWhenTheFileIsMade) {
  const std::int64_t too_much = std::int64_t{1} << 60;
  EXPECT_THAT(message_of<ResourceError>([&] { const BlockFile file(path("data"), too_much); }),
              HasSubstr("data: cannot write it: "));
  EXPECT_EQ(files(), 0U);
}

TEST_F(BlockIoTest, AFileThatIsThereIsNotTouched) {
  put("data", "mine");
  EXPECT_EQ(message_of<InputError>([&] { const BlockFile file(path("data"), 10); }),
            path("data") + ": cannot create it: File exists");
  EXPECT_EQ(content("data"), "mine");
}

TEST(IoKind, WhereIoUringCannotBeHadThreadsDo) {
  constexpr int too_many = 1 << 20;
  EXPECT_EQ(make_io_backend(IoKind::any, too_many)->name(), "threads");
  EXPECT_THAT(message_of<InputError>([] { make_io_backend(IoKind::io_uring, too_many); }),
              AllOf(HasSubstr("io_uring cannot be had: "), HasSubstr("; `threads` works everywhere")));
}

TEST(IoKind, IsParsedAndPrinted) {
  for (const IoKind kind : {IoKind::any, IoKind::io_uring, IoKind::threads}) {
    EXPECT_EQ(parse_io_kind(to_string(kind), "--io"), kind);
  }
  EXPECT_EQ(message_of<InputError>([] { parse_io_kind("aio", "--io"); }),
            "--io: `aio` is no way to read and write; there are any, io_uring and threads");
}

}  // namespace
}  // namespace ricci::storage
