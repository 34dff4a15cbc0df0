#include "api/whole_tensor.hpp"

#include <cstring>
#include <span>

#include "api/statement.hpp"
#include "api/world_state.hpp"
#include "exec/redistribute.hpp"
#include "exec/refresh_copies.hpp"

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

/// Whether the elements of the ranks, one rank after the other, are the whole tensor in its order.
bool ranks_are_in_order(const layout::Distribution& distribution) {
  const auto& units = distribution.units();
  if (units.empty() || units[0].degree() > 1) return false;
  for (std::size_t u = 1; u < units.size(); ++u) {
    if (units[u].tiling().count() > 1) return false;
  }
  if (units[0].tiling().count() > distribution.ranks()) return false;
  std::vector<int> coordinates(distribution.layout().grid().extents().size(), 0);
  for (std::int64_t tile = 0; tile < units[0].tiling().count(); ++tile) {
    units[0].locate({tile}, coordinates);
    if (distribution.rank(coordinates) != tile) return false;
  }
  return true;
}

/// Every rank sends the same to all others, as it stores it; the receivers put it in order.
void gather_all(const TensorState& state, std::byte* out) {
  const layout::Distribution& from = state.placement->distribution();
  const Placement whole = whole_placement(state);
  if (from.copies() > 1) {
    move_between(state, *state.placement, whole, state.data.data(), out);
    return;
  }
  const std::int64_t size = static_cast<std::int64_t>(element_size(state.type));
  std::vector<std::int64_t> bytes;
  for (int rank = 0; rank < from.ranks(); ++rank) bytes.push_back(from.local(rank).size() * size);
  const std::int64_t total = state.shape->stored_size() * size;
  const std::span<const std::byte> mine(state.data.data(), static_cast<std::size_t>(state.data.bytes()));
  if (ranks_are_in_order(from)) {
    communicator_of(state).all_gather(mine, std::span(out, static_cast<std::size_t>(total)), bytes);
    return;
  }
  const PooledBuffer all(state.world.state().pool, total);
  communicator_of(state).all_gather(mine, std::span(all.data(), static_cast<std::size_t>(total)), bytes);
  const std::byte* of_rank = all.data();
  for (int rank = 0; rank < from.ranks(); ++rank) {
    const auto moves = layout::Redistribution::of_stays(from, whole.distribution(), rank);
    exec::Redistribute{moves, element_size(state.type), thread_count(state.world.options()), state.world.state().pool}
        .keep(of_rank, out);
    of_rank += bytes[static_cast<std::size_t>(rank)];
  }
}

}  // namespace

const comm::Communicator& communicator_of(const TensorState& state) { return state.world.state().communicator; }

AlignedBuffer moved(const TensorState& state, const Placement& to) {
  AlignedBuffer target = state.world.state().pool.take(to.size() * static_cast<std::int64_t>(element_size(state.type)));
  move_between(state, *state.placement, to, state.data.data(), target.data());
  return target;
}

void refresh_copies(const TensorState& state) {
  exec::refresh_copies(communicator_of(state), state.placement->distribution(),
                       std::span(state.data.data(), static_cast<std::size_t>(state.data.bytes())));
}

WholeTensor WholeTensor::room_for(const TensorState& state) {
  WholeTensor whole;
  if (state.placement->is_whole()) {
    whole.data_ = state.data.data();
  } else {
    whole.copy_.emplace(state.world.state().pool,
                        state.shape->stored_size() * static_cast<std::int64_t>(element_size(state.type)));
    whole.data_ = whole.copy_->data();
  }
  return whole;
}

WholeTensor::WholeTensor(const TensorState& state) {
  if (state.placement->is_whole()) {
    data_ = state.data.data();
  } else {
    copy_.emplace(state.world.state().pool,
                  state.shape->stored_size() * static_cast<std::int64_t>(element_size(state.type)));
    data_ = copy_->data();
    gather_all(state, data_);
  }
}

void WholeTensor::copy_to(const TensorState& state, std::byte* out) {
  if (state.data.bytes() == 0 && state.placement->is_whole()) return;  // nothing, perhaps at no address
  if (state.placement->is_whole()) {
    std::memcpy(out, state.data.data(), static_cast<std::size_t>(state.data.bytes()));
  } else {
    gather_all(state, out);
  }
}

void WholeTensor::store_to(const TensorState& state) const {
  if (data_ != state.data.data()) store_part(state, data_);
}

void WholeTensor::store_part(const TensorState& state, const std::byte* whole) {
  const Placement from = whole_placement(state);
  const auto moves =
      layout::Redistribution::of_stays(from.distribution(), state.placement->distribution(), state.world.rank());
  exec::Redistribute{moves, element_size(state.type), thread_count(state.world.options()), state.world.state().pool}
      .keep(whole, state.data.data());
}

std::int64_t WholeTensor::bytes_to_send(const TensorState& state) {
  if (state.placement->is_whole()) return 0;
  const Placement whole = whole_placement(state);
  const layout::Redistribution moves(state.placement->distribution(), whole.distribution(), state.world.rank());
  return moves.total_sent() * static_cast<std::int64_t>(element_size(state.type));
}

}  // namespace ricci::detail
