#pragma once
// What a Program holds.
#include <string>
#include <vector>

#include "notation/program.hpp"

namespace ricci::detail {

struct ProgramState {
  notation::Program program;
  std::vector<std::string> notes;
};

}  // namespace ricci::detail
