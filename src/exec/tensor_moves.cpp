#include "exec/tensor_moves.hpp"

#include <algorithm>

#include "exec/overhead.hpp"
#include "exec/redistribute.hpp"

namespace ricci::exec {

using layout::Distribution;

MovesNeed need_of_moves(const std::vector<MovedTensor>& tensors, std::size_t element_size, int rank,
                        RedistributionCache& known) {
  const std::int64_t size = static_cast<std::int64_t>(element_size);
  MovesNeed need;
  std::int64_t held = 0;
  for (const MovedTensor& tensor : tensors) {
    const std::int64_t from = Distribution(tensor.shape, tensor.from).local(rank).size() * size;
    const std::int64_t to =
        tensor.from == tensor.to ? from : Distribution(tensor.shape, tensor.to).local(rank).size() * size;
    need.before += from;
    need.after += to;
    held += tensor.is_exchanged ? to : from;
  }
  need.most = std::max(need.before, held);
  for (const MovedTensor& tensor : tensors) {
    if (tensor.is_exchanged || tensor.from == tensor.to) continue;
    const Distribution from(tensor.shape, tensor.from), to(tensor.shape, tensor.to);
    const auto moves = known.find_or_make(from, to, rank, element_size);
    const std::int64_t more = to.local(rank).size() * size;
    const std::int64_t here = held + more + Redistribute::buffer_elements(*moves) * size + moves->table_bytes();
    need.most = std::max(need.most, here + system_overhead(here));
    need.sent += moves->total_sent() * size;
    need.received += moves->total_received() * size;
    held += more - from.local(rank).size() * size;
  }
  return need;
}

}  // namespace ricci::exec
