#pragma once
// A process that no launcher has started is a rank alone: MPI need not look for others, which takes a third of a
// second.
#include <vector>

namespace ricci::comm {

/// While it lives, Open MPI is told by its environment variables that there is nobody else, unless they say something
/// already. Only around MPI_Init. Who wants to call MPI_Comm_spawn sets
/// OMPI_MCA_ess_singleton_isolated=0. Other implementations of MPI do not know these variables.
class StartAlone {
 public:
  StartAlone();
  ~StartAlone();
  StartAlone(const StartAlone&) = delete;
  StartAlone& operator=(const StartAlone&) = delete;

 private:
  std::vector<const char*> set_;  // by this
};

}  // namespace ricci::comm
