#pragma once

namespace ricci {

/// Starts MPI if nobody has, and ends it only if it started it. Make one at the top of main and keep it alive.
/// Without mpirun there is one rank.
class Runtime {
 public:
  Runtime(int& argc, char**& argv);
  Runtime();
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

 private:
  bool started_mpi_ = false;
};

}  // namespace ricci
