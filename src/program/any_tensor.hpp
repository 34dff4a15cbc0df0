#pragma once
// A tensor of any element type.
#include <complex>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <ricci/tensor.hpp>

#include "api/make_tensor_state.hpp"
#include "compile/formula.hpp"

namespace ricci::program {

using AnyTensor =
    std::variant<Tensor<float>, Tensor<double>, Tensor<std::complex<float>>, Tensor<std::complex<double>>>;

/// Zero. Collective.
AnyTensor make_tensor(const World& world, ElementType type, const symmetry::Shape& shape);
/// For a while, one of many (detail::make_recycled_state). Collective.
AnyTensor make_block(const World& world, ElementType type, const symmetry::Shape& shape,
                     detail::Contents contents = detail::Contents::zero);

/// `i1,i2,a`: labels as text.
std::string label_text(const compile::Formula& formula, const std::vector<int>& labels);

/// `m0,m1`: modes as labels.
std::string mode_names(const std::vector<int>& modes);

/// The tensor under labels.
Indexed indexed(const AnyTensor& tensor, const std::string& labels);

/// What it holds on this rank.
detail::TensorState& state_of(const AnyTensor& tensor);
template <class T>
detail::TensorState& state_of(const Tensor<T>& tensor);

/// The 2-norm of the unpacked tensor. Collective.
double norm_of(const AnyTensor& tensor);

/// 1/x for every stored element.
void invert_elements(AnyTensor& tensor);

/// The value of a tensor of order 0. Collective.
std::complex<double> scalar_value(const AnyTensor& tensor);

}  // namespace ricci::program
