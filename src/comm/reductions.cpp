#include "comm/reductions.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "comm/chunks.hpp"
#include "comm/handle.hpp"

namespace ricci::comm {

namespace {

MPI_Datatype mpi_type(Datatype type) {
  switch (type) {
    case Datatype::f32:
      return MPI_FLOAT;
    case Datatype::f64:
      return MPI_DOUBLE;
    case Datatype::c32:
      return MPI_C_FLOAT_COMPLEX;  // not MPI_CXX_...: SimGrid has the C types only
    case Datatype::c64:
      return MPI_C_DOUBLE_COMPLEX;
    case Datatype::i64:
      break;
  }
  return MPI_INT64_T;
}

MPI_Op mpi_operation(Operation operation) {
  switch (operation) {
    case Operation::sum:
      return MPI_SUM;
    case Operation::max:
      return MPI_MAX;
    case Operation::min:
      return MPI_MIN;
    case Operation::logical_and:
      return MPI_LAND;
    case Operation::logical_or:
      break;
  }
  return MPI_LOR;
}

/// Elements, not bytes: a reduction cannot cut one in two.
std::int64_t elements_in_chunk(const Communicator::Handle& handle, const Elements& elements) {
  return std::max<std::int64_t>(1, handle.chunk_limit / elements.size_of_one());
}

}  // namespace

std::int64_t Elements::size_of_one() const {
  switch (type) {
    case Datatype::f32:
      return sizeof(float);
    case Datatype::c64:
      return sizeof(std::complex<double>);
    default:
      return sizeof(double);
  }
}

void check_operation(Datatype type, Operation operation) {
  const bool complex = type == Datatype::c32 || type == Datatype::c64;
  const bool logical = operation == Operation::logical_and || operation == Operation::logical_or;
  if (complex && operation != Operation::sum)
    throw InternalError("complex numbers can be reduced by their sum only: they have no order");
  if (logical && type != Datatype::i64) throw InternalError("only integers can be reduced by a logical operation");
}

std::int64_t chunks_of(const Communicator::Handle& handle, const Elements& elements) {
  const std::int64_t limit = elements_in_chunk(handle, elements);
  return (elements.count + limit - 1) / limit;
}

void all_reduce(const Communicator::Handle& handle, const Elements& elements, Operation operation) {
  if (handle.alone()) return;
  for_each_chunk(elements.count, elements_in_chunk(handle, elements), [&](std::int64_t at, int count) {
    check(MPI_Allreduce(MPI_IN_PLACE, elements.part(at, count).data, count, mpi_type(elements.type),
                        mpi_operation(operation), handle.communicator),
          "MPI_Allreduce");
  });
}

void start_all_reduce(const Communicator::Handle& handle, const Elements& elements, Operation operation,
                      Request::State& request) {
  if (handle.alone()) return;
  for_each_chunk(elements.count, elements_in_chunk(handle, elements), [&](std::int64_t at, int count) {
    request.messages.push_back(MPI_REQUEST_NULL);
    check(MPI_Iallreduce(MPI_IN_PLACE, elements.part(at, count).data, count, mpi_type(elements.type),
                         mpi_operation(operation), handle.communicator, &request.messages.back()),
          "MPI_Iallreduce");
  });
}

void reduce(const Communicator::Handle& handle, const Elements& elements, std::byte* result, int root,
            Operation operation) {
  const bool is_root = handle.rank == root;
  if (handle.alone()) {
    if (result != elements.data && elements.count > 0)
      std::memcpy(result, elements.data, static_cast<std::size_t>(elements.bytes()));
    return;
  }
  std::vector<std::byte> copy;
  for_each_chunk(elements.count, elements_in_chunk(handle, elements), [&](std::int64_t at, int count) {
    const Elements chunk = elements.part(at, count);
    const void* send = chunk.data;
    std::byte* receive = is_root ? result + at * elements.size_of_one() : nullptr;
    if (is_root && result == elements.data) {
      send = MPI_IN_PLACE;
      if (root != 0) {  // in place, MPICH 4.0 and 4.1 crash there: github.com/pmodels/mpich/issues/6540
        copy.assign(chunk.data, chunk.data + chunk.bytes());
        send = copy.data();
      }
    }
    check(
        MPI_Reduce(send, receive, count, mpi_type(elements.type), mpi_operation(operation), root, handle.communicator),
        "MPI_Reduce");
  });
}

void reduce_scatter(const Communicator::Handle& handle, const Elements& in, std::byte* out,
                    std::span<const std::int64_t> counts, Operation operation) {
  if (!handle.alone() && in.bytes() <= handle.chunk_limit) {
    const std::vector<int> int_counts(counts.begin(), counts.end());
    check(MPI_Reduce_scatter(in.data, out, int_counts.data(), mpi_type(in.type), mpi_operation(operation),
                             handle.communicator),
          "MPI_Reduce_scatter");
    return;
  }
  // Part by part. Rounds of MPI_Reduce_scatter on pieces of all parts would need those copied together first.
  std::int64_t at = 0;
  for (int root = 0; root < handle.size; ++root) {
    const std::int64_t count = counts[static_cast<std::size_t>(root)];
    reduce(handle, in.part(at, count), out, root, operation);
    at += count;
  }
}

}  // namespace ricci::comm
