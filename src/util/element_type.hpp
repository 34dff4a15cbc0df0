#pragma once
// The four element types, as a run-time value.
#include <complex>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ricci {

enum class ElementType { f32, f64, c32, c64 };  // c32: complex of two floats, c64: of two doubles

template <class T>
inline constexpr ElementType element_type_of = [] {
  if constexpr (std::is_same_v<T, float>)
    return ElementType::f32;
  else if constexpr (std::is_same_v<T, double>)
    return ElementType::f64;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return ElementType::c32;
  else
    return ElementType::c64;
}();

constexpr std::size_t element_size(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return 4;
    case ElementType::f64:
      return 8;
    case ElementType::c32:
      return 8;
    case ElementType::c64:
      return 16;
  }
  return 0;
}

constexpr bool is_complex(ElementType type) { return type == ElementType::c32 || type == ElementType::c64; }

constexpr std::string_view name_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return "float";
    case ElementType::f64:
      return "double";
    case ElementType::c32:
      return "complex<float>";
    case ElementType::c64:
      return "complex<double>";
  }
  return "";
}

/// Calls f with a null pointer of the C++ type, so that a run-time type becomes a template argument in one place.
template <class F>
decltype(auto) visit_element_type(ElementType type, F&& f) {
  switch (type) {
    case ElementType::f32:
      return f(static_cast<float*>(nullptr));
    case ElementType::f64:
      return f(static_cast<double*>(nullptr));
    case ElementType::c32:
      return f(static_cast<std::complex<float>*>(nullptr));
    case ElementType::c64:
      break;
  }
  return f(static_cast<std::complex<double>*>(nullptr));
}

}  // namespace ricci
