#include "program/find_direct_outputs.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "compile/uses.hpp"
#include "program/direct_output.hpp"
#include "storage/location.hpp"

namespace ricci::program {

using compile::Operation;

namespace {

/// Partial sums are read back.
bool reads_back(const std::vector<fusion::Statement>& body) {
  return std::any_of(body.begin(), body.end(), [](const fusion::Statement& statement) {
    if (const auto* loop = std::get_if<fusion::Loop>(&statement.what)) return reads_back(loop->body);
    const auto* read = std::get_if<fusion::Read>(&statement.what);
    return read != nullptr && !read->unless_first.empty();
  });
}

/// Each block once, when it is complete.
bool writes_once(const PlannedOperation& planned) {
  if (planned.operation->kind != Operation::Kind::assign || planned.parallel_disk) return false;
  if (planned.loops) return !planned.loops->tree.adds && !reads_back(planned.loops->plan.program.body);
  return planned.blocks.has_value();
}

std::filesystem::path file_of(const notation::ProgramTensor& tensor) {
  const std::filesystem::path path = storage::parse_location(tensor.file).path;
  std::error_code error;  // where nobody may look: whoever opens the file says so
  const std::filesystem::path known = std::filesystem::weakly_canonical(path, error);
  return error ? path.lexically_normal() : known;
}

/// The output's file stays open while others are read and written: nobody else may want it, as HDF5 opens a file in one
/// way at a time.
bool has_a_file_of_its_own(const notation::Program& program, int output) {
  const auto path = file_of(program.tensors[output]);
  for (int t = 0; t < static_cast<int>(program.tensors.size()); ++t) {
    const notation::ProgramTensor& other = program.tensors[t];
    if (t != output && !other.file.empty() && file_of(other) == path) return false;
  }
  return true;
}

}  // namespace

std::set<int> direct_outputs(const ProgramPlan& plan) {
  std::set<int> result;
  for (const PlannedOperation& planned : plan.operations) {
    if (!planned.operation->writes() || !writes_once(planned)) continue;
    const int array = planned.operation->out.array, tensor = plan.formula.arrays[array].tensor;
    if (tensor < 0 || plan.homes[array] != compile::Home::disk) continue;
    if (!may_go_to_file(plan.program.tensors[tensor], plan.ranks) || !has_a_file_of_its_own(plan.program, tensor))
      continue;
    const compile::Uses uses = compile::uses_of(plan.formula.operations, array);
    if (uses.writes == 1 && uses.reads == 0) result.insert(array);  // norms are known without reading
  }
  return result;
}

}  // namespace ricci::program
