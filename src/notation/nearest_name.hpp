#pragma once
// "Did you mean": the known name that a mistyped one is most like.
#include <string>
#include <vector>

namespace ricci::notation {

/// Empty where none is near: at most a third of the characters (one at least) may be changed, left out, added or
/// swapped with their neighbours. A difference in case alone counts as none.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace ricci::notation
