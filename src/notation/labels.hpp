#pragma once
// Labels as text: "abij" (one character a mode) or "i1,i2,a" (names separated by commas).
#include <string>
#include <string_view>
#include <vector>

namespace ricci::notation {

/// The names in order. `order`: how many there must be. InputError for a form that is neither, or a wrong number.
std::vector<std::string> parse_labels(std::string_view text, int order);

}  // namespace ricci::notation
