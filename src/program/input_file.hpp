#pragma once
// Inputs in files: what they must hold.
#include <memory>

#include "notation/program.hpp"
#include "storage/array_file.hpp"

namespace ricci::program {

/// InputError where the file does not hold what the program declares.
void check_input(const notation::ProgramTensor& input, const storage::ArrayHeader& header);

/// Whether the file holds the tensor packed; if the file is not there, as if we had written it.
bool is_packed_in_file(const notation::ProgramTensor& input);

/// Open for reading, and checked.
std::unique_ptr<storage::ArrayReader> open_input(const notation::ProgramTensor& input);

}  // namespace ricci::program
