#pragma once
// Tensor<T>: a packed tensor of any order and symmetry, on the ranks of a World.
#include <complex>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <ricci/expression.hpp>
#include <ricci/layout.hpp>
#include <ricci/symmetry.hpp>
#include <ricci/world.hpp>

namespace ricci {

/// The extents of a tensor's modes. A vector that prints: `40,40,10,10`.
class Extents : public std::vector<std::int64_t> {
 public:
  using std::vector<std::int64_t>::vector;
  Extents(std::vector<std::int64_t> extents) : std::vector<std::int64_t>(std::move(extents)) {}
};

std::ostream& operator<<(std::ostream&, const Extents&);

namespace detail {
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
struct TensorDoor;
}  // namespace detail

using Index = std::span<const std::int64_t>;  ///< one index a mode

/// T is float, double, std::complex<float> or std::complex<double>. A value: copying copies the data. Only unique
/// elements are stored. All calls that read or change data are collective, and so is copying; moving and destroying are
/// not.
template <class T>
class Tensor {
 public:
  using Real = typename detail::RealOf<T>::type;

  Tensor() = default;  ///< no tensor yet: assign one before use
  /// Zero. InputError for bad extents or symmetry, ResourceError where memory does not suffice.
  Tensor(const World& world, Extents extents, Symmetry symmetry = {});
  Tensor(const Tensor& other);  ///< ResourceError where memory does not suffice, on all ranks or none
  Tensor(Tensor&& other) noexcept = default;
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor() = default;

  int order() const;
  const Extents& extents() const;
  const Symmetry& symmetry() const;
  const World& world() const;
  const Layout& layout() const;
  std::int64_t full_size() const;    ///< elements of the unpacked tensor
  std::int64_t stored_size() const;  ///< unique elements, over all ranks

  /// One character a mode, or names separated by commas. InputError where their number is not order().
  Indexed operator[](std::string_view labels) const;

  void fill(T value);
  /// Uniform in [lo, hi) (complex: both parts); depends on the seed and the index alone.
  void fill_random(std::uint64_t seed, Real lo = -1, Real hi = 1);
  template <std::invocable<Index> F>
  void fill(F f) {
    for_each_unique([&f](Index index, T& value) { value = static_cast<T>(f(index)); }, true);
  }

  /// Each rank gives any keys, or none. Keys are row-major linear indices in the unpacked tensor; one below the
  /// diagonal is folded, with its sign. Of duplicate keys in write() the last one stands, those of higher ranks being
  /// later. InputError, before anything changes, for a key out of range or a nonzero value where the symmetry makes the
  /// element zero.
  void write(std::span<const std::int64_t> keys, std::span<const T> values);
  void accumulate(std::span<const std::int64_t> keys, std::span<const T> values);
  std::vector<T> read(std::span<const std::int64_t> keys) const;

  /// The whole unpacked tensor, row-major.
  std::vector<T> gather() const;
  /// From such an array; the elements with sorted indices are taken. InputError where the array contradicts the
  /// symmetry.
  void assign_dense(std::span<const T> values);

  /// The box lo <= index < hi. A symmetry group survives where all of its modes have the same bounds.
  Tensor slice(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) const;
  void assign_slice(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi, const Tensor& tensor);
  /// A list of positions for each mode, in any order. A group survives where all of its modes have the same list.
  Tensor subset(const std::vector<std::vector<std::int64_t>>& lists) const;
  void assign_subset(const std::vector<std::vector<std::int64_t>>& lists, const Tensor& tensor);

  /// The unique elements that this rank owns: f(index, value). The index is sorted within each group. Of several
  /// copies of an element one rank owns the first; the others follow what f changes. (Collective where there are any.)
  template <class F>
  void for_each_local(F f) {
    for_each_unique(std::ref(f), true);
  }
  template <class F>
  void for_each_local(F f) const {
    const_cast<Tensor*>(this)->for_each_unique([&f](Index index, T& value) { f(index, std::as_const(value)); }, false);
  }

  /// value = f(value), or f(value) with a reference, or value = f(index, value), for every unique element. f must
  /// depend on nothing else: it is called for every copy of an element.
  template <class F>
  void transform(F f);
  /// this = f(a, b), element by element; all three of one shape.
  template <class F>
  void map(const Tensor& a, const Tensor& b, F f);

  Real norm2() const;  ///< square root of the sum of squares of the unpacked tensor's elements
  T sum() const;
  Real max_abs() const;
  /// Sum over the unpacked elements of the product, without conjugation.
  T dot(const Tensor& other) const;
  static T dot(const Tensor& a, const Tensor& b) { return a.dot(b); }

  void redistribute(const Layout& layout);

  /// "file.h5:/name" or "file.npy". HDF5 keeps the symmetry and the packed elements, npy the unpacked tensor.
  void save(const std::string& where) const;
  /// The shape (and, for HDF5, the symmetry) must agree with this tensor. All of that is checked first; only a device
  /// that fails while it is read leaves the tensor with a part of the new elements.
  void load(const std::string& where);

 private:
  friend struct detail::TensorDoor;
  explicit Tensor(std::shared_ptr<detail::TensorState> state) : state_(std::move(state)) {}
  void for_each_unique(const std::function<void(Index, T&)>& f, bool changes);
  void for_each_value(const Tensor* a, const Tensor* b,
                      const std::function<void(T*, const T*, const T*, std::int64_t)>& f);

  std::shared_ptr<detail::TensorState> state_;
};

template <class T>
template <class F>
void Tensor<T>::transform(F f) {
  if constexpr (std::is_invocable_v<F, Index, T>) {
    for_each_unique([&f](Index index, T& value) { value = static_cast<T>(f(index, value)); }, true);
  } else {
    for_each_value(nullptr, nullptr, [&f](T* x, const T*, const T*, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) {
        if constexpr (std::is_void_v<std::invoke_result_t<F, T&>>) {
          f(x[i]);
        } else {
          x[i] = static_cast<T>(f(x[i]));
        }
      }
    });
  }
}

template <class T>
template <class F>
void Tensor<T>::map(const Tensor& a, const Tensor& b, F f) {
  for_each_value(&a, &b, [&f](T* x, const T* p, const T* q, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) x[i] = static_cast<T>(f(p[i], q[i]));
  });
}

template <class T>
T dot(const Tensor<T>& a, const Tensor<T>& b) {
  return a.dot(b);
}

/// A new tensor of the shape of a and b with the elements f(a, b).
template <class T, class F>
Tensor<T> map(const Tensor<T>& a, const Tensor<T>& b, F f) {
  Tensor<T> result(a.world(), a.extents(), a.symmetry());
  result.map(a, b, f);
  return result;
}

/// Prints type, extents, symmetry and layout, not the elements.
template <class T>
std::ostream& operator<<(std::ostream&, const Tensor<T>&);

extern template class Tensor<float>;
extern template class Tensor<double>;
extern template class Tensor<std::complex<float>>;
extern template class Tensor<std::complex<double>>;

}  // namespace ricci
