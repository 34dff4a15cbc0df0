#pragma once
// Random programs as untidy text. Every `print` comes with the value that it must have, computed while it is written.
#include <map>
#include <string>
#include <vector>

#include "property/dice.hpp"

namespace ricci_test {

struct RandomProgram {
  std::string text;
  std::map<std::string, double> scalars;  // what the scalar inputs shall be
  std::vector<double> printed;            // the value of each `print`, in the order of the text
  std::vector<std::string> comments;      // sorted
};

RandomProgram random_program(std::uint64_t seed);

}  // namespace ricci_test
