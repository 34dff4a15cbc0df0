// Saving to and loading from files: every rank moves its part of the file, in slabs of bounded size.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/file_order.hpp"
#include "api/world_state.hpp"
#include "exec/shared_file.hpp"
#include "util/for_each_type.hpp"
#include "util/give_back_heap.hpp"

namespace ricci {

using detail::communicator_of;
using detail::elements;
using detail::exchange_of;
using detail::FoldingLoad;
using detail::is_alone;
using detail::require_state;
using detail::TensorState;
using exec::RunExchange;
using symmetry::Shape;

namespace {

using Run = RunExchange::Run;

void check_header(const TensorState& state, const storage::ArrayHeader& header, const std::string& where) {
  if (header.type != state.type || header.shape.extents() != state.shape->extents()) {
    throw InputError(
        fmt::format("{} holds {}, but the tensor is {} {}; load it into a tensor of the same type and extents", where,
                    storage::describe(header), name_of(state.type), fmt::join(state.shape->extents(), ",")));
  }
  if (!header.shape.symmetry().empty() && !(header.shape == *state.shape)) {
    throw InputError(fmt::format(
        "{} holds a tensor with another symmetry than this one; load it into a tensor with its symmetry", where));
  }
}

/// What a rank reads or writes at a time: 4 MiB, or a small part of what it may take. What comes from others or goes to
/// them takes two or three times as much beside.
std::int64_t slab_bytes(const TensorState& state) {
  constexpr std::int64_t least = std::int64_t{64} << 10;
  const std::int64_t most = storage::chunk_elements(state.type) * static_cast<std::int64_t>(element_size(state.type));
  const std::int64_t limit = state.world.options().memory_limit;
  return limit > 0 ? std::clamp(limit / 128, least, most) : most;
}

/// The most elements that a rank moves at a time.
std::int64_t most_elements(const TensorState& state, const storage::ArrayHeader& header) {
  return exec::largest_slab(header, state.world.size(), slab_bytes(state));
}

/// While a tensor is moved from or to a file in a world with a limit: kept buffers have made room for slabs, and what
/// the heap keeps of slabs goes back in the end.
class RoomForSlabs {
 public:
  explicit RoomForSlabs(const TensorState& state) : has_limit_(state.world.options().memory_limit > 0) {
    if (has_limit_) state.world.state().pool.release(4 * slab_bytes(state));
  }
  RoomForSlabs(const RoomForSlabs&) = delete;
  RoomForSlabs& operator=(const RoomForSlabs&) = delete;
  ~RoomForSlabs() {
    if (has_limit_) give_back_heap();
  }

 private:
  bool has_limit_;
};

}  // namespace

template <class T>
void Tensor<T>::save(const std::string& where) const {
  const TensorState& state = require_state(state_);
  const storage::Location location = storage::parse_location(where);
  const comm::Communicator& communicator = communicator_of(state);
  const RoomForSlabs room(state);
  const bool packed = location.format == storage::FileFormat::hdf5 || state.shape->symmetry().empty();
  const storage::ArrayHeader header{state.type, packed ? *state.shape : Shape(state.shape->extents(), {})};
  if (packed && is_alone(state)) {
    exec::write_together(communicator, location, header, slab_bytes(state),
                         [&](std::int64_t first, std::int64_t count, void* out) {
                           std::copy_n(elements<T>(state) + first, count, static_cast<T*>(out));
                         });
  } else if (packed) {
    const layout::Locator locator(state.placement->distribution());  // not the tensor's: its tables would stay
    layout::PackedRuns runs(locator);
    const RunExchange exchange = exchange_of(state, most_elements(state, header), runs);
    exec::write_together(
        communicator, location, header, slab_bytes(state), [&](std::int64_t first, std::int64_t count, void* out) {
          exchange.fetch(first, count, static_cast<std::byte*>(out), [&](const Run& run, std::byte* to) {
            std::copy_n(elements<T>(state) + runs.place(run.first), run.count, reinterpret_cast<T*>(to));
          });
        });
  } else {
    const layout::Locator locator(state.placement->distribution());
    layout::RowRuns runs(locator);
    const RunExchange exchange = exchange_of(state, most_elements(state, header), runs);
    exec::write_together(
        communicator, location, header, slab_bytes(state), [&](std::int64_t first, std::int64_t count, void* out) {
          exchange.fetch(first, count, static_cast<std::byte*>(out), [&](const Run& run, std::byte* to) {
            detail::unfold(runs, run, elements<T>(state), reinterpret_cast<T*>(to));
          });
        });
  }
}

template <class T>
void Tensor<T>::load(const std::string& where) {
  const TensorState& state = require_state(state_);
  const comm::Communicator& communicator = communicator_of(state);
  const RoomForSlabs room(state);
  const exec::SharedReader file(communicator, storage::parse_location(where), slab_bytes(state));
  const storage::ArrayHeader& header = file.header();
  comm::together(communicator, [&] { check_header(state, header, where); });
  if (!(header.shape == *state.shape)) {
    FoldingLoad<T> folding(state, most_elements(state, header));
    file.read([&](std::int64_t first, std::int64_t count, const void* in) {
      folding.put(first, count, static_cast<const T*>(in));
    });
    folding.commit();
    return;
  }
  file.prove();  // from here on elements replace those of the tensor: there is no second copy of it
  if (is_alone(state)) {
    file.read([&](std::int64_t first, std::int64_t count, const void* in) {
      std::copy_n(static_cast<const T*>(in), count, elements<T>(state) + first);
    });
    return;
  }
  const layout::Locator locator(state.placement->distribution());
  layout::PackedRuns runs(locator);
  const RunExchange exchange = exchange_of(state, most_elements(state, header), runs);
  file.read([&](std::int64_t first, std::int64_t count, const void* in) {
    exchange.deliver(static_cast<const std::byte*>(in), first, count, RunExchange::To::all_copies,
                     [&](const Run& run, const std::byte* from) {
                       std::copy_n(reinterpret_cast<const T*>(from), run.count,
                                   elements<T>(state) + runs.place(run.first));
                     });
  });
}

#define RICCI_INSTANTIATE(T)                               \
  template void Tensor<T>::save(const std::string&) const; \
  template void Tensor<T>::load(const std::string&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
