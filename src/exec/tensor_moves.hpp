#pragma once
// What it takes on one rank to bring the tensors of a statement from some layouts to others.
#include <cstdint>
#include <memory>
#include <vector>

#include "exec/redistribution_cache.hpp"

namespace ricci::exec {

struct MovedTensor {
  std::shared_ptr<const symmetry::Shape> shape;
  const Layout& from;
  const Layout& to;
  bool is_exchanged = false;  // its elements do not matter: its memory is exchanged for memory in the other layout
};

/// Bytes of this rank.
struct MovesNeed {
  std::int64_t before = 0, after = 0;  // of the tensors
  std::int64_t most = 0;               // of the tensors, and of all that moving them takes, at a time
  std::int64_t sent = 0, received = 0;
};

/// Tensors that are exchanged come first, then the others one after the other. Those that stay are only counted.
MovesNeed need_of_moves(const std::vector<MovedTensor>& tensors, std::size_t element_size, int rank,
                        RedistributionCache& known);

}  // namespace ricci::exec
