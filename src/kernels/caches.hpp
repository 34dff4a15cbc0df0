#pragma once
// What the blocks of kernels are cut for.
#include <cstdint>

namespace ricci::kernels {

/// Of one core; where the system does not say, that of most processors.
std::int64_t l2_bytes();

}  // namespace ricci::kernels
