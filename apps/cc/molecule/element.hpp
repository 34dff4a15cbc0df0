#pragma once
// The elements from H to Kr, as far as input needs them.
#include <string>
#include <string_view>

namespace cc {

/// The number of a symbol in any case: 8 for "O". 0 where there is none.
int atomic_number(std::string_view symbol);
/// As it is written: "O" for 8.
std::string_view element_symbol(int number);
/// Doubly occupied orbitals that are usually left uncorrelated: the next smaller noble gas.
int core_orbitals(int number);

inline constexpr int last_element = 36;

}  // namespace cc
