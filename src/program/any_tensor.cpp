#include "program/any_tensor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

namespace ricci::program {

AnyTensor make_tensor(const World& world, ElementType type, const symmetry::Shape& shape) {
  switch (type) {
    case ElementType::f32:
      return Tensor<float>(world, shape.extents(), shape.symmetry());
    case ElementType::f64:
      return Tensor<double>(world, shape.extents(), shape.symmetry());
    case ElementType::c32:
      return Tensor<std::complex<float>>(world, shape.extents(), shape.symmetry());
    case ElementType::c64:
      return Tensor<std::complex<double>>(world, shape.extents(), shape.symmetry());
  }
  throw InternalError("a tensor of no element type");
}

AnyTensor make_block(const World& world, ElementType type, const symmetry::Shape& shape, detail::Contents contents) {
  return visit_element_type(type, [&](auto* tag) -> AnyTensor {
    using T = std::remove_pointer_t<decltype(tag)>;
    return detail::TensorDoor::tensor<T>(detail::make_recycled_state(world, type, shape, contents));
  });
}

std::string label_text(const compile::Formula& formula, const std::vector<int>& labels) {
  std::vector<std::string> names;
  for (int label : labels) names.push_back(formula.labels[label].name);
  return fmt::format("{}", fmt::join(names, ","));
}

std::string mode_names(const std::vector<int>& modes) {
  std::vector<std::string> names;
  for (int mode : modes) names.push_back(fmt::format("m{}", mode));
  return fmt::format("{}", fmt::join(names, ","));
}

Indexed indexed(const AnyTensor& tensor, const std::string& labels) {
  return std::visit([&](const auto& t) { return t[labels]; }, tensor);
}

template <class T>
detail::TensorState& state_of(const Tensor<T>& tensor) {
  return detail::TensorDoor::state(tensor);
}

template detail::TensorState& state_of(const Tensor<float>&);
template detail::TensorState& state_of(const Tensor<double>&);
template detail::TensorState& state_of(const Tensor<std::complex<float>>&);
template detail::TensorState& state_of(const Tensor<std::complex<double>>&);

detail::TensorState& state_of(const AnyTensor& tensor) {
  return std::visit([](const auto& t) -> detail::TensorState& { return state_of(t); }, tensor);
}

double norm_of(const AnyTensor& tensor) {
  return std::visit([](const auto& t) { return static_cast<double>(t.norm2()); }, tensor);
}

void invert_elements(AnyTensor& tensor) {
  std::visit([]<class T>(Tensor<T>& t) { t.transform([](T x) { return T(1) / x; }); }, tensor);
}

std::complex<double> scalar_value(const AnyTensor& tensor) {
  return std::visit([](const auto& t) { return std::complex<double>(t.gather()[0]); }, tensor);
}

}  // namespace ricci::program
