#pragma once
// Reductions on bytes and a run-time type, in chunks and uncounted: what calls that count are made of.
#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"

namespace ricci::comm {

enum class Datatype { f32, f64, c32, c64, i64 };

template <Scalar T>
inline constexpr Datatype datatype_of = [] {
  if constexpr (std::same_as<T, float>)
    return Datatype::f32;
  else if constexpr (std::same_as<T, double>)
    return Datatype::f64;
  else if constexpr (std::same_as<T, std::complex<float>>)
    return Datatype::c32;
  else if constexpr (std::same_as<T, std::complex<double>>)
    return Datatype::c64;
  else
    return Datatype::i64;
}();

/// The elements of a reduction, whose type only MPI needs to know.
struct Elements {
  std::byte* data;
  std::int64_t count;
  Datatype type;

  std::int64_t size_of_one() const;
  std::int64_t bytes() const { return count * size_of_one(); }
  Elements part(std::int64_t at, std::int64_t length) const { return {data + at * size_of_one(), length, type}; }
};

/// Throws an InternalError unless MPI has the operation for the type. Before anything is sent.
void check_operation(Datatype type, Operation operation);

/// The number of messages that so many elements go in.
std::int64_t chunks_of(const Communicator::Handle& handle, const Elements& elements);

void all_reduce(const Communicator::Handle& handle, const Elements& elements, Operation operation);
void start_all_reduce(const Communicator::Handle& handle, const Elements& elements, Operation operation,
                      Request::State& request);
/// `result` is used at the root only, and may be the elements themselves.
void reduce(const Communicator::Handle& handle, const Elements& elements, std::byte* result, int root,
            Operation operation);
void reduce_scatter(const Communicator::Handle& handle, const Elements& in, std::byte* out,
                    std::span<const std::int64_t> counts, Operation operation);

}  // namespace ricci::comm
