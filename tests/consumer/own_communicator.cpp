// A program that brings its own communicator; it needs MPI's headers, and gets them with ricci.
#include <ricci/mpi.hpp>
#include <ricci/ricci.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  {
    ricci::Runtime runtime(argc, argv);
    ricci::World world = ricci::world_from(MPI_COMM_WORLD);
    status = world.size() == 1 ? 0 : 1;
  }
  MPI_Finalize();
  return status;
}
