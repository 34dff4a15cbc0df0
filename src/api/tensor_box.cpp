// Slices and subsets: a list of positions for each mode.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/box_pieces.hpp"
#include "api/check_alike.hpp"
#include "api/key_access.hpp"
#include "api/make_tensor_state.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "layout/local_elements.hpp"
#include "storage/box.hpp"
#include "symmetry/images.hpp"
#include "symmetry/shape.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

using detail::elements;
using detail::require_state;
using detail::TensorState;
using symmetry::Shape;

namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

Lists lists_of_box(const Shape& shape, const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) {
  const std::size_t order = static_cast<std::size_t>(shape.order());
  if (lo.size() != order || hi.size() != order) {
    throw InputError(fmt::format(
        "a slice was given {} lower and {} upper bounds, but the tensor has order {}; give one of each a mode",
        lo.size(), hi.size(), order));
  }
  Lists lists(order);
  for (std::size_t mode = 0; mode < order; ++mode) {
    if (lo[mode] < 0 || hi[mode] < lo[mode] || hi[mode] > shape.extents()[mode]) {
      throw InputError(fmt::format("the slice {} to {} of mode {} is out of range; it needs 0 <= lo <= hi <= {}",
                                   lo[mode], hi[mode], mode, shape.extents()[mode]));
    }
    lists[mode].resize(static_cast<std::size_t>(hi[mode] - lo[mode]));
    std::iota(lists[mode].begin(), lists[mode].end(), lo[mode]);
  }
  return lists;
}

void check_lists(const Shape& shape, const Lists& lists) {
  if (static_cast<int>(lists.size()) != shape.order()) {
    throw InputError(fmt::format("a subset was given {} lists, but the tensor has order {}; give one a mode",
                                 lists.size(), shape.order()));
  }
  for (std::size_t mode = 0; mode < lists.size(); ++mode) {
    for (std::int64_t position : lists[mode]) {
      if (position < 0 || position >= shape.extents()[mode]) {
        throw InputError(
            fmt::format("the list for mode {} names position {}, but its extent is {}; positions run from 0 to {}",
                        mode, position, shape.extents()[mode], shape.extents()[mode] - 1));
      }
    }
  }
}

Extents extents_of(const Lists& lists) {
  Extents extents;
  for (const auto& list : lists) extents.push_back(static_cast<std::int64_t>(list.size()));
  return extents;
}

void check_fits(const Shape& source, const Extents& part) {
  if (source.order() != static_cast<int>(part.size())) {
    throw InputError(fmt::format(
        "a tensor of order {} (extents {}) cannot be put into a part of order {} (extents {}); give one of the "
        "same order",
        source.order(), fmt::join(source.extents(), ","), part.size(), fmt::join(part, ",")));
  }
  for (std::size_t mode = 0; mode < part.size(); ++mode) {
    if (source.extents()[mode] == part[mode]) continue;
    throw InputError(fmt::format(
        "mode {} of the given tensor has the extent {}, but {} positions are to be filled; give a tensor of the "
        "same extents as the part ({})",
        mode, source.extents()[mode], part[mode], fmt::join(part, ",")));
  }
}

/// A group survives where all of its modes have one list. (With a position named twice, elements of an antisymmetric or
/// hollow group vanish off the new diagonal, too: they are stored as zeros.)
Symmetry surviving(const Shape& shape, const Lists& lists) {
  Symmetry symmetry;
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    bool alike = true;
    for (int mode : group.modes) alike = alike && lists[mode] == lists[group.modes[0]];
    if (alike) symmetry = symmetry * Symmetry(group.kind, group.modes);
  }
  return symmetry;
}

/// Where an element of a part is in the whole.
void place(const Lists& lists, Index at, std::vector<std::int64_t>& index) {
  for (std::size_t mode = 0; mode < lists.size(); ++mode) index[mode] = lists[mode][static_cast<std::size_t>(at[mode])];
}

std::int64_t key_of(const Shape& shape, const Lists& lists, Index at) {
  std::int64_t key = 0;
  for (std::size_t mode = 0; mode < lists.size(); ++mode) {
    key += lists[mode][static_cast<std::size_t>(at[mode])] * shape.full_strides()[mode];
  }
  return key;
}

/// Elements that are asked for or brought at a time, where a rank has so many: with a memory limit, what is under way
/// takes a 64th of it, at some 96 bytes each.
std::int64_t round_size(const TensorState& state, std::int64_t elements) {
  constexpr std::int64_t least = 1024, bytes_each = 96;
  const std::int64_t limit = state.world.options().memory_limit;
  return limit <= 0 ? std::max<std::int64_t>(1, elements) : std::max(least, limit / (64 * bytes_each));
}

