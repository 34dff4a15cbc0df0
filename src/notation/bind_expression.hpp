#pragma once
// Right-hand sides, and scalars that are printed or compared.
#include <optional>
#include <string>
#include <vector>

#include "notation/binding.hpp"

namespace ricci::notation {

/// Where an expression stands, and what is found out about it.
struct ExpressionContext {
  std::vector<int> output_labels = {};  // none for a scalar; unknown ones are -1
  bool is_scalar = false;               // it is printed or compared, so norms may stand in it
  /// The one element type of all tensors in the statement, and the tensor that it is known from.
  std::optional<ElementType> type = {};
  std::string type_from = {};
};

/// What has been reported is left as the number 0.
ProgramExpression bind_expression(Binding& binding, const syntax::Expression& expression, ExpressionContext& context);

/// The value of an expression of numbers alone; reports where it is none.
std::optional<double> bind_number(Binding& binding, const syntax::Expression& expression);

}  // namespace ricci::notation
