#include "compile/uses.hpp"

namespace ricci::compile {

Uses uses_of(const std::vector<Operation>& operations, int array) {
  Uses uses;
  for (const Operation& operation : operations) {
    int& reads = operation.kind == Operation::Kind::norm ? uses.norms : uses.reads;
    for (const Product& term : operation.terms) {
      for (const Operand& factor : term.factors) reads += factor.array == array ? 1 : 0;
    }
    if (operation.writes() && operation.out.array == array) ++uses.writes;
    const Uses inside = uses_of(operation.body, array);
    uses.reads += inside.reads;
    uses.norms += inside.norms;
    uses.writes += inside.writes;
  }
  return uses;
}

}  // namespace ricci::compile