/// Calls f(first, last) for all elements of a rank in rounds, as often on every rank. Collective.
template <class F>
void in_rounds(const TensorState& state, std::int64_t elements, F&& f) {
  const std::int64_t size = round_size(state, elements);
  const std::int64_t rounds =
      detail::communicator_of(state).all_reduce((elements + size - 1) / size, comm::Operation::max);
  for (std::int64_t n = 0; n < rounds; ++n) f(std::min(elements, n * size), std::min(elements, (n + 1) * size));
}

bool is_whole(const TensorState& state) { return state.placement->is_whole(); }

enum class Copies { own, all };

/// Calls f(exchange) with the pieces of a part of the whole, some at a time, as often on every rank: those of the copy
/// that the rank belongs to, or the first copy of the part with those of all copies. With a memory limit, what is under
/// way takes a 64th of it. Collective.
template <class F>
void in_pieces(const TensorState& whole, const std::vector<std::int64_t>& lo, const TensorState& part, Copies copies,
               F&& f) {
  const comm::Communicator& communicator = detail::communicator_of(whole);
  const layout::Distribution& distribution = whole.placement->distribution();
  const bool takes_part = copies == Copies::own || part.placement->is_first_copy();
  const int count = copies == Copies::own ? 1 : distribution.copies(), copy = distribution.copy_of(communicator.rank());
  detail::BoxPieces walk(part.placement->distribution(), part.placement->tiles(), lo, whole.placement->locator());
  const std::int64_t limit = whole.world.options().memory_limit, size = element_size(whole.type);
  const std::int64_t bytes = limit <= 0 ? std::int64_t{32} << 20 : std::max<std::int64_t>(64 << 10, limit / 64);
  for (bool again = true; again;) {
    std::vector<exec::Piece> pieces;
    for (const exec::Piece& piece : takes_part ? walk.next(bytes / count, size) : pieces) {
      for (int c = 0; c < count; ++c) {
        pieces.push_back(piece);
        pieces.back().rank = distribution.with_copy(piece.rank, copies == Copies::own ? copy : c);
      }
    }
    const exec::PieceExchange exchange(communicator, pieces, takes_part && !walk.is_done());
    again = exchange.anybody_comes_again();
    f(exchange);
  }
}

/// Each rank asks for what its part of the result needs.
template <class T>
void take(const TensorState& state, const Lists& lists, const TensorState& part) {
  layout::LocalElements local(part.placement->distribution(), part.placement->tiles());
  T* const out = elements<T>(part);
  if (is_whole(state)) {
    const detail::WholeAccess<T> elements_of(state);
    std::vector<std::int64_t> index(lists.size());
    for (std::int64_t i = 0; i < local.size(); ++i, local.next()) {
      place(lists, local.index(), index);
      out[i] = elements_of.read(index);
    }
    return;
  }
  std::vector<std::int64_t> keys;
  in_rounds(state, local.size(), [&](std::int64_t first, std::int64_t last) {
    keys.clear();
    for (std::int64_t i = first; i < last; ++i, local.next())
      keys.push_back(key_of(*state.shape, lists, local.index()));
    const std::vector<T> values = detail::read_keys<T>(state, keys);
    std::copy(values.begin(), values.end(), out + first);
  });
}

/// Every stored element of the source is one of the target, and no two are the same one: positions of modes of one
/// group are all the same, and then the source has that symmetry, or have nothing in common, and then it has not.
bool is_one_to_one(const Shape& target, const Lists& lists, const Shape& source) {
  const auto group_of = [](const Shape& shape, int mode) -> const SymmetryGroup* {
    for (const SymmetryGroup& group : shape.symmetry().groups()) {
      if (std::find(group.modes.begin(), group.modes.end(), mode) != group.modes.end()) return &group;
    }
    return nullptr;
  };
  for (int x = 0; x < target.order(); ++x) {
    for (int y = 0; y < x; ++y) {
      const SymmetryGroup *const here = group_of(target, x), *const there = group_of(source, x);
      const bool together = here != nullptr && here == group_of(target, y);
      const bool source_together = there != nullptr && there == group_of(source, y);
      if (!together && !source_together) continue;
      if (!together) return false;
      const auto &a = lists[x], &b = lists[y];
      if (source_together ? a != b || here->kind != there->kind
                          : !a.empty() && !b.empty() && a.front() <= b.back() && b.front() <= a.back())
        return false;
    }
  }
  return true;
}

