#pragma once
// A planned program as C++ text.
#include <string>
#include <vector>

#include <ricci/program.hpp>

namespace ricci {

struct EmittedFile {
  std::string name;  ///< within the folder of the program: "main.cpp"
  std::string text;
};

/// A program (main.cpp, CMakeLists.txt and README.md) that does what the plan does, with its loops, reads and writes as
/// C++: the same results and the same bytes to and from disk. It is built against the installed ricci, and runs on as
/// many ranks as were planned for. InputError for a program with tensors that are `given`.
std::vector<EmittedFile> emit_cpp(const PlannedProgram& plan);

}  // namespace ricci
