#include "api/whole_tensor.hpp"

#include "api/statement.hpp"
#include "api/world_state.hpp"
#include "exec/redistribute.hpp"

namespace ricci::detail {

namespace {

Placement whole_placement(const TensorState& state) {
  return Placement(state.shape, Layout::replicated(state.shape->order(), state.world.size()), state.world.rank());
}

void move_between(const TensorState& state, const Placement& from, const Placement& to, const std::byte* source,
                  std::byte* target) {
  const layout::Redistribution moves(from.distribution(), to.distribution(), state.world.rank());
  exec::Redistribute{moves, element_size(state.type), thread_count(state.world.options()), state.world.state().pool}
      .run(communicator_of(state), source, target);
}

}  // namespace

const comm::Communicator& communicator_of(const TensorState& state) { return state.world.state().communicator; }

AlignedBuffer moved(const TensorState& state, const Placement& to) {
  AlignedBuffer target = state.world.state().pool.take(to.size() * static_cast<std::int64_t>(element_size(state.type)));
  move_between(state, *state.placement, to, state.data.data(), target.data());
  return target;
}

void refresh_copies(const TensorState& state) {
  const layout::Distribution& distribution = state.placement->distribution();
  if (distribution.copies() == 1) return;
  const int rank = state.world.rank();
  const auto copies = communicator_of(state).split(distribution.with_copy(rank, 0), distribution.copy_of(rank));
  copies.broadcast(std::span(state.data.data(), static_cast<std::size_t>(state.data.bytes())), 0);
}

WholeTensor WholeTensor::room_for(const TensorState& state) {
  WholeTensor whole;
  if (state.placement->is_whole()) {
    whole.data_ = state.data.data();
  } else {
    whole.copy_ = AlignedBuffer(state.shape->stored_size() * static_cast<std::int64_t>(element_size(state.type)));
    whole.data_ = whole.copy_.data();
  }
  return whole;
}

WholeTensor::WholeTensor(const TensorState& state) {
  if (state.placement->is_whole()) {
    data_ = state.data.data();
  } else {
    copy_ = moved(state, whole_placement(state));
    data_ = copy_.data();
  }
}

void WholeTensor::store_to(const TensorState& state) const {
  if (data_ != state.data.data()) {
    move_between(state, whole_placement(state), *state.placement, data_, state.data.data());
  }
}

std::int64_t WholeTensor::bytes_to_send(const TensorState& state) {
  if (state.placement->is_whole()) return 0;
  const Placement whole = whole_placement(state);
  const layout::Redistribution moves(state.placement->distribution(), whole.distribution(), state.world.rank());
  return moves.total_sent() * static_cast<std::int64_t>(element_size(state.type));
}

}  // namespace ricci::detail
