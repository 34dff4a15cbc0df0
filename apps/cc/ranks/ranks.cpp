#include "ranks/ranks.hpp"

#include <algorithm>

#include <ricci/mpi.hpp>

namespace cc::ranks {
namespace {

bool mpi_runs() {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  return started && !ended;
}

/// MPI counts with int: long arrays go in parts.
template <class F>
void in_parts(std::span<double> values, F f) {
  constexpr std::size_t most = std::size_t{1} << 28;
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), most);
    f(values.data(), static_cast<int>(count));
    values = values.subspan(count);
  }
}

}  // namespace

int rank() {
  int rank = 0;
  if (mpi_runs()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int size() {
  int size = 1;
  if (mpi_runs()) MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// Added up by one rank and handed on: an MPI_Allreduce may round differently on different ranks.
void sum(std::span<double> values) {
  if (size() == 1) return;
  in_parts(values, [root = rank() == 0](double* data, int count) {
    MPI_Reduce(root ? MPI_IN_PLACE : data, root ? data : nullptr, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  });
  broadcast(values);
}

std::int64_t max(std::int64_t value) {
  if (size() > 1) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

void broadcast(std::span<double> values) {
  if (size() == 1) return;
  in_parts(values, [](double* data, int count) { MPI_Bcast(data, count, MPI_DOUBLE, 0, MPI_COMM_WORLD); });
}

void barrier() {
  if (size() > 1) MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace cc::ranks
