#include <charconv>

#include <fmt/format.h>

#include "notation/binding.hpp"
#include "util/checked.hpp"

namespace ricci::notation {

namespace {

using syntax::Expression;
using Kind = Expression::Kind;
using Size = std::optional<std::int64_t>;

Size combined(char join, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (join == '*') return checked_multiply(a, b);
  const bool wraps = join == '+' ? __builtin_add_overflow(a, b, &result) : __builtin_sub_overflow(a, b, &result);
  if (wraps) return std::nullopt;
  return result;
}

Size of_number(Binding& binding, const Expression& number) {
  const std::string& text = number.name.text;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return value;
  const bool too_large = error == std::errc::result_out_of_range;
  binding.diagnostics.error(number.where, too_large ? fmt::format("{} is more than 64 bits can count", text)
                                                    : fmt::format("expected a whole number, found {}", text));
  return std::nullopt;
}

Size of_operands(Binding& binding, const Expression& whole) {
  Size total;
  for (std::size_t i = 0; i < whole.operands.size(); ++i) {
    const Expression& operand = whole.operands[i];
    if (i > 0 && operand.join == '/') {
      binding.diagnostics.error(operand.where, "sizes cannot be divided", "use whole numbers and spaces with + - *");
      return std::nullopt;
    }
    const Size value = bind_size(binding, operand);
    if (!value) return std::nullopt;
    total = i == 0 ? value : combined(operand.join, *total, *value);
    if (!total) {
      binding.diagnostics.error(operand.where, "this size is more than 64 bits can count", "make it smaller");
      return std::nullopt;
    }
  }
  return total;
}

}  // namespace

Size bind_size(Binding& binding, const Expression& expression) {
  switch (expression.kind) {
    case Kind::number:
      return of_number(binding, expression);
    case Kind::sum:
    case Kind::product:
      return of_operands(binding, expression);
    case Kind::negate: {
      const Size value = bind_size(binding, expression.operands[0]);
      return value ? combined('-', 0, *value) : value;
    }
    case Kind::tensor:
      if (expression.labels.empty()) {
        const KnownSpace* const space = binding.find_space(expression.name);
        return space && !space->broken ? Size(space->size) : std::nullopt;
      }
      break;
    default:
      break;
  }
  binding.diagnostics.error(expression.where, "expected a size", "use whole numbers and spaces with + - *");
  return std::nullopt;
}

}  // namespace ricci::notation
