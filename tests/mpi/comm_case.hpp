#pragma once
// The groups of ranks and the chunk limits that every call is tried with, and random data that all ranks can compute.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"

namespace ricci_test {

using ricci::comm::Communicator;
using Sizes = std::vector<std::int64_t>;

/// Random numbers that are the same on every rank of a group, as all draw the same ones.
class SizeDice {
 public:
  explicit SizeDice(std::uint64_t seed) : engine_(seed) {}
  /// From 0 to `most`; every fourth is 0, as nothing is what is forgotten most easily.
  std::int64_t size(std::int64_t most) {
    const std::int64_t roll = between(0, most);
    return between(0, 3) == 0 ? 0 : roll;
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::mt19937_64 engine_;  // std::uniform_int_distribution may differ between libraries, and need not be the same here
};

inline std::byte byte_of(std::int64_t from, std::int64_t to, std::int64_t index) {
  return static_cast<std::byte>((from * 97 + to * 31 + index * 7 + (index >> 8) * 3 + 5) & 0xff);
}

inline std::vector<std::byte> bytes_of(std::int64_t from, std::int64_t to, std::int64_t length) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) bytes[static_cast<std::size_t>(i)] = byte_of(from, to, i);
  return bytes;
}

/// How large the data are that go with a chunk limit: some chunks, but not thousands.
inline std::int64_t data_size(std::int64_t limit) { return limit < 100 ? 12 * limit : 5000; }

/// Calls f with: all ranks, all in reverse, ranks of the same parity, two uneven parts, one rank with MPI and one
/// without; each with the default chunk limit, 1 KiB, and odd limits of a few bytes.
inline void for_each_case(const std::function<void(const Communicator&)>& f) {
  const Communicator world = Communicator::world();
  const int rank = world.rank();
  const std::vector<std::pair<std::string, Communicator>> groups = {
      {"all ranks", world},
      {"reverse", world.split(0, -rank)},
      {"parity", world.split(rank % 2)},
      {"uneven", world.split(3 * rank < world.size() ? 0 : 1)},
      {"one rank", world.split(rank)},
      {"no MPI", Communicator()},
  };
  for (const auto& [name, group] : groups) {
    for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{1024}, std::int64_t{3}, std::int64_t{37}}) {
      SCOPED_TRACE(name + ", chunk limit " + std::to_string(limit));
      if (limit > 0) group.set_chunk_limit(limit);
      group.reset_traffic();
      f(group);
    }
  }
}

/// The number of chunks that n bytes go in.
inline std::int64_t chunks(const Communicator& group, std::int64_t n) {
  return (n + group.chunk_limit() - 1) / group.chunk_limit();
}

}  // namespace ricci_test
