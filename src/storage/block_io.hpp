#pragma once
// Large reads and writes that go on while the caller does something else.
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "storage/block_file.hpp"
#include "storage/io_backend.hpp"

namespace ricci::storage {

struct BlockIoOptions {
  IoKind kind = IoKind::any;
  int in_flight = 16;  // pieces that the system has at once
  std::int64_t piece_bytes = std::int64_t{4}
                             << 20;  // large enough for any disk, small enough that several are in flight
};

class BlockIo;

/// One read or write that was started. Destroying it waits, in silence: the memory is free to be reused then.
class IoTicket {
 public:
  struct Request;

  IoTicket() = default;  // of a transfer that has ended well
  IoTicket(BlockIo& io, std::shared_ptr<Request> request) : io_(&io), request_(std::move(request)) {}
  IoTicket(IoTicket&&) noexcept = default;
  IoTicket& operator=(IoTicket&& other) noexcept;
  IoTicket(const IoTicket&) = delete;
  IoTicket& operator=(const IoTicket&) = delete;
  ~IoTicket();

  /// Throws what went wrong, as often as it is asked: ResourceError where the disk is full or failing.
  void wait();
  bool done() const;
  /// It has ended, and wait() throws.
  bool failed() const;
  /// Another ticket of the same transfer.
  IoTicket share() const { return request_ ? IoTicket(*io_, request_) : IoTicket(); }

 private:
  BlockIo* io_ = nullptr;
  std::shared_ptr<Request> request_;
};

/// The queue. Requests are cut into pieces; the first requests go first. A thread of its own keeps the backend busy,
/// continues what the system has done in part, and repeats what was interrupted, so that nobody has to poll. Takes no
/// memory to speak of: data go straight from and to the caller's. May be used from several threads.
class BlockIo {
 public:
  explicit BlockIo(const BlockIoOptions& options = {});
  BlockIo(std::unique_ptr<IoBackend> backend, const BlockIoOptions& options);
  BlockIo(const BlockIo&) = delete;
  BlockIo& operator=(const BlockIo&) = delete;
  /// Forgets what has not begun, waits for the rest. No ticket may be left.
  ~BlockIo();

  /// Memory and file have to stay until the ticket is waited for or destroyed. Direct where offset and address are
  /// multiples of BlockFile::alignment; then the last bytes, up to alignment - 1, go through the system's cache.
  IoTicket read(const BlockFile& file, std::int64_t offset, std::span<std::byte> to);
  IoTicket write(const BlockFile& file, std::int64_t offset, std::span<const std::byte> from);
  /// Until nothing is under way. Throws the first error since the last such call, whether or not a ticket has told it.
  void wait_all();
  std::string_view backend() const { return backend_->name(); }

 private:
  friend class IoTicket;
  using RequestPointer = std::shared_ptr<IoTicket::Request>;
  /// Part of a request: what a slot is busy with, or what is to be tried again.
  struct Piece {
    RequestPointer request;
    std::int64_t begin = 0, bytes = 0;  // within the request
    bool direct = false;
    int failures = 0;  // in a row, of those that are no errors
  };

  IoTicket start(RequestPointer request);
  void wait(IoTicket::Request& request);
  bool done(const IoTicket::Request& request);
  bool failed(const IoTicket::Request& request);
  void throw_error(const IoTicket::Request& request);

  void pump(const std::stop_token& stop);
  void start_write_back(std::uint64_t tag);
  // All of these with the mutex held.
  void fill();
  bool next_piece(Piece& piece);
  void submit(Piece piece);
  void finish(const IoResult& result);
  void fail(const RequestPointer& request, int error_number, std::int64_t at);
  void settle(const RequestPointer& request);

  BlockIoOptions options_;
  std::unique_ptr<IoBackend> backend_;
  std::mutex mutex_;
  std::condition_variable_any has_work_;
  std::condition_variable has_ended_;
  std::vector<Piece> slots_;
  std::vector<std::uint64_t> free_slots_;
  std::deque<RequestPointer> waiting_;
  std::deque<Piece> again_;
  RequestPointer first_failure_;  // since the last wait_all()
  std::int64_t open_requests_ = 0;
  std::exception_ptr broken_;  // the backend has failed: nothing more will end
  std::jthread thread_;        // last: it ends before what it uses goes away
};

}  // namespace ricci::storage
