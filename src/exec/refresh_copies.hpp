#pragma once
// Copies of a distributed tensor are made alike again after the first one has changed.
#include <cstddef>
#include <span>

#include "comm/communicator.hpp"
#include "layout/distribution.hpp"

namespace ricci::exec {

/// Collective where there are copies: those of the first copy send what they hold to their likes in the others. Each
/// other copy is sent once, so (copies - 1) times the tensor travels; no rank sends more than log2(copies) times its
/// part. `data` is this rank's part.
void refresh_copies(const comm::Communicator& communicator, const layout::Distribution& distribution,
                    std::span<std::byte> data);

}  // namespace ricci::exec