/// Each rank brings the unpacked elements of its part of the source.
template <class T>
void put(const TensorState& state, const Lists& lists, const TensorState& source) {
  detail::AgreeingUpdate<T> update(state);
  std::vector<std::int64_t> index(lists.size());
  const auto bring = [&](Index at, T value) {
    std::int64_t position = 0;
    for (std::size_t mode = 0; mode < lists.size(); ++mode) {
      index[mode] = lists[mode][static_cast<std::size_t>(at[mode])];
      position += at[mode] * source.shape->full_strides()[mode];
    }
    update.add(index, position, value);
  };
  if (source.placement->is_first_copy()) {
    layout::LocalElements local(source.placement->distribution(), source.placement->tiles());
    for (std::int64_t i = 0; i < local.size(); ++i, local.next()) {
      symmetry::for_each_image(*source.shape, local.index(),
                               [&](Index at, int sign) { bring(at, detail::times(sign, elements<T>(source)[i])); });
    }
  }
  update.commit();
}

std::string at(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) {
  return fmt::format(" from {} to {}", fmt::join(lo, ","), fmt::join(hi, ","));
}

/// This rank has all elements, row-major: boxes are runs of them, and nothing has to be asked for.
bool is_plain(const TensorState& state) { return is_whole(state) && state.shape->symmetry().empty(); }

}  // namespace

template <class T>
Tensor<T> Tensor<T>::slice(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) const {
  const TensorState& state = require_state(state_);
  const Lists lists = lists_of_box(*state.shape, lo, hi);
  const Shape shape(extents_of(lists), surviving(*state.shape, lists));
  Tensor<T> result(state.recycled ? detail::make_recycled_state(world(), state.type, shape, detail::Contents::anything)
                                  : detail::make_tensor_state(world(), state.type, shape.extents(), shape.symmetry()));
  const TensorState& part = require_state(result.state_);
  if (!is_plain(state) || !is_plain(part)) {
    detail::check_alike(state.world, [&](std::ostream& out) { out << "slice of " << *state.shape << at(lo, hi); });
    if (!state.shape->symmetry().empty()) std::fill_n(elements<T>(part), part.placement->tiles().size(), T(0));
    in_pieces(state, lo, part, Copies::own,
              [&](const exec::PieceExchange& pieces) { pieces.fetch(elements<T>(state), elements<T>(part)); });
    return result;
  }
  storage::for_each_run({lo, hi}, state.shape->extents(), [&](std::int64_t first, std::int64_t count, std::int64_t at) {
    std::copy_n(elements<T>(state) + first, count, elements<T>(part) + at);
  });
  return result;
}

template <class T>
void Tensor<T>::assign_slice(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi,
                             const Tensor& tensor) {
  const TensorState& state = require_state(state_);
  const TensorState& source = require_state(tensor.state_);
  const Lists lists = lists_of_box(*state.shape, lo, hi);
  check_fits(*source.shape, extents_of(lists));
  detail::require_one_world(state, source);
  const bool is_itself = source.data.data() == state.data.data();
  if (is_itself || !is_one_to_one(*state.shape, lists, *source.shape)) {
    put<T>(state, lists, source);
    return;
  }
  if (!is_plain(state) || !is_plain(source)) {
    // Where elements fit one to one, none has to be compared with another.
    detail::check_alike(state.world, [&](std::ostream& out) { out << "assign to " << *state.shape << at(lo, hi); });
    in_pieces(state, lo, source, is_whole(state) && is_whole(source) ? Copies::own : Copies::all,
              [&](const exec::PieceExchange& pieces) { pieces.deliver(elements<T>(source), elements<T>(state)); });
    return;
  }
  storage::for_each_run({lo, hi}, state.shape->extents(), [&](std::int64_t first, std::int64_t count, std::int64_t at) {
    std::copy_n(elements<T>(source) + at, count, elements<T>(state) + first);
  });
}

template <class T>
Tensor<T> Tensor<T>::subset(const std::vector<std::vector<std::int64_t>>& lists) const {
  const TensorState& state = require_state(state_);
  check_lists(*state.shape, lists);
  Tensor<T> result(world(), extents_of(lists), surviving(*state.shape, lists));
  take<T>(state, lists, require_state(result.state_));
  return result;
}

template <class T>
void Tensor<T>::assign_subset(const std::vector<std::vector<std::int64_t>>& lists, const Tensor& tensor) {
  const TensorState& state = require_state(state_);
  const TensorState& source = require_state(tensor.state_);
  check_lists(*state.shape, lists);
  check_fits(*source.shape, extents_of(lists));
  detail::require_one_world(state, source);
  put<T>(state, lists, source);
}

#define RICCI_INSTANTIATE(T)                                                                                     \
  template Tensor<T> Tensor<T>::slice(const std::vector<std::int64_t>&, const std::vector<std::int64_t>&) const; \
  template void Tensor<T>::assign_slice(const std::vector<std::int64_t>&, const std::vector<std::int64_t>&,      \
                                        const Tensor&);                                                          \
  template Tensor<T> Tensor<T>::subset(const std::vector<std::vector<std::int64_t>>&) const;                     \
  template void Tensor<T>::assign_subset(const std::vector<std::vector<std::int64_t>>&, const Tensor&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
