#include "program/program_plan.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "program/disk_space.hpp"
#include "program/output_slabs.hpp"
#include "program/write_output.hpp"

namespace ricci::program {

using compile::Home;

const char* name_of(Home home) {
  switch (home) {
    case Home::memory:
      return "memory";
    case Home::disk:
      return "disk";
    case Home::file:
      return "file";
    case Home::loops:
      return "in the loops";
    default:
      return "made when it is read";
  }
}

namespace {

bool goes_by_blocks(const std::vector<PlannedOperation>& operations) {
  return std::any_of(operations.begin(), operations.end(), [](const PlannedOperation& planned) {
    return planned.blocks || planned.loops || goes_by_blocks(planned.body);
  });
}

/// Bytes of rank 0; of loops, as often as they are thought to run.
DiskBytes print(std::ostream& out, const ProgramPlan& plan, const std::vector<PlannedOperation>& operations) {
  DiskBytes total;
  for (const PlannedOperation& planned : operations) {
    if (planned.blocks) {
      if (planned.parallel_disk)
        out << *planned.parallel_disk;
      else
        compile::print(out, plan.formula, planned.blocks->operation);
      const DiskBytes bytes = plan.traffic(planned, 0);
      fmt::print(out, "    reads {} bytes and writes {}\n", bytes.read, bytes.written);
      total += bytes;
    }
    if (planned.loops) {
      std::istringstream lines(to_string(*planned.loops));
      for (std::string line; std::getline(lines, line);) fmt::print(out, "  {}\n", line);
      const DiskBytes bytes = plan.traffic(planned, 0);
      fmt::print(out, "    reads {} bytes and writes {}\n", bytes.read, bytes.written);
      total += bytes;
    }
    const DiskBytes body = print(out, plan, planned.body);
    const double passes = planned.body.empty() ? 0 : compile::guessed_passes(*planned.operation);
    total += {static_cast<std::int64_t>(passes * static_cast<double>(body.read)),
              static_cast<std::int64_t>(passes * static_cast<double>(body.written))};
  }
  return total;
}

}  // namespace

DiskBytes ProgramPlan::traffic(const PlannedOperation& planned, int rank) const {
  if (planned.loops) return predict_traffic(formula, *planned.loops, homes, planned.tilings, ranks, rank);
  if (!planned.blocks) return {};
  if (planned.parallel_disk) return predict_disk(formula, *planned.parallel_disk, homes, rank);
  return predict_traffic(formula, planned.blocks->operation, homes, planned.tilings, packed_files, ranks, rank);
}

DiskBytes ProgramPlan::output_bytes(int rank) const {
  DiskBytes bytes;
  for (const auto& [array, tiling] : final_tilings) {
    const int tensor = formula.arrays[array].tensor;
    if (tensor < 0 || program.tensors[tensor].role != notation::Role::output) continue;
    if (program.tensors[tensor].file.empty() || direct_outputs.count(array) > 0) continue;
    bytes += bytes_of_copy(formula.arrays[array], tiling, holds_packed(program.tensors[tensor]), options.memory_limit,
                           ranks, rank);
  }
  return bytes;
}

std::string text_of(const ProgramPlan& plan, const compile::Operation& operation) {
  compile::Operation alone = operation;
  alone.body.clear();
  std::ostringstream text;
  text << compile::Formula{plan.formula.labels, plan.formula.arrays, {alone}};
  std::string line = text.str();
  return line.substr(0, line.find('\n'));
}

std::ostream& operator<<(std::ostream& out, const ProgramPlan& plan) {
  const compile::Effort before = compile::effort(plan.written), after = compile::effort(plan.formula);
  fmt::print(out, "flops: {:.4g} as written, {:.4g} as planned\n", before.flops, after.flops);
  fmt::print(out, "arrays:\n");
  for (std::size_t a = 0; a < plan.formula.arrays.size(); ++a) {
    const compile::Array& array = plan.formula.arrays[a];
    fmt::print(out, "  {:<12} {} ({} stored), {}\n", array.name, fmt::streamed(*array.shape),
               array.shape->stored_size(),
               plan.direct_outputs.count(static_cast<int>(a)) > 0 ? "written to its file" : name_of(plan.homes[a]));
  }
  fmt::print(out, "operations:\n{}", fmt::streamed(plan.formula));
  if (goes_by_blocks(plan.operations)) {
    fmt::print(out, "block by block:\n");
    const DiskBytes bytes = print(out, plan, plan.operations);
    const DiskBytes outputs = plan.output_bytes(0);
    fmt::print(out, "disk: {} bytes read and {} written by rank 0; to write outputs to files {} read and {} written\n",
               bytes.read, bytes.written, outputs.read, outputs.written);
    fmt::print(out, "scratch files: {} bytes at most, of rank 0\n", scratch_bytes(plan, 0).most);
  }
  fmt::print(out, "peak: {} bytes a rank; about {:.3g} s\n", plan.peak_bytes, plan.seconds);
  return out;
}

}  // namespace ricci::program
