// All elements of a tensor, unpacked, on every rank.
#include <algorithm>

#include "api/check_alike.hpp"
#include "api/statement.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "api/world_state.hpp"
#include "kernels/unpack_rows.hpp"
#include "util/for_each_type.hpp"
#include "util/parallel.hpp"

namespace ricci {

using detail::require_state;
using detail::TensorState;
using detail::WholeTensor;
using symmetry::Shape;

namespace {

// Fresh memory is written once: elements are appended, since filling the vector with zeros first would take as long as
// the elements themselves.

template <class T>
void append_dense(const TensorState& state, std::vector<T>& full) {
  if (WholeTensor::comes_in_order(state)) {
    WholeTensor::stream(state, [&](std::span<const std::byte> part) {
      const T* const begin = reinterpret_cast<const T*>(part.data());
      full.insert(full.end(), begin, begin + part.size() / sizeof(T));
    });
  } else {
    full.resize(static_cast<std::size_t>(state.shape->full_size()));
    WholeTensor::copy_to(state, reinterpret_cast<std::byte*>(full.data()));
  }
}

template <class T>
void append_unpacked(const TensorState& state, std::vector<T>& full) {
  const WholeTensor whole(state);
  const Shape& shape = *state.shape;
  if (shape.full_size() == 0) return;
  const kernels::UnpackRows unpack(shape);
  const std::int64_t row = unpack.row_size(), rows = shape.full_size() / row;
  const std::int64_t row_bytes = row * static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t cache = std::int64_t{512} << 10;  // bytes that a thread unpacks at a time
  const int threads = detail::thread_count(state.world.options());
  const std::int64_t each = std::max<std::int64_t>(1, cache / row_bytes), step = std::min(rows, each * threads);
  const PooledBuffer buffer(state.world.state().pool, step * row_bytes);
  T* const part = reinterpret_cast<T*>(buffer.data());
  for (std::int64_t first = 0; first < rows; first += step) {
    const std::int64_t count = std::min(step, rows - first);
    parallel_for((count + each - 1) / each, threads, [&](std::int64_t share) {
      const std::int64_t begin = share * each;
      unpack.run(whole.as<const T>(), first + begin, std::min(each, count - begin), part + begin * row);
    });
    full.insert(full.end(), part, part + count * row);
  }
}

}  // namespace

template <class T>
std::vector<T> Tensor<T>::gather() const {
  const TensorState& state = require_state(state_);
  const Shape& shape = *state.shape;
  detail::check_alike(state.world, [&](std::ostream& out) { out << "gather " << shape; });
  std::vector<T> full;
  full.reserve(static_cast<std::size_t>(shape.full_size()));
  advise_huge_pages(full.data(), shape.full_size() * static_cast<std::int64_t>(sizeof(T)));
  if (shape.symmetry().empty()) {
    append_dense(state, full);
  } else {
    append_unpacked(state, full);
  }
  return full;
}

#define RICCI_INSTANTIATE(T) template std::vector<T> Tensor<T>::gather() const;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
