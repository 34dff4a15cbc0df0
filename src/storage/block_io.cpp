#include "storage/block_io.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::storage {

struct IoTicket::Request {
  const BlockFile& file;
  bool write;
  std::int64_t offset;
  std::byte* data;
  std::int64_t bytes;
  std::int64_t issued = 0;  // bytes that have become pieces
  int pieces = 0;           // under way, or to be tried again
  int error = 0;            // the system's number
  std::int64_t failed_at = 0;
  std::string failed_path = {};  // the file may be gone when somebody asks

  bool ended() const { return pieces == 0 && issued == bytes; }
};

namespace {

constexpr int end_of_file = -1;      // as an error; the system's numbers are positive
constexpr int most_failures = 1000;  // of a piece in a row, by interruptions and by "try again"

bool is_aligned(std::int64_t value) { return value % BlockFile::alignment == 0; }
bool is_aligned(const std::byte* data) {
  return is_aligned(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data)));
}

}  // namespace

IoTicket& IoTicket::operator=(IoTicket&& other) noexcept {
  IoTicket old(std::move(*this));  // waits
  io_ = std::exchange(other.io_, nullptr);
  request_ = std::move(other.request_);
  return *this;
}

IoTicket::~IoTicket() {
  if (request_) io_->wait(*request_);
}

void IoTicket::wait() {
  if (!request_) return;
  io_->wait(*request_);
  io_->throw_error(*request_);
}

bool IoTicket::done() const { return !request_ || io_->done(*request_); }

bool IoTicket::failed() const { return request_ && io_->failed(*request_); }

BlockIo::BlockIo(const BlockIoOptions& options)
    : BlockIo(make_io_backend(options.kind, std::max(1, options.in_flight)), options) {}

BlockIo::BlockIo(std::unique_ptr<IoBackend> backend, const BlockIoOptions& options)
    : options_(options), backend_(std::move(backend)) {
  options_.in_flight = std::max(1, options_.in_flight);
  // Pieces begin where direct transfers may; and the system moves no more than 2 GiB at once.
  options_.piece_bytes =
      std::clamp<std::int64_t>(BlockFile::align_up(options_.piece_bytes), BlockFile::alignment, std::int64_t{1} << 30);
  slots_.resize(static_cast<std::size_t>(options_.in_flight));
  for (std::size_t slot = slots_.size(); slot-- > 0;) free_slots_.push_back(slot);
  thread_ = std::jthread([this](const std::stop_token& stop) { pump(stop); });
}

BlockIo::~BlockIo() {
  const std::lock_guard lock(mutex_);
  for (const auto& request : waiting_) request->issued = request->bytes;
  waiting_.clear();
}

IoTicket BlockIo::read(const BlockFile& file, std::int64_t offset, std::span<std::byte> to) {
  return start(std::make_shared<IoTicket::Request>(
      IoTicket::Request{file, false, offset, to.data(), static_cast<std::int64_t>(to.size())}));
}

IoTicket BlockIo::write(const BlockFile& file, std::int64_t offset, std::span<const std::byte> from) {
  auto* const data = const_cast<std::byte*>(from.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): only read
  return start(std::make_shared<IoTicket::Request>(
      IoTicket::Request{file, true, offset, data, static_cast<std::int64_t>(from.size())}));
}

IoTicket BlockIo::start(RequestPointer request) {
  if (request->bytes == 0) return {};
  {
    const std::lock_guard lock(mutex_);
    if (broken_) std::rethrow_exception(broken_);
    waiting_.push_back(request);
    ++open_requests_;
    fill();
  }
  has_work_.notify_one();
  return {*this, std::move(request)};
}

void BlockIo::wait(IoTicket::Request& request) {
  std::unique_lock lock(mutex_);
  has_ended_.wait(lock, [&] { return request.ended() || broken_; });
}

bool BlockIo::done(const IoTicket::Request& request) {
  const std::lock_guard lock(mutex_);
  return request.ended() || broken_;
}

bool BlockIo::failed(const IoTicket::Request& request) {
  const std::lock_guard lock(mutex_);
  return broken_ || (request.ended() && request.error != 0);
}

void BlockIo::throw_error(const IoTicket::Request& request) {
  {
    const std::lock_guard lock(mutex_);
    if (broken_) std::rethrow_exception(broken_);
    if (request.error == 0) return;
  }
  const std::string& path = request.failed_path;
  if (request.error == end_of_file) {
    throw ResourceError(
        fmt::format("{}: the file ends at byte {}, though more was written: something has cut it off "
                    "while it was in use; run again with a scratch directory that nobody else touches",
                    path, request.offset + request.failed_at));
  }
  const auto what = fmt::format("{}: cannot {} {} bytes at {}: {}", path, request.write ? "write" : "read",
                                request.bytes, request.offset, std::generic_category().message(request.error));
  if (request.error == ENOSPC || request.error == EDQUOT || request.error == EFBIG) {
    throw ResourceError(what + "; make room there, or choose another scratch directory");
  }
  if (request.error == EINVAL || request.error == EBADF || request.error == EFAULT) throw InternalError(what);
  throw ResourceError(what + "; the disk (or the way to it) fails: choose another scratch directory");
}

