#include "api/whole_tensor.hpp"

#include <algorithm>
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
  WorldState& world = state.world.state();
  const auto moves = world.redistributions.find_or_make(from.distribution(), to.distribution(), state.world.rank(),
                                                        element_size(state.type));
  exec::Redistribute{*moves, element_size(state.type), thread_count(state.world.options()), world.pool}.run(
      communicator_of(state), source, target);
}

/// Whether the elements of the ranks, one rank after the other, are the whole tensor in its order.
bool ranks_are_in_order(const layout::Distribution& distribution) {
  const auto& units = distribution.units();
  if (distribution.copies() > 1 || units.empty() || units[0].degree() > 1) return false;
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

std::vector<std::int64_t> bytes_of_ranks(const TensorState& state) {
  const layout::Distribution& distribution = state.placement->distribution();
  std::vector<std::int64_t> bytes;
  for (int rank = 0; rank < distribution.ranks(); ++rank) {
    bytes.push_back(distribution.local(rank).size() * static_cast<std::int64_t>(element_size(state.type)));
  }
  return bytes;
}

/// A rank's elements in parts that stay in the cache, and are not too many.
class Parts {
 public:
  explicit Parts(std::int64_t bytes) : bytes_(bytes), each_(std::max(std::int64_t{128} << 10, bytes / 256)) {}
  std::int64_t count() const { return (bytes_ + each_ - 1) / each_; }
  std::int64_t begin(std::int64_t part) const { return part * each_; }
  std::size_t size(std::int64_t part) const { return static_cast<std::size_t>(std::min(each_, bytes_ - begin(part))); }
  std::int64_t largest() const { return std::min(each_, bytes_); }

 private:
  std::int64_t bytes_, each_;
};

/// Every rank sends the same to all others, as it stores it; the receivers put it in order.
void gather_all(const TensorState& state, std::byte* out) {
  const layout::Distribution& from = state.placement->distribution();
  const Placement whole = whole_placement(state);
  if (from.copies() > 1) {
    move_between(state, *state.placement, whole, state.data.data(), out);
    return;
  }
  const std::int64_t size = static_cast<std::int64_t>(element_size(state.type));
  const std::vector<std::int64_t> bytes = bytes_of_ranks(state);
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
    const auto moves = layout::Redistribution::of_stays(from, whole.distribution(), rank, element_size(state.type));
    exec::Redistribute{moves, element_size(state.type), thread_count(state.world.options()), state.world.state().pool}
        .keep(of_rank, out);
    of_rank += bytes[static_cast<std::size_t>(rank)];
  }
}

}  // namespace

const comm::Communicator& communicator_of(const TensorState& state) { return state.world.state().communicator; }

AlignedBuffer moved(const TensorState& state, const Placement& to) {
  AlignedBuffer target;
  comm::together(communicator_of(state), [&] {
    target = state.world.state().pool.take(to.size() * static_cast<std::int64_t>(element_size(state.type)));
  });
  move_between(state, *state.placement, to, state.data.data(), target.data());
  return target;
}

void replace_data(TensorState& state, AlignedBuffer data, std::shared_ptr<const Placement> placement) {
  WorldState& world = state.world.state();
  data.count_by(&world.tensors);
  std::swap(state.data, data);
  world.pool.give(std::move(data));
  state.placement = std::move(placement);
}

void refresh_copies(const TensorState& state) {
  exec::refresh_copies(communicator_of(state), state.placement->distribution(),
                       std::span(state.data.data(), static_cast<std::size_t>(state.data.bytes())));
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

bool WholeTensor::comes_in_order(const TensorState& state) {
  return state.placement->is_whole() || ranks_are_in_order(state.placement->distribution());
}

void WholeTensor::stream(const TensorState& state, const std::function<void(std::span<const std::byte>)>& f) {
  const std::span<const std::byte> mine(state.data.data(), static_cast<std::size_t>(state.data.bytes()));
  if (state.placement->is_whole()) return f(mine);
  const comm::Communicator& communicator = communicator_of(state);
  const std::vector<std::int64_t> bytes = bytes_of_ranks(state);
  std::vector<comm::Request> sends;
  const Parts own(bytes[communicator.rank()]);
  for (int away = 1; away < communicator.size(); ++away) {
    const int to = (communicator.rank() + away) % communicator.size();
    for (std::int64_t part = 0; part < own.count(); ++part) {
      sends.push_back(communicator.start_send(mine.subspan(own.begin(part), own.size(part)), to));
    }
  }
  std::int64_t largest = 0;
  for (std::int64_t size : bytes) largest = std::max(largest, Parts(size).largest());
  const PooledBuffer buffer(state.world.state().pool, 2 * largest);
  for (int rank = 0; rank < communicator.size(); ++rank) {
    if (rank == communicator.rank()) {
      f(mine);
      continue;
    }
    const Parts theirs(bytes[rank]);
    const auto place = [&](std::int64_t part) {
      return std::span(buffer.data() + part % 2 * largest, theirs.size(part));
    };
    comm::Request next;
    for (std::int64_t part = 0; part < theirs.count(); ++part) {
      if (part == 0) next = communicator.start_receive(place(0), rank);
      comm::Request here = std::move(next);
      if (part + 1 < theirs.count()) next = communicator.start_receive(place(part + 1), rank);
      here.wait();
      f(place(part));
    }
  }
  comm::wait_all(sends);
}

}  // namespace ricci::detail
