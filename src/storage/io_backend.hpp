#pragma once
// How single transfers between memory and a file are given to the system: io_uring, or threads that call pread and
// pwrite. Backends neither split nor repeat anything: BlockIo does, the same for all of them.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ricci::storage {

enum class IoKind {
  any,       ///< io_uring where the system grants it, else threads
  io_uring,  ///< needs liburing when ricci is built, and a kernel (or a container) that allows it
  threads,
};

/// "any", "io_uring" or "threads"; InputError, naming `what`, for anything else.
IoKind parse_io_kind(std::string_view text, std::string_view what);
std::string_view to_string(IoKind kind);

/// One transfer. The memory and the descriptor have to stay until its result is there.
struct IoPiece {
  bool write = false;
  int descriptor = -1;
  std::int64_t offset = 0;
  std::byte* data = nullptr;  // only read from where `write`
  std::int64_t bytes = 0;
  std::uint64_t tag = 0;  // comes back with the result
};

struct IoResult {
  std::uint64_t tag = 0;
  std::int64_t bytes = 0;  // transferred, perhaps fewer than asked for; negative: minus the system's error number
};

/// submit() is called from one thread at a time, wait_for_one() from one thread, perhaps another, and only while there
/// is a piece whose result has not come.
class IoBackend {
 public:
  IoBackend() = default;
  IoBackend(const IoBackend&) = delete;
  IoBackend& operator=(const IoBackend&) = delete;
  /// All results have come before.
  virtual ~IoBackend() = default;

  virtual std::string_view name() const = 0;
  virtual void submit(const IoPiece& piece) = 0;
  /// In any order.
  virtual IoResult wait_for_one() = 0;
};

/// For up to `in_flight` pieces at once. InputError where io_uring is asked for and cannot be had.
std::unique_ptr<IoBackend> make_io_backend(IoKind kind, int in_flight);

/// Nothing where io_uring cannot be had; `reason` then says why.
std::unique_ptr<IoBackend> make_io_uring(int in_flight, std::string& reason);

std::unique_ptr<IoBackend> make_io_threads(int in_flight);

}  // namespace ricci::storage