void BlockIo::wait_all() {
  RequestPointer failed;
  {
    std::unique_lock lock(mutex_);
    has_ended_.wait(lock, [&] { return open_requests_ == 0 || broken_; });
    if (broken_) std::rethrow_exception(broken_);
    failed = std::exchange(first_failure_, nullptr);
  }
  if (failed) throw_error(*failed);
}

void BlockIo::pump(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  try {
    while (has_work_.wait(lock, stop, [&] { return free_slots_.size() < slots_.size(); })) {
      lock.unlock();
      const IoResult result = backend_->wait_for_one();
      if (result.bytes == -EAGAIN) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      start_write_back(result.tag);
      lock.lock();
      finish(result);
      fill();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    broken_ = std::current_exception();
    has_ended_.notify_all();
  }
}

/// What goes through the system's cache is sent to the disk at once: it would pile up there until everybody who writes
/// is stopped.
void BlockIo::start_write_back(std::uint64_t tag) {
  constexpr std::int64_t worth_it = std::int64_t{1} << 20;
  Piece piece;
  {
    const std::lock_guard lock(mutex_);
    piece = slots_[tag];
  }
  const IoTicket::Request& request = *piece.request;
  if (!request.write || piece.direct || piece.bytes < worth_it) return;
  sync_file_range(request.file.buffered(), request.offset + piece.begin, piece.bytes, SYNC_FILE_RANGE_WRITE);
}

void BlockIo::fill() {
  for (Piece piece; !free_slots_.empty() && next_piece(piece);) submit(std::move(piece));
}

bool BlockIo::next_piece(Piece& piece) {
  while (!again_.empty()) {
    piece = std::move(again_.front());
    again_.pop_front();
    if (piece.request->error == 0) return true;
    --piece.request->pieces;
    settle(piece.request);
  }
  while (!waiting_.empty() && waiting_.front()->issued == waiting_.front()->bytes) waiting_.pop_front();
  if (waiting_.empty()) return false;
  IoTicket::Request& request = *waiting_.front();
  const std::int64_t left = request.bytes - request.issued;
  std::int64_t bytes = std::min(left, options_.piece_bytes);
  // The bytes behind the last multiple are a piece of their own, so that all others can be direct.
  if (bytes > BlockFile::alignment && !is_aligned(bytes)) bytes -= bytes % BlockFile::alignment;
  piece = {waiting_.front(), request.issued, bytes};
  request.issued += bytes;
  ++request.pieces;
  return true;
}

void BlockIo::submit(Piece piece) {
  const IoTicket::Request& request = *piece.request;
  const int direct = request.file.direct();
  std::byte* const data = request.data + piece.begin;
  const std::int64_t offset = request.offset + piece.begin;
  piece.direct = direct >= 0 && is_aligned(data) && is_aligned(offset) && is_aligned(piece.bytes);
  const std::uint64_t slot = free_slots_.back();
  free_slots_.pop_back();
  const IoPiece transfer{request.write, piece.direct ? direct : request.file.buffered(), offset, data, piece.bytes,
                         slot};
  slots_[slot] = std::move(piece);
  backend_->submit(transfer);
}

void BlockIo::finish(const IoResult& result) {
  Piece piece = std::exchange(slots_[result.tag], {});
  free_slots_.push_back(result.tag);
  IoTicket::Request& request = *piece.request;
  if (result.bytes == piece.bytes) {
    --request.pieces;
    return settle(piece.request);
  }
  const bool try_again = result.bytes == -EINTR || result.bytes == -EAGAIN;
  if (result.bytes > 0 && result.bytes < piece.bytes) {
    again_.push_back({piece.request, piece.begin + result.bytes, piece.bytes - result.bytes});
  } else if (try_again && ++piece.failures < most_failures) {
    again_.push_back(std::move(piece));
  } else if (result.bytes == -EINVAL && piece.direct) {
    request.file.give_up_direct();
    again_.push_back(std::move(piece));
  } else {
    const int nothing = request.write ? EIO : end_of_file;
    --request.pieces;
    fail(piece.request, result.bytes < 0 ? static_cast<int>(-result.bytes) : nothing, piece.begin);
    settle(piece.request);
  }
}

void BlockIo::fail(const RequestPointer& request, int error_number, std::int64_t at) {
  if (request->error != 0) return;
  request->error = error_number;
  request->failed_at = at;
  request->failed_path = request->file.path();
  request->issued = request->bytes;  // what has not begun never will
  if (!first_failure_) first_failure_ = request;
}

void BlockIo::settle(const RequestPointer& request) {
  if (!request->ended()) return;
  --open_requests_;
  has_ended_.notify_all();
}

}  // namespace ricci::storage
