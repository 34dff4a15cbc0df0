// The typed reductions of a Communicator: what they count, and one implementation behind them.
#include <numeric>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "comm/handle.hpp"
#include "comm/messages.hpp"
#include "comm/reductions.hpp"

namespace ricci::comm {

namespace {

template <Scalar T>
Elements elements_of(std::span<T> data) {
  return {reinterpret_cast<std::byte*>(data.data()), std::ssize(data), datatype_of<T>};
}

void count_all_reduce(const Communicator::Handle& handle, const Elements& elements) {
  const std::int64_t others = handle.size - 1;
  // n (P-1)/P down and as much up again; 128 bits as 2n(P-1) of a large n wraps around.
  const auto bytes = static_cast<std::int64_t>(static_cast<__int128>(elements.bytes()) * 2 * others / handle.size);
  handle.count(Call::reduce, 2 * others * chunks_of(handle, elements), bytes);
}

void check_counts(const Communicator::Handle& handle, std::span<const std::int64_t> counts, std::int64_t in,
                  std::int64_t out) {
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (std::ssize(counts) != handle.size || total != in || counts[static_cast<std::size_t>(handle.rank)] != out) {
    throw InternalError(
        fmt::format("reduce_scatter on rank {} of {}: {} counts with the sum {}, {} elements in, {} out", handle.rank,
                    handle.size, counts.size(), total, in, out));
  }
}

}  // namespace

template <Scalar T>
void Communicator::all_reduce(std::span<T> data, Operation operation) const {
  check_operation(datatype_of<T>, operation);
  const Elements elements = elements_of(data);
  count_all_reduce(*handle_, elements);
  comm::all_reduce(*handle_, elements, operation);
}

template <Scalar T>
T Communicator::all_reduce(T value, Operation operation) const {
  all_reduce(std::span<T>(&value, 1), operation);
  return value;
}

template <Scalar T>
Request Communicator::start_all_reduce(std::span<T> data, Operation operation) const {
  check_operation(datatype_of<T>, operation);
  const Elements elements = elements_of(data);
  count_all_reduce(*handle_, elements);
  auto state = std::make_unique<Request::State>();
  comm::start_all_reduce(*handle_, elements, operation, *state);
  return Request(std::move(state));
}

template <Scalar T>
void Communicator::reduce(std::span<T> data, int root, Operation operation) const {
  check_rank(*handle_, root, "reduce");
  check_operation(datatype_of<T>, operation);
  const Elements elements = elements_of(data);
  const bool sends = handle_->rank != root;
  handle_->count(Call::reduce, sends ? chunks_of(*handle_, elements) : 0, sends ? elements.bytes() : 0);
  comm::reduce(*handle_, elements, elements.data, root, operation);
}

template <Scalar T>
void Communicator::reduce_scatter(std::span<const std::type_identity_t<T>> in, std::span<T> out,
                                  std::span<const std::int64_t> counts, Operation operation) const {
  check_operation(datatype_of<T>, operation);
  check_counts(*handle_, counts, std::ssize(in), std::ssize(out));
  const Elements elements = elements_of(std::span<T>(const_cast<T*>(in.data()), in.size()));  // only read
  std::int64_t messages = 0;
  for (int r = 0; r < handle_->size; ++r) {
    const Elements part = elements.part(0, counts[static_cast<std::size_t>(r)]);
    if (r != handle_->rank) messages += chunks_of(*handle_, part);
  }
  handle_->count(Call::reduce, messages, elements.bytes() - elements_of(out).bytes());
  comm::reduce_scatter(*handle_, elements, reinterpret_cast<std::byte*>(out.data()), counts, operation);
}

#define RICCI_INSTANTIATE(T)                                                                                     \
  template void Communicator::all_reduce<T>(std::span<T>, Operation) const;                                      \
  template T Communicator::all_reduce<T>(T, Operation) const;                                                    \
  template Request Communicator::start_all_reduce<T>(std::span<T>, Operation) const;                             \
  template void Communicator::reduce<T>(std::span<T>, int, Operation) const;                                     \
  template void Communicator::reduce_scatter<T>(std::span<const T>, std::span<T>, std::span<const std::int64_t>, \
                                                Operation) const;
RICCI_INSTANTIATE(float)
RICCI_INSTANTIATE(double)
RICCI_INSTANTIATE(std::complex<float>)
RICCI_INSTANTIATE(std::complex<double>)
RICCI_INSTANTIATE(std::int64_t)
#undef RICCI_INSTANTIATE

}  // namespace ricci::comm
