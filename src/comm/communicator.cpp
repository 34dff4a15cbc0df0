#include "comm/communicator.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <ricci/error.hpp>
#include <ricci/mpi.hpp>

#include "comm/handle.hpp"

namespace ricci::comm {

namespace {

void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw InternalError(fmt::format("{} failed: {}", call, std::string(text, static_cast<std::size_t>(length))));
}

bool mpi_is_running() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized && !finalized;
}

}  // namespace

Communicator::Handle::~Handle() {
  if (owned && mpi_is_running()) MPI_Comm_free(&communicator);
}

Communicator Communicator::world() {
  if (!mpi_is_running()) return Communicator(nullptr);
  return Communicator(std::make_shared<Handle>(MPI_COMM_WORLD, false));
}

int Communicator::rank() const {
  int rank = 0;
  if (handle_) check(MPI_Comm_rank(handle_->communicator, &rank), "MPI_Comm_rank");
  return rank;
}

int Communicator::size() const {
  int size = 1;
  if (handle_) check(MPI_Comm_size(handle_->communicator, &size), "MPI_Comm_size");
  return size;
}

Communicator Communicator::split(int color) const {
  if (color < 0) throw InputError(fmt::format("World::split was given the color {}; colors are 0 or more", color));
  if (!handle_) return *this;
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(handle_->communicator, color, rank(), &part), "MPI_Comm_split");
  return Communicator(std::make_shared<Handle>(part, true));
}

Communicator duplicate(MPI_Comm communicator) {
  MPI_Comm copy = MPI_COMM_NULL;
  check(MPI_Comm_dup(communicator, &copy), "MPI_Comm_dup");
  return Communicator(std::make_shared<Communicator::Handle>(copy, true));
}

bool start_mpi(int* argc, char*** argv) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) return false;
  int provided = 0;
  check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  return true;
}

void end_mpi() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized) MPI_Finalize();
}

}  // namespace ricci::comm
