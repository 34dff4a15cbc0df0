#pragma once
// Who does the work of a kernel, and where its buffers come from.
#include "util/buffer_pool.hpp"

namespace ricci::kernels {

struct Workers {
  Workers(int threads, BufferPool* pool = nullptr) : threads(threads), pool(pool) {}  // just a number will do
  int threads;
  BufferPool* pool;  // null: fresh from the system
};

}  // namespace ricci::kernels
