#pragma once
// Assignments, `print` and `repeat`.
#include <vector>

#include "notation/binding.hpp"

namespace ricci::notation {

ProgramStatement bind_assignment(Binding& binding, const syntax::Assignment& assignment);
ProgramStatement bind_print(Binding& binding, const syntax::Print& print);
/// Everything but the body, which must have been bound before: the condition sees what it sets.
void bind_repeat(Binding& binding, const syntax::Repeat& repeat, ProgramStatement& statement);

}  // namespace ricci::notation
