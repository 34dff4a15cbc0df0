// In place of io_uring_backend.cpp where the library is built without liburing.
#include "storage/io_backend.hpp"

namespace ricci::storage {

std::unique_ptr<IoBackend> make_io_uring(int /*in_flight*/, std::string& reason) {
  reason = "this ricci is built without liburing";
  return nullptr;
}

}  // namespace ricci::storage
