// Saving to and loading from files.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/tensor_access.hpp"
#include "storage/location.hpp"
#include "symmetry/shape.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

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

}  // namespace

template <class T>
void Tensor<T>::save(const std::string& where) const {
  const TensorState& state = require_state(state_);
  const storage::Location location = storage::parse_location(where);
  const bool packed = location.format == storage::FileFormat::hdf5 || state.shape->symmetry().empty();
  const Shape file_shape = packed ? *state.shape : Shape(state.shape->extents(), {});
  std::vector<std::int64_t> index(state.shape->order());
  storage::write(location, {state.type, file_shape}, [&](std::int64_t first, std::int64_t count, void* out) {
    if (packed) {
      std::copy_n(elements<T>(state) + first, count, static_cast<T*>(out));
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      index_of_key(*state.shape, first + i, index.data());
      const symmetry::Element at = symmetry::locate(*state.shape, index);
      static_cast<T*>(out)[i] = at.factor == 0 ? T(0) : static_cast<T>(at.factor) * elements<T>(state)[at.offset];
    }
  });
}

template <class T>
void Tensor<T>::load(const std::string& where) {
  const TensorState& state = require_state(state_);
  const storage::Location location = storage::parse_location(where);
  const storage::ArrayHeader header = storage::inspect(location);
  check_header(state, header, where);
  if (header.shape == *state.shape) {
    // Read aside, so that a file that ends too early leaves the tensor as it was.
    std::vector<T> values(static_cast<std::size_t>(header.elements()));
    storage::read(location, [&](std::int64_t first, std::int64_t count, const void* in) {
      std::copy_n(static_cast<const T*>(in), count, values.begin() + first);
    });
    std::copy(values.begin(), values.end(), elements<T>(state));
    return;
  }
  detail::SymmetricWriter<T> writer(state);
  std::vector<std::int64_t> index(state.shape->order());
  storage::read(location, [&](std::int64_t first, std::int64_t count, const void* in) {
    for (std::int64_t i = 0; i < count; ++i) {
      index_of_key(*state.shape, first + i, index.data());
      writer.put(index, static_cast<const T*>(in)[i]);
    }
  });
  writer.commit();
}

#define RICCI_INSTANTIATE(T)                               \
  template void Tensor<T>::save(const std::string&) const; \
  template void Tensor<T>::load(const std::string&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
