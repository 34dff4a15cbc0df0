#pragma once
// MPI behind values: the only room that sees <mpi.h>.
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "comm/request.hpp"
#include "comm/traffic.hpp"

namespace ricci::comm {

/// What the typed collectives move.
template <class T>
concept Scalar = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>> || std::same_as<T, std::int64_t>;

/// Complex numbers have only the sum, and only std::int64_t has the logical ones.
enum class Operation { sum, max, min, logical_and, logical_or };

/// A group of ranks. Copies share the same MPI communicator, which is freed with the last of them, and with it the
/// counters and the chunk limit.
///
/// One rank alone needs no MPI: there every call is a copy or nothing, and collectives may run on several threads.
/// Otherwise a communicator belongs to the thread that started MPI.
///
/// Collective means: every rank calls it, in the same order among the collective calls of this communicator, with
/// matching sizes. A size or an argument that this rank can see to be wrong is an InternalError.
class Communicator {
 public:
  /// One rank alone, without MPI.
  Communicator();
  /// Every rank, or one rank alone where MPI is not running. Each call has counters and a chunk limit of its own.
  static Communicator world();

  int rank() const;
  int size() const;
  /// Whether both are made on the same MPI communicator (or both are one rank alone), as those of world() are.
  bool same_ranks(const Communicator& other) const;
  /// Collective: the ranks with the same color, in the order of their keys and then of their ranks here. The part
  /// takes over the chunk limit and has counters of its own. A negative color is an InputError on every rank.
  Communicator split(int color, int key) const;
  Communicator split(int color) const;
  /// How many of its ranks are on one node, where there are most of them. Collective.
  int ranks_on_a_node() const;
  /// Collective.
  void barrier() const;

  // ---- Collectives. Spans may be of any length: what an MPI call cannot take goes in chunks.

  void broadcast(std::span<std::byte> data, int root) const;

  /// In place: every rank gets the result, the same bits everywhere.
  template <Scalar T>
  void all_reduce(std::span<T> data, Operation operation) const;
  template <Scalar T>
  T all_reduce(T value, Operation operation) const;
  /// In place at the root; the data of others are only read.
  template <Scalar T>
  void reduce(std::span<T> data, int root, Operation operation = Operation::sum) const;
  /// `in` is the parts of all ranks in order, counts[r] elements for rank r; each rank gets the result of its part.
  template <Scalar T>
  void reduce_scatter(std::span<const std::type_identity_t<T>> in, std::span<T> out,
                      std::span<const std::int64_t> counts, Operation operation = Operation::sum) const;

  /// `all` becomes the pieces of all ranks in order, bytes_of_rank[r] bytes of rank r. `mine` may lie at its place in
  /// `all` already, and may not overlap with it otherwise.
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                  std::span<const std::int64_t> bytes_of_rank) const;

  /// Sends send_bytes[r] bytes that start at send + send_at[r] to each rank r, and the like for receiving. Blocks may
  /// lie in any order and apart; those received may not overlap. Costs what MPI_Alltoallv costs. Only if the blocks
  /// lie further apart than the chunk limit does it take memory: a copy of those of at most limit / size() bytes.
  void exchange(const std::byte* send, std::span<const std::int64_t> send_bytes, std::span<const std::int64_t> send_at,
                std::byte* receive, std::span<const std::int64_t> receive_bytes,
                std::span<const std::int64_t> receive_at) const;
  /// send.size() / size() numbers to each rank, in order, and as many from each.
  void all_to_all(std::span<const std::int64_t> send, std::span<std::int64_t> receive) const;

  // ---- Started now, waited for later. The spans must outlive the Request.

  /// Messages between two ranks with one tag arrive in the order in which they were started. Sender and receiver give
  /// the same size; nothing is sent where it is 0. A message to oneself is kept until it is received.
  Request start_send(std::span<const std::byte> data, int to, int tag = 0) const;
  Request start_receive(std::span<std::byte> data, int from, int tag = 0) const;
  static constexpr int largest_tag = 31999;  // MPI promises 32767; those above are ricci's own

  /// Sends to one rank and receives from another at once; both may be this rank. No start_send or start_receive can
  /// take its messages.
  Request start_shift(std::span<const std::byte> send, int to, std::span<std::byte> receive, int from) const;
  /// Collective, as are the blocking ones; counted when started.
  Request start_broadcast(std::span<std::byte> data, int root) const;
  template <Scalar T>
  Request start_all_reduce(std::span<T> data, Operation operation) const;

  // ---- Failing together.

  /// Collective. If any rank brings an exception, every rank throws one of the same kind (InputError, ResourceError,
  /// InternalError; std::bad_alloc counts as ResourceError, all else as InternalError) with the message of the lowest
  /// such rank, after "rank 3: " unless every rank brought that same message. Costs one all_reduce of 8 bytes if none
  /// does.
  void agree(const std::exception_ptr& mine) const;

  /// Collective: whether all ranks give the same bytes. Compares 64-bit hashes: meant to find mistakes.
  bool consistent(std::span<const std::byte> what) const;
  bool consistent(std::string_view what) const;
  /// Collective: nothing, or rank 0 and the lowest rank that gives something else.
  std::optional<std::pair<int, int>> disagreement(std::span<const std::byte> what) const;
  std::optional<std::pair<int, int>> disagreement(std::string_view what) const;

  // ---- Counters and chunks.

  Traffic traffic(Call call) const;
  Traffic traffic() const;
  /// Bytes that messages, shifts and exchanges have brought from other ranks, or will once they are waited for.
  std::int64_t bytes_received() const;
  void reset_traffic() const;

  /// The most that one message carries, in bytes (of reductions: at least one element). By default just below 2^31;
  /// tests make it small. Set it alike on every rank, while nothing is under way.
  void set_chunk_limit(std::int64_t bytes) const;
  std::int64_t chunk_limit() const;

  // ---- Simulated ranks.

  /// Lets the simulated time pass that the flops take on this rank's host, if set_simulates_work() said so. Does
  /// nothing where ranks are real.
  void account_flops(double flops) const;
  void set_simulates_work(bool simulates) const;

  struct Handle;
  explicit Communicator(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}
  const Handle& handle() const { return *handle_; }

 private:
  std::shared_ptr<Handle> handle_;  // never null
};

/// Collective: runs f and fails on all ranks or none. f itself must not wait for other ranks after it may have failed.
template <class F>
void together(const Communicator& communicator, F f) {
  std::exception_ptr mine;
  try {
    f();
  } catch (...) {
    mine = std::current_exception();
  }
  communicator.agree(mine);
}

/// Starts MPI if nobody has; whether it did. If it did, an exception that nobody catches on one rank ends them all,
/// after "ricci: rank 1 of 4: <what>" on stderr. Collective over all ranks.
bool start_mpi(int* argc, char*** argv);

/// Ends MPI once all ranks have come here. A rank that comes here with an exception on its way (unwinding) cannot know
/// whether the others do: it waits for them for `patience` seconds, then ends them all with a message, as they would
/// wait for this one forever.
void end_mpi(bool unwinding = false, double patience = 5);

}  // namespace ricci::comm
