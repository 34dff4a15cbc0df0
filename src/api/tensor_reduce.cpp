// Norms and sums of the unpacked tensor, from the unique elements and how often each stands there.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/check_alike.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "layout/local_elements.hpp"
#include "symmetry/shape.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

using detail::elements;
using detail::require_state;
using detail::TensorState;

namespace {

/// How often each element that is stored stands in the unpacked tensor; 0: some more often than others.
std::int64_t common_multiplicity(const symmetry::Shape& shape) {
  std::int64_t count = 1;
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    if (group.kind == SymmetryKind::symmetric) return 0;  // fewer on diagonals
    for (std::size_t n = 2; n <= group.modes.size(); ++n) count *= static_cast<std::int64_t>(n);
  }
  return count;
}

/// Σ f(i) · multiplicity(i) over the unique elements, on all ranks. Collective.
template <class Sum, class F>
Sum weighted_sum(const TensorState& state, F f) {
  detail::check_alike(state.world, [&](std::ostream& out) { out << "reduce " << *state.shape; });
  Sum sum{};
  const detail::Placement& placement = *state.placement;
  using Real = typename detail::RealOf<Sum>::type;
  const std::int64_t common = common_multiplicity(*state.shape);
  if (placement.is_first_copy() && common > 0) {
    // Sums that do not wait for each other: as many as fill the pipelines.
    constexpr std::int64_t lanes = 8;
    Sum part[lanes] = {};
    std::int64_t i = 0;
    for (; i + lanes <= placement.size(); i += lanes) {
      for (std::int64_t l = 0; l < lanes; ++l) part[l] += f(i + l);
    }
    for (; i < placement.size(); ++i) sum += f(i);
    for (const Sum& one : part) sum += one;
    sum *= static_cast<Real>(common);
  } else if (placement.is_first_copy()) {
    layout::LocalElements local(placement.distribution(), placement.tiles());
    for (std::int64_t i = 0; i < placement.size(); ++i, local.next()) {
      sum += f(i) * static_cast<Real>(local.multiplicity());
    }
  }
  return detail::communicator_of(state).all_reduce(sum, comm::Operation::sum);
}

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, typename detail::RealOf<T>::type>, double, std::complex<double>>;

}  // namespace

template <class T>
auto Tensor<T>::norm2() const -> Real {
  const TensorState& state = require_state(state_);
  const T* x = elements<T>(state);
  return static_cast<Real>(
      std::sqrt(weighted_sum<double>(state, [x](std::int64_t i) { return std::norm(Wide<T>(x[i])); })));
}

template <class T>
T Tensor<T>::sum() const {
  const TensorState& state = require_state(state_);
  for (const SymmetryGroup& group : state.shape->symmetry().groups()) {
    if (group.kind == SymmetryKind::antisymmetric) return T(0);  // the signs cancel
  }
  const T* x = elements<T>(state);
  return T(weighted_sum<Wide<T>>(state, [x](std::int64_t i) { return Wide<T>(x[i]); }));
}

template <class T>
auto Tensor<T>::max_abs() const -> Real {
  const TensorState& state = require_state(state_);
  // A NaN is neither larger nor smaller than others, so it is looked for by itself.
  Real largest = 0, nan = 0;
  for (std::int64_t i = 0; i < state.placement->size(); ++i) {
    const Real value = std::abs(elements<T>(state)[i]);
    if (value > largest) largest = value;
    if (std::isnan(value)) nan = 1;
  }
  Real found[] = {largest, nan};
  detail::communicator_of(state).all_reduce(std::span<Real>(found), comm::Operation::max);
  return found[1] > 0 ? std::numeric_limits<Real>::quiet_NaN() : found[0];
}

template <class T>
T Tensor<T>::dot(const Tensor& other) const {
  const TensorState &a = require_state(state_), &b = require_state(other.state_);
  if (a.shape->extents() != b.shape->extents()) {
    throw InputError(fmt::format("dot was given tensors with the extents {} and {}; they must be the same",
                                 fmt::join(a.shape->extents(), ","), fmt::join(b.shape->extents(), ",")));
  }
  detail::require_one_world(a, b);
  if (!(*a.shape == *b.shape)) {
    std::string labels;
    for (int mode = 0; mode < order(); ++mode) labels += fmt::format("{}m{}", mode == 0 ? "" : ",", mode);
    const std::complex<double> value = ((*this)[labels] * other[labels]).value();
    if constexpr (std::is_same_v<T, Real>) {
      return static_cast<T>(value.real());
    } else {
      return T(value);
    }
  }
  AlignedBuffer copy;
  const T *x = elements<T>(a), *y = elements<T>(b);
  if (!(a.placement->distribution().layout() == b.placement->distribution().layout())) {
    copy = detail::moved(b, *a.placement);
    y = copy.as<T>();
  }
  return T(weighted_sum<Wide<T>>(a, [x, y](std::int64_t i) { return Wide<T>(x[i]) * Wide<T>(y[i]); }));
}

#define RICCI_INSTANTIATE(T)                      \
  template auto Tensor<T>::norm2() const->Real;   \
  template T Tensor<T>::sum() const;              \
  template auto Tensor<T>::max_abs() const->Real; \
  template T Tensor<T>::dot(const Tensor&) const;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
