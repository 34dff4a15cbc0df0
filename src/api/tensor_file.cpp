// Saving to and loading from files.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/key_access.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "storage/location.hpp"
#include "symmetry/shape.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

using detail::communicator_of;
using detail::elements;
using detail::index_of_key;
using detail::require_state;
using detail::TensorState;
using symmetry::Shape;

namespace {

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

/// Rank 0 writes, chunk by chunk; the others bring what it asks for, until it has done.
class Collector {
 public:
  explicit Collector(const TensorState& state) : state_(state) {}

  template <class T>
  void ask(std::int64_t first, std::int64_t count, bool packed, T* out) const {
    say(1);
    std::vector<std::int64_t> keys;
    keys.reserve(static_cast<std::size_t>(count));
    symmetry::UniqueElements unique(*state_.shape);
    if (packed) unique.seek(first);
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t key = packed ? 0 : first + i;
      for (int mode = 0; packed && mode < state_.shape->order(); ++mode) {
        key += unique.index()[mode] * state_.shape->full_strides()[mode];
      }
      keys.push_back(key);
      if (packed && i + 1 < count) unique.next();
    }
    const auto values = detail::read_keys<T>(state_, keys);
    std::copy(values.begin(), values.end(), out);
  }
  void end() const { say(0); }
  template <class T>
  void answer() const {
    while (listen() != 0) detail::read_keys<T>(state_, {});
  }

 private:
  void say(std::int64_t word) const {
    communicator_of(state_).broadcast(std::as_writable_bytes(std::span(&word, 1)), 0);
  }
  std::int64_t listen() const {
    std::int64_t word = 0;
    communicator_of(state_).broadcast(std::as_writable_bytes(std::span(&word, 1)), 0);
    return word;
  }
  const TensorState& state_;
};

}  // namespace

template <class T>
void Tensor<T>::save(const std::string& where) const {
  const TensorState& state = require_state(state_);
  const storage::Location location = storage::parse_location(where);
  const bool packed = location.format == storage::FileFormat::hdf5 || state.shape->symmetry().empty();
  const Shape file_shape = packed ? *state.shape : Shape(state.shape->extents(), {});
  const Collector collector(state);
  const bool copies = packed && state.placement->is_whole();
  comm::together(communicator_of(state), [&] {
    if (state.world.rank() != 0) {
      collector.answer<T>();
      return;
    }
    try {
      storage::write(location, {state.type, file_shape}, [&](std::int64_t first, std::int64_t count, void* out) {
        if (copies) {
          std::copy_n(elements<T>(state) + first, count, static_cast<T*>(out));
        } else {
          collector.ask(first, count, packed, static_cast<T*>(out));
        }
      });
    } catch (...) {
      collector.end();
      throw;
    }
    collector.end();
  });
}

template <class T>
void Tensor<T>::load(const std::string& where) {
  const TensorState& state = require_state(state_);
  const storage::Location location = storage::parse_location(where);
  const int rank = state.world.rank();
  const layout::Distribution& distribution = state.placement->distribution();
  // Read aside, so that a file that ends too early leaves the tensor as it was.
  std::vector<T> values;
  std::optional<detail::SymmetricWriter<T>> writer;
  comm::together(communicator_of(state), [&] {
    const storage::ArrayHeader header = storage::inspect(location);
    check_header(state, header, where);
    if (!(header.shape == *state.shape)) {
      writer.emplace(state);
      std::vector<std::int64_t> index(state.shape->order());
      storage::read(location, [&](std::int64_t first, std::int64_t count, const void* in) {
        for (std::int64_t i = 0; i < count; ++i) {
          index_of_key(*state.shape, first + i, index.data());
          writer->put(index, static_cast<const T*>(in)[i]);
        }
      });
      writer->check();
      return;
    }
    values.resize(static_cast<std::size_t>(state.placement->size()));
    // Every rank reads the file and keeps what is its own.
    storage::read(location, [&](std::int64_t first, std::int64_t count, const void* in) {
      const T* const from = static_cast<const T*>(in);
      if (state.placement->is_whole()) {
        std::copy_n(from, count, values.begin() + first);
        return;
      }
      symmetry::UniqueElements unique(*state.shape);
      unique.seek(first);
      for (std::int64_t i = 0; i < count; ++i) {
        const int owner = state.placement->locator().owner(unique.index().data());
        if (distribution.with_copy(owner, distribution.copy_of(rank)) == rank) {
          values[static_cast<std::size_t>(state.placement->locator().place(unique.index().data()))] = from[i];
        }
        if (i + 1 < count) unique.next();
      }
    });
  });
  if (writer) {
    writer->commit();
  } else {
    std::copy(values.begin(), values.end(), elements<T>(state));
  }
}

#define RICCI_INSTANTIATE(T)                               \
  template void Tensor<T>::save(const std::string&) const; \
  template void Tensor<T>::load(const std::string&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
