#include "symmetry/shape.hpp"

#include <array>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "symmetry/packed.hpp"
#include "util/checked.hpp"

namespace ricci::symmetry {

namespace {

void check_extents(const Extents& extents) {
  if (extents.size() > Shape::max_order) {
    throw InputError(
        fmt::format("a tensor of order {} was asked for; the highest order is {}", extents.size(), Shape::max_order));
  }
  for (std::size_t mode = 0; mode < extents.size(); ++mode) {
    if (extents[mode] < 0) {
      throw InputError(fmt::format("mode {} has the extent {}; extents are 0 or more", mode, extents[mode]));
    }
  }
}

void check_group(const SymmetryGroup& group, const Extents& extents) {
  for (int mode : group.modes) {
    if (mode >= static_cast<int>(extents.size())) {
      throw InputError(
          fmt::format("the symmetry group [{}] names mode {}, but the tensor has order {}: modes run from 0 to {}",
                      fmt::join(group.modes, " "), mode, extents.size(), static_cast<int>(extents.size()) - 1));
    }
    const int first = group.modes.front();
    if (extents[mode] != extents[first]) {
      throw InputError(
          fmt::format("the symmetry group [{}] joins mode {} of extent {} and mode {} of extent {}; give all modes "
                      "of a group one extent",
                      fmt::join(group.modes, " "), first, extents[first], mode, extents[mode]));
    }
  }
}

[[noreturn]] void throw_too_large(const Extents& extents) {
  throw InputError(
      fmt::format("a tensor with the extents {} has more elements than 64 bits can count; make an extent smaller",
                  fmt::join(extents, ",")));
}

}  // namespace

Shape::Shape(Extents extents, Symmetry symmetry) : extents_(std::move(extents)), symmetry_(std::move(symmetry)) {
  check_extents(extents_);
  dim_of_mode_.assign(extents_.size(), -1);
  for (const SymmetryGroup& group : symmetry_.groups()) check_group(group, extents_);

  // Storage dimensions in the order of their first modes.
  for (int mode = 0; mode < order(); ++mode) {
    if (dim_of_mode_[mode] >= 0) continue;
    StorageDim dim{{mode}, SymmetryKind::symmetric, extents_[mode], extents_[mode], 0};
    for (const SymmetryGroup& group : symmetry_.groups()) {
      if (group.modes.front() != mode) continue;
      const auto size = packed_size(is_strict(group.kind), dim.extent, static_cast<int>(group.modes.size()));
      if (!size) throw_too_large(extents_);
      dim = {group.modes, group.kind, dim.extent, *size, 0};
    }
    for (int member : dim.modes) dim_of_mode_[member] = static_cast<int>(dims_.size());
    dims_.push_back(std::move(dim));
  }

  // Zero extents are left out of the overflow check's products, so that 0 x huge x huge is judged like its parts.
  full_strides_.assign(extents_.size(), 1);
  std::int64_t nonzero = 1;
  for (int mode = order() - 1; mode >= 0; --mode) {
    full_strides_[mode] = nonzero;
    const auto next = checked_multiply(nonzero, std::max<std::int64_t>(extents_[mode], 1));
    if (!next || *next > INT64_MAX / 16) throw_too_large(extents_);  // bytes must fit, too
    nonzero = *next;
    full_size_ *= extents_[mode];
  }
  for (std::size_t d = dims_.size(); d-- > 0;) {
    dims_[d].stride = stored_size_;
    stored_size_ *= dims_[d].size;
  }
}

Shape Shape::window(const Extents& box) const {
  if (!symmetry_.empty()) throw InternalError("a window of a packed shape");
  Shape result(box, {});
  for (std::size_t d = 0; d < dims_.size(); ++d) result.dims_[d].stride = dims_[d].stride;
  return result;
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  out << shape.extents();
  if (!shape.symmetry().empty()) out << ' ' << shape.symmetry();
  return out;
}

std::string in_words(const Symmetry& symmetry) {
  std::string text;
  for (const SymmetryGroup& group : symmetry.groups()) {
    const char* kind = group.kind == SymmetryKind::symmetric       ? "symmetric"
                       : group.kind == SymmetryKind::antisymmetric ? "antisymmetric"
                                                                   : "hollow";
    text += fmt::format("{}{} [{}]", text.empty() ? "" : ", ", kind, fmt::join(group.modes, " "));
  }
  return text;
}

int sort_index(const Shape& shape, std::int64_t* index) {
  int factor = 1;
  std::array<std::int64_t, Shape::max_order> tuple;
  for (const StorageDim& dim : shape.dims()) {
    if (!dim.grouped()) continue;
    const int degree = static_cast<int>(dim.modes.size());
    int sign = 1;
    if (degree == 2) {
      std::int64_t &x = index[dim.modes[0]], &y = index[dim.modes[1]];
      sign = x < y ? 1 : x == y ? 0 : -1;
      if (sign < 0) std::swap(x, y);
    } else {
      for (int k = 0; k < degree; ++k) tuple[k] = index[dim.modes[k]];
      sign = sort_with_sign(tuple.data(), degree);
      for (int k = 0; k < degree; ++k) index[dim.modes[k]] = tuple[k];
    }
    if (sign == 0 && is_strict(dim.kind)) return 0;
    if (dim.kind == SymmetryKind::antisymmetric) factor *= sign;
  }
  return factor;
}

Element locate(const Shape& shape, std::span<const std::int64_t> index) {
  Element element{0, 1};
  std::array<std::int64_t, 8> small;
  std::vector<std::int64_t> large;
  for (const StorageDim& dim : shape.dims()) {
    const int degree = static_cast<int>(dim.modes.size());
    if (degree == 1) {
      element.offset += index[dim.modes[0]] * dim.stride;
      continue;
    }
    std::int64_t* tuple = small.data();
    if (degree > static_cast<int>(small.size())) {
      large.resize(degree);
      tuple = large.data();
    }
    for (int k = 0; k < degree; ++k) tuple[k] = index[dim.modes[k]];
    const PackedElement packed = locate(dim.kind, tuple, degree);
    element.offset += packed.rank * dim.stride;
    element.factor *= packed.factor;
  }
  return element;
}

UniqueElements::UniqueElements(const Shape& shape) : shape_(&shape), index_(shape.order()) {
  for (const StorageDim& dim : shape.dims()) tuples_.emplace_back(dim.modes.size());
  if (shape.stored_size() > 0) seek(0);
}

void UniqueElements::seek(std::int64_t offset) {
  for (std::size_t d = 0; d < tuples_.size(); ++d) {
    const StorageDim& dim = shape_->dims()[d];
    const std::int64_t rank = offset / dim.stride;
    offset -= rank * dim.stride;
    if (dim.grouped()) {
      unrank_sorted(is_strict(dim.kind), rank, static_cast<int>(dim.modes.size()), tuples_[d].data());
    } else {
      tuples_[d][0] = rank;
    }
    store(d);
  }
}

void UniqueElements::next() {
  for (std::size_t d = tuples_.size(); d-- > 0;) {
    const StorageDim& dim = shape_->dims()[d];
    const int degree = static_cast<int>(dim.modes.size());
    next_sorted(is_strict(dim.kind), degree, tuples_[d].data());
    const bool wrapped = tuples_[d].back() >= dim.extent;
    if (wrapped) {
      for (int k = 0; k < degree; ++k) tuples_[d][k] = dim.grouped() && is_strict(dim.kind) ? k : 0;
    }
    store(d);
    if (!wrapped) return;
  }
}

std::int64_t UniqueElements::multiplicity() const {
  std::int64_t count = 1;
  for (const auto& tuple : tuples_) {
    std::int64_t equal = 1;  // the tuple is sorted: d! / Π (run length)!
    for (std::size_t k = 1; k < tuple.size(); ++k) {
      equal = tuple[k] == tuple[k - 1] ? equal + 1 : 1;
      count = count * static_cast<std::int64_t>(k + 1) / equal;
    }
  }
  return count;
}

void UniqueElements::store(std::size_t d) {
  const auto& modes = shape_->dims()[d].modes;
  for (std::size_t k = 0; k < modes.size(); ++k) index_[modes[k]] = tuples_[d][k];
}

}  // namespace ricci::symmetry
