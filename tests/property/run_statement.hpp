#pragma once
// Hands a statement to ricci through its public interface, and compares the result with the oracle's.
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <ricci/ricci.hpp>

#include "oracle.hpp"
#include "random_layout.hpp"

namespace ricci_test {

template <class T>
T element_from(const Number& number) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number.real());
  } else {
    return T(static_cast<typename T::value_type>(number.real()), static_cast<typename T::value_type>(number.imag()));
  }
}

inline ricci::Symmetry symmetry_of(const TensorShape& shape) {
  ricci::Symmetry symmetry;
  for (const Group& group : shape.groups) {
    const auto kind = group.kind == GroupKind::symmetric       ? ricci::SymmetryKind::symmetric
                      : group.kind == GroupKind::antisymmetric ? ricci::SymmetryKind::antisymmetric
                                                               : ricci::SymmetryKind::hollow;
    symmetry = symmetry * ricci::Symmetry(kind, group.modes);
  }
  return symmetry;
}

/// The tensors of a statement with their data, in any layouts, or where ricci puts them. Odd data seeds go in by
/// write(), every key once (on every rank, so that duplicates are, too), so that folding is exercised as well; even
/// ones by assign_dense().
template <class T>
std::vector<ricci::Tensor<T>> make_tensors(const ricci::World& world, const Statement& statement,
                                           const std::vector<DenseTensor>& data, bool in_any_layouts = true) {
  std::vector<ricci::Tensor<T>> tensors;
  for (std::size_t number = 0; number < statement.tensors.size(); ++number) {
    const TensorShape& shape = statement.tensors[number];
    ricci::Tensor<T> tensor(world, extents_of(statement, shape), symmetry_of(shape));
    std::vector<T> values;
    std::vector<std::int64_t> keys;
    for (const Number& value : data[number]) {
      keys.push_back(std::ssize(values));
      values.push_back(element_from<T>(value));
    }
    if (statement.data_seed % 2 == 1) {
      tensor.write(keys, values);
    } else {
      tensor.assign_dense(values);
    }
    Dice dice(statement.data_seed + number);
    if (in_any_layouts && dice.chance(70)) {
      tensor.redistribute(random_layout(dice, tensor.symmetry(), tensor.order(), world.size()));
    }
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

template <class T>
ricci::Expression right_side(const Statement& statement, const std::vector<ricci::Tensor<T>>& tensors) {
  ricci::Expression sum;
  for (const Term& term : statement.terms) {
    ricci::Expression product =
        statement.is_complex() ? ricci::Expression(term.coefficient) : ricci::Expression(term.coefficient.real());
    for (const Factor& factor : term.factors) {
      const ricci::Expression operand = tensors[static_cast<std::size_t>(factor.tensor)][factor.labels];
      product = product * (factor.conjugate ? conj(operand) : operand);
    }
    sum = sum + product;
  }
  return sum;
}

template <class T>
ricci::Statement as_value(const Statement& statement, const std::vector<ricci::Tensor<T>>& tensors) {
  const ricci::Indexed left = tensors[0][statement.output];
  const ricci::Expression right = right_side(statement, tensors);
  if (statement.how == Assignment::assign) return left.assign(right);
  return statement.how == Assignment::add ? left.add(right) : left.subtract(right);
}

template <class T>
void run_at_once(const Statement& statement, const std::vector<ricci::Tensor<T>>& tensors) {
  const ricci::Expression right = right_side(statement, tensors);
  switch (statement.how) {
    case Assignment::assign:
      tensors[0][statement.output] = right;
      break;
    case Assignment::add:
      tensors[0][statement.output] += right;
      break;
    case Assignment::subtract:
      tensors[0][statement.output] -= right;
      break;
  }
}

/// Empty where all is within the tolerance, else the first element that is not.
template <class T>
std::string difference(const std::vector<T>& got, const Expected& expected) {
  using Real = typename ricci::Tensor<T>::Real;
  if (got.size() != expected.values.size()) return "a different number of elements";
  for (std::size_t key = 0; key < got.size(); ++key) {
    const long double allowed = tolerance(expected, key, std::numeric_limits<Real>::epsilon());
    const Number value(got[key]);
    if (std::abs(value - expected.values[key]) <= allowed) continue;
    std::ostringstream out;
    out << "element " << key << " is " << value << ", should be " << expected.values[key] << " within " << allowed;
    return out.str();
  }
  return {};
}

/// Calls f with a value of the statement's element type.
template <class F>
void with_element_type(const Statement& statement, F f) {
  switch (statement.type) {
    case ElementKind::f32:
      f(float{});
      break;
    case ElementKind::f64:
      f(double{});
      break;
    case ElementKind::c32:
      f(std::complex<float>{});
      break;
    case ElementKind::c64:
      f(std::complex<double>{});
      break;
  }
}

}  // namespace ricci_test
