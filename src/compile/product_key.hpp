#pragma once
// When two products are the same, whatever their labels are called and in whatever order symmetric ones stand.
#include <string>
#include <vector>

#include "compile/formula.hpp"

namespace ricci::compile {

struct ProductKey {
  std::string text;         // the same for products of the same value, up to sign
  std::vector<int> labels;  // those that are kept, in the order in which they stand in `text`
  int sign = 1;             // of this product relative to the one that `text` means
};

/// `values`: for each factor, which value of its array it has. `kept`: labels that are not summed over.
ProductKey product_key(const Formula& formula, const std::vector<Operand>& factors,
                       const std::vector<std::int64_t>& values, const std::vector<int>& kept);

}  // namespace ricci::compile
