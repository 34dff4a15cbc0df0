#pragma once
// A tensor of any element type that belongs to somebody else.
#include <string>
#include <variant>

#include "compile/block_catalog.hpp"
#include "program/any_tensor.hpp"

namespace ricci::program {

/// The tensor has to stay. Like a pointer, a view that cannot be changed may refer to a tensor that can.
class TensorView {
 public:
  TensorView(const AnyTensor* tensor) : pointer_(std::visit([](const auto& t) -> Pointer { return &t; }, *tensor)) {}
  template <class T>
  TensorView(const Tensor<T>* tensor) : pointer_(tensor) {}

  Indexed indexed(const std::string& labels) const {
    return std::visit([&](const auto* t) { return (*t)[labels]; }, pointer_);
  }
  detail::TensorState& state() const {
    return std::visit([](const auto* t) -> detail::TensorState& { return program::state_of(*t); }, pointer_);
  }
  double norm() const {
    return std::visit([](const auto* t) { return static_cast<double>(t->norm2()); }, pointer_);
  }
  /// Copies. Collective, as is the other way.
  AnyTensor slice(const compile::Box& box) const {
    return std::visit([&](const auto* t) -> AnyTensor { return t->slice(box.lo, box.hi); }, pointer_);
  }
  void assign_slice(const compile::Box& box, const AnyTensor& from) const {
    std::visit(
        [&]<class T>(const Tensor<T>* t) {
          const_cast<Tensor<T>*>(t)->assign_slice(box.lo, box.hi, std::get<Tensor<T>>(from));
        },
        pointer_);
  }

 private:
  using Pointer = std::variant<const Tensor<float>*, const Tensor<double>*, const Tensor<std::complex<float>>*,
                               const Tensor<std::complex<double>>*>;
  Pointer pointer_;
};

}  // namespace ricci::program
