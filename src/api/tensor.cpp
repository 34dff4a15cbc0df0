// Making, copying and describing tensors.
#include <cstring>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>
#include <ricci/tensor.hpp>

#include "api/check_alike.hpp"
#include "api/make_tensor_state.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "api/world_state.hpp"
#include "exec/overhead.hpp"
#include "exec/tensor_moves.hpp"
#include "notation/labels.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

using detail::communicator_of;
using detail::require_state;
using detail::TensorState;

std::ostream& operator<<(std::ostream& out, const Extents& extents) {
  if (extents.empty()) return out << "scalar";
  return out << fmt::format("{}", fmt::join(extents, ","));
}

namespace detail {

namespace {

std::string fingerprint(const symmetry::Shape& shape) {
  std::string text;
  for (std::int64_t extent : shape.extents()) text += fmt::format("{},", extent);
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    text += fmt::format("{}{};", fmt::join(group.modes, " "), static_cast<int>(group.kind));
  }
  return text + ':';
}

/// `take`: gives memory of so many bytes.
template <class F>
TensorState new_state(const World& world, ElementType type, symmetry::Shape shape_of_it, F take) {
  auto shape = std::make_shared<const symmetry::Shape>(std::move(shape_of_it));
  auto placement = std::make_shared<const Placement>(shape, layout::default_layout(*shape, world.size()), world.rank());
  AlignedBuffer data;
  const std::int64_t bytes = placement->size() * static_cast<std::int64_t>(element_size(type));
  comm::together(world.state().communicator, [&] { data = take(bytes); });
  std::string print = fingerprint(*shape);
  return {world, type, std::move(shape), std::move(placement), std::move(data), std::move(print), false, false};
}

}  // namespace

std::shared_ptr<TensorState> make_tensor_state(const World& world, ElementType type, Extents extents,
                                               Symmetry symmetry) {
  check_alike(world, [&](std::ostream& out) {
    out << "tensor of " << name_of(type) << ' ' << extents;
    if (!symmetry.empty()) out << ' ' << symmetry;
  });
  return std::make_shared<TensorState>(
      new_state(world, type, {std::move(extents), std::move(symmetry)}, [&](std::int64_t bytes) {
        world.state().pool.release(bytes);
        return AlignedBuffer::zeroed(bytes, &world.state().tensors);
      }));
}

std::shared_ptr<TensorState> make_recycled_state(const World& world, ElementType type, const symmetry::Shape& shape,
                                                 Contents contents) {
  const auto take = [&](std::int64_t bytes) {
    BufferPool& pool = world.state().pool;
    std::optional<AlignedBuffer> known = pool.take_spare(bytes);
    if (!known) {
      pool.release(bytes);
      return AlignedBuffer::zeroed(bytes, &world.state().tensors);
    }
    known->count_capacity_by(&world.state().tensors);
    if (contents == Contents::zero && bytes > 0) std::memset(known->data(), 0, static_cast<std::size_t>(bytes));
    return std::move(*known);
  };
  const auto give_back = [](TensorState* state) {
    const World world = state->world;                                                 // there until the memory is
    if (state->data.data()) world.state().pool.give(std::exchange(state->data, {}));  // else all was moved elsewhere
    delete state;
  };
  std::shared_ptr<TensorState> state(new TensorState(new_state(world, type, shape, take)), give_back);
  state->recycled = true;
  return state;
}

}  // namespace detail

template <class T>
Tensor<T>::Tensor(const World& world, Extents extents, Symmetry symmetry)
    : state_(detail::make_tensor_state(world, element_type_of<T>, std::move(extents), std::move(symmetry))) {}

namespace {

/// Collective: memory may not suffice on one of the ranks.
TensorState copy_of(const TensorState& other) {
  detail::check_alike(other.world, [&](std::ostream& out) { out << "copy " << *other.shape; });
  AlignedBuffer data;
  other.world.state().pool.release(other.data.bytes());
  comm::together(communicator_of(other),
                 [&] { data = AlignedBuffer(other.data.bytes(), &other.world.state().tensors); });
  if (other.data.bytes() > 0) std::memcpy(data.data(), other.data.data(), static_cast<std::size_t>(other.data.bytes()));
  return {other.world, other.type, other.shape, other.placement, std::move(data), other.fingerprint, other.stays};
}

}  // namespace

template <class T>
Tensor<T>::Tensor(const Tensor& other)
    : state_(other.state_ ? std::make_shared<TensorState>(copy_of(*other.state_)) : nullptr) {}

// Expressions refer to the state, so assignment keeps the state and changes what it holds.
template <class T>
Tensor<T>& Tensor<T>::operator=(const Tensor& other) {
  if (this == &other) return *this;
  if (!other.state_ || !state_) {
    state_ = other.state_ ? std::make_shared<TensorState>(copy_of(*other.state_)) : nullptr;
  } else {
    TensorState copy = copy_of(*other.state_);
    const TensorState old = std::exchange(*state_, std::move(copy));  // its memory goes before its world
  }
  return *this;
}

