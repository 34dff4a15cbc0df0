#pragma once
// Basis sets as text, in the format of Gaussian94.
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "basis/basis_set.hpp"

namespace cc {

/// The shells of each element, by its number; their atom is not set. Shells of type SP become one S and one P.
using ElementShells = std::map<int, std::vector<Shell>>;

/// An element is a line `symbol 0`, its shells and `****`; a shell is a line `type primitives scale` and a line
/// `exponent coefficient` for each primitive (two coefficients for SP), numbers with an exponent E or D. What follows a
/// `!` is a comment. Elements beyond Kr are passed over. `name` stands for the file in messages, all of which are
/// InputErrors that name the line.
ElementShells read_gaussian94(std::istream& in, const std::string& name);

}  // namespace cc
