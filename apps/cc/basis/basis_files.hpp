#pragma once
// Where the basis sets are that come with the program.
#include <string>

namespace cc {

/// The file of a basis set, by the name that people write. InputError, with the names that there are, where there is
/// none. Looked for in the folder `basis` of the first of these that has one: $RICCI_SHARE (and then nowhere else);
/// what is installed with the program that runs; the source tree.
std::string basis_file(const std::string& name);

}  // namespace cc