template <class T>
Tensor<T>& Tensor<T>::operator=(Tensor&& other) noexcept {
  if (this == &other) return *this;
  if (!other.state_ || !state_) {
    state_ = std::move(other.state_);
  } else {
    const TensorState old = std::exchange(*state_, std::move(*other.state_));  // its memory goes before its world
    other.state_.reset();
  }
  return *this;
}

template <class T>
int Tensor<T>::order() const {
  return require_state(state_).shape->order();
}
template <class T>
const Extents& Tensor<T>::extents() const {
  return require_state(state_).shape->extents();
}
template <class T>
const Symmetry& Tensor<T>::symmetry() const {
  return require_state(state_).shape->symmetry();
}
template <class T>
const World& Tensor<T>::world() const {
  return require_state(state_).world;
}
template <class T>
const Layout& Tensor<T>::layout() const {
  return require_state(state_).placement->distribution().layout();
}
template <class T>
std::int64_t Tensor<T>::full_size() const {
  return require_state(state_).shape->full_size();
}
template <class T>
std::int64_t Tensor<T>::stored_size() const {
  return require_state(state_).shape->stored_size();
}

template <class T>
Indexed Tensor<T>::operator[](std::string_view labels) const {
  // One plain letter a mode is checked here, where it costs nothing; other forms by the parser.
  bool letters = static_cast<int>(labels.size()) == require_state(state_).shape->order();
  for (char c : labels) letters = letters && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
  if (!letters) notation::parse_labels(labels, state_->shape->order());
  return Indexed({state_, std::string(labels), false});
}

namespace {

/// ResourceError on all ranks where the world's limit leaves no room for both places and the way between. Collective
/// where there is a limit.
void check_memory_of_move(const TensorState& state, const Layout& to) {
  const std::int64_t limit = state.world.options().memory_limit;
  if (limit <= 0) return;
  detail::WorldState& world = state.world.state();
  const exec::MovesNeed need = exec::need_of_moves({{state.shape, state.placement->distribution().layout(), to}},
                                                   element_size(state.type), state.world.rank(), world.redistributions);
  const std::int64_t here = world.tensors.live() - need.before + need.most;
  const std::int64_t beside = exec::process_overhead(here, state.world.size());
  const std::int64_t needed =
      communicator_of(state).all_reduce(need.most > need.before ? here + beside : here, comm::Operation::max);
  if (needed <= limit) return;
  throw ResourceError(
      fmt::format("moving the tensor needs {} bytes for all tensors and for what is under way, but the memory limit is "
                  "{} bytes; allow at least {}",
                  needed, limit, needed));
}

}  // namespace

template <class T>
void Tensor<T>::redistribute(const Layout& layout) {
  TensorState& state = require_state(state_);
  detail::check_alike(state.world,
                      [&](std::ostream& out) { out << "redistribute " << *state.shape << " to " << layout; });
  if (layout.grid().size() != state.world.size()) {
    throw InputError(
        fmt::format("the layout's grid has {} ranks, but the tensor's world has {}; give a grid of as many",
                    layout.grid().size(), state.world.size()));
  }
  const layout::Distribution& before = state.placement->distribution();
  if (!(layout == before.layout())) {
    auto placement = std::make_shared<const detail::Placement>(state.shape, layout, state.world.rank());
    if (before.is_whole() && placement->distribution().is_whole()) {
      state.placement = std::move(placement);  // written otherwise, but all is where it was
    } else {
      check_memory_of_move(state, layout);
      AlignedBuffer data = detail::moved(state, *placement);
      detail::replace_data(state, std::move(data), std::move(placement));
    }
  }
  state.stays = true;
}

template <class T>
std::ostream& operator<<(std::ostream& out, const Tensor<T>& tensor) {
  out << "tensor of " << name_of(element_type_of<T>) << ' ' << tensor.extents();
  if (!tensor.symmetry().empty()) out << ' ' << tensor.symmetry();
  return out << ", " << tensor.stored_size() << " stored, " << tensor.layout();
}

#define RICCI_INSTANTIATE(T)                                      \
  template Tensor<T>::Tensor(const World&, Extents, Symmetry);    \
  template Tensor<T>::Tensor(const Tensor&);                      \
  template Tensor<T>& Tensor<T>::operator=(const Tensor&);        \
  template Tensor<T>& Tensor<T>::operator=(Tensor&&) noexcept;    \
  template int Tensor<T>::order() const;                          \
  template const Extents& Tensor<T>::extents() const;             \
  template const Symmetry& Tensor<T>::symmetry() const;           \
  template const World& Tensor<T>::world() const;                 \
  template const Layout& Tensor<T>::layout() const;               \
  template std::int64_t Tensor<T>::full_size() const;             \
  template std::int64_t Tensor<T>::stored_size() const;           \
  template Indexed Tensor<T>::operator[](std::string_view) const; \
  template void Tensor<T>::redistribute(const Layout&);           \
  template std::ostream& operator<<(std::ostream&, const Tensor<T>&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
