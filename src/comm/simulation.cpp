// Time that passes on simulated ranks without communication.
#include "comm/handle.hpp"

namespace ricci::comm {

void Communicator::account_flops([[maybe_unused]] double flops) const {
#ifdef RICCI_SIMGRID
  if (handle_->simulates_work && flops > 0) smpi_execute_flops(flops);
#endif
}

void Communicator::set_simulates_work(bool simulates) const { handle_->simulates_work = simulates; }

}  // namespace ricci::comm
