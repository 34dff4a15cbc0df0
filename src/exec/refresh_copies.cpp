#include "exec/refresh_copies.hpp"

#include <vector>

namespace ricci::exec {

// A binomial tree: in each round, all copies that are right serve as many others. Messages between ranks and not a
// broadcast, which would need a communicator for every set of ranks that hold the same.
void refresh_copies(const comm::Communicator& communicator, const layout::Distribution& distribution,
                    std::span<std::byte> data) {
  const int rank = communicator.rank(), copy = distribution.copy_of(rank), copies = distribution.copies();
  std::vector<comm::Request> sends;
  for (int served = 1; served < copies; served *= 2) {
    if (copy >= served && copy < 2 * served) {
      communicator.start_receive(data, distribution.with_copy(rank, copy - served)).wait();
    } else if (copy < served && copy + served < copies) {
      sends.push_back(communicator.start_send(data, distribution.with_copy(rank, copy + served)));
    }
  }
  comm::wait_all(sends);
}

}  // namespace ricci::exec
