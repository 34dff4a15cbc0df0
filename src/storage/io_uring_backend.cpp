#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <liburing.h>

#include <ricci/error.hpp>

#include "storage/io_backend.hpp"

namespace ricci::storage {
namespace {

std::string words(int error_number) { return std::generic_category().message(error_number); }

/// Submitting touches the submission queue alone and waiting the completion queue alone, so that two threads may do
/// one each.
class IoUring final : public IoBackend {
 public:
  explicit IoUring(int in_flight) : status_(io_uring_queue_init(static_cast<unsigned>(in_flight), &ring_, 0)) {}
  ~IoUring() override {
    if (status_ == 0) io_uring_queue_exit(&ring_);
  }

  /// Empty: usable.
  std::string obstacle() {
    if (status_ != 0) return fmt::format("the system refuses it: {}", words(-status_));
    io_uring_probe* const probe = io_uring_get_probe_ring(&ring_);
    const bool suffices = probe != nullptr && io_uring_opcode_supported(probe, IORING_OP_READ) != 0 &&
                          io_uring_opcode_supported(probe, IORING_OP_WRITE) != 0;
    io_uring_free_probe(probe);
    return suffices ? "" : "the kernel's is too old";
  }

  std::string_view name() const override { return "io_uring"; }

  void submit(const IoPiece& piece) override {
    io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
    if (entry == nullptr) throw InternalError("io_uring: more pieces in flight than it was made for");
    const auto bytes = static_cast<unsigned>(piece.bytes);
    const auto offset = static_cast<std::uint64_t>(piece.offset);
    if (piece.write) {
      io_uring_prep_write(entry, piece.descriptor, piece.data, bytes, offset);
    } else {
      io_uring_prep_read(entry, piece.descriptor, piece.data, bytes, offset);
    }
    entry->user_data = piece.tag;
    int status = 0;
    do status = io_uring_submit(&ring_);
    while (status == -EINTR || status == -EAGAIN || status == -EBUSY);
    if (status < 0) throw InternalError(fmt::format("io_uring: cannot submit: {}", words(-status)));
  }

  IoResult wait_for_one() override {
    io_uring_cqe* entry = nullptr;
    int status = 0;
    do status = io_uring_wait_cqe(&ring_, &entry);
    while (status == -EINTR || status == -EAGAIN);
    if (status < 0) throw InternalError(fmt::format("io_uring: cannot wait: {}", words(-status)));
    const IoResult result{entry->user_data, entry->res};
    io_uring_cqe_seen(&ring_, entry);
    return result;
  }

 private:
  io_uring ring_{};
  int status_;
};

}  // namespace

std::unique_ptr<IoBackend> make_io_uring(int in_flight, std::string& reason) {
  auto ring = std::make_unique<IoUring>(in_flight);
  reason = ring->obstacle();
  if (!reason.empty()) return nullptr;
  return ring;
}

}  // namespace ricci::storage
