#pragma once
// Terms over blocks as the tree of a right-hand side.
#include <vector>

#include "notation/syntax.hpp"
#include "spin/spin_names.hpp"

namespace ricci::spin {

/// `1/4`, `0.02`, as factors of a product; not negative.
std::vector<notation::syntax::Expression> number_factors(double value);
notation::syntax::Expression tensor_expression(const std::string& name, std::vector<notation::syntax::Name> labels);
/// Of factors with their joins.
notation::syntax::Expression product_expression(std::vector<notation::syntax::Expression> factors);
/// Terms, each with whether it is subtracted; 0 where there is none.
struct SignedExpression {
  notation::syntax::Expression term;
  bool minus = false;
};
notation::syntax::Expression sum_expression(std::vector<SignedExpression> terms);

/// `instead`: names of blocks that are to be read elsewhere.
notation::syntax::Expression write_terms(const SpinTensors& spins, SpinNames& names, const std::vector<Term>& terms,
                                         const std::map<std::string, std::string>& instead = {});

}  // namespace ricci::spin
