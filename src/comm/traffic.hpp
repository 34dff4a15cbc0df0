#pragma once
// What a rank sends to others, counted exactly and independently of how MPI moves it, so that a plan can predict it.
#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace ricci::comm {

/// What is counted apart. P is the size of the communicator; a call whose data are empty counts as a call only.
/// Data beyond the chunk limit go in chunks, and each chunk is a message of its own.
///
///     call                      bytes                               messages, times the chunks
///     broadcast                 root: n(P-1); others: 0             root: P-1; others: 0
///     reduce (reduce)           root: 0; others: n                  root: 0; others: 1
///            (all_reduce)       2n(P-1)/P, rounded down             2(P-1)
///            (reduce_scatter)   what the other ranks receive        one to each other rank that receives any
///     gather (all_gather)       own n (P-1)                         P-1
///     exchange (exchange)       to other ranks                      one to each other rank that is sent any
///              (all_to_all)     to other ranks                      P-1
///     point (send, shift)       n, unless it is to oneself          1, unless it is to oneself; a receive counts
///     nothing
///
/// Not counted, as it is control of a few bytes and no plan predicts it: barrier, split, agree, consistent.
enum class Call { broadcast, reduce, gather, exchange, point };
inline constexpr int call_count = 5;

std::string_view name_of(Call call);

struct Traffic {
  std::int64_t calls = 0;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;

  Traffic& operator+=(const Traffic& other);
  bool operator==(const Traffic&) const = default;
};

/// "2 calls, 6 messages, 4096 bytes"
std::ostream& operator<<(std::ostream&, const Traffic&);

}  // namespace ricci::comm
