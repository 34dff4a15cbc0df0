#include "program/disk_space.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "api/world_state.hpp"
#include "comm/communicator.hpp"
#include "program/write_output.hpp"
#include "storage/disk_array.hpp"
#include "storage/file_system.hpp"
#include "storage/location.hpp"

namespace ricci::program {

using compile::Home;
using compile::Operand;
using compile::Operation;

namespace {

class ScratchFiles {
 public:
  /// Inputs of the host's that are on disk are there already.
  ScratchFiles(const ProgramPlan& plan, int rank) : plan_(plan), rank_(rank) {
    for (std::size_t a = 0; a < plan.formula.arrays.size(); ++a) {
      const int number = plan.formula.arrays[a].tensor;
      if (number < 0 || plan.program.tensors[number].role != notation::Role::input) continue;
      if (plan.given_on_disk.count(plan.program.tensors[number].name) > 0) there_[static_cast<int>(a)] = 0;
    }
  }

  ScratchBytes run() {
    walk(plan_.operations);
    return {most_, live()};
  }

 private:
  void walk(const std::vector<PlannedOperation>& operations) {
    for (const PlannedOperation& planned : operations) {
      const Operation& operation = *planned.operation;
      if (operation.kind == Operation::Kind::release) there_.erase(operation.out.array);
      // The second pass of a loop finds what the first has left; those after it are like the second.
      for (std::int64_t pass = 0; pass < std::min<std::int64_t>(2, operation.times); ++pass) walk(planned.body);
      if (planned.blocks) run(planned.blocks->operation);
      if (planned.loops) run(*planned.loops);
    }
  }

  void run(const compile::BlockedOperation& operation) {
    for (const compile::BlockedTerm& term : operation.terms) {
      for (const Operand& factor : term.product.factors) read(operation, factor);
    }
    if (!operation.overwrite) read(operation, operation.out);
    if (plan_.homes[operation.out.array] != Home::disk || goes_to_file(operation.out.array)) return;
    const std::int64_t bytes = file_bytes(operation, operation.out);
    most_ = std::max(most_, live() + bytes);
    there_[operation.out.array] = bytes;
  }

  /// All that loops write has its files from their beginning, beside what was there before.
  void run(const FusedNest& nest) {
    std::map<int, std::int64_t> made;
    std::int64_t all = live();
    for (const auto& [array, cuts] : nest.cuts) {
      if (!goes_to_file(array)) all += made[array] = file_bytes(array, cuts);
    }
    most_ = std::max(most_, all);
    for (const auto& [array, bytes] : made) there_[array] = bytes;
  }

  bool goes_to_file(int array) const { return plan_.direct_outputs.count(array) > 0; }

  /// What was never written is a file of zeros.
  void read(const compile::BlockedOperation& operation, const Operand& operand) {
    if (plan_.homes[operand.array] != Home::disk || there_.count(operand.array) > 0) return;
    there_[operand.array] = file_bytes(operation, operand);
    most_ = std::max(most_, live());
  }

  std::int64_t file_bytes(const compile::BlockedOperation& operation, const Operand& operand) {
    std::vector<std::int64_t> tile;
    for (int label : operand.labels) tile.push_back(operation.tile[label]);
    return file_bytes(operand.array, compile::cuts_of(plan_.formula.arrays[operand.array].shape->extents(), tile));
  }

  std::int64_t file_bytes(int number, const compile::Cuts& cuts) {
    const compile::Array& array = plan_.formula.arrays[number];
    const auto [known, fresh] = sizes_.try_emplace({number, cuts}, 0);
    if (!fresh) return known->second;
    std::vector<std::int64_t> blocks = compile::share_of_blocks({*array.shape, cuts}, plan_.ranks, rank_);
    for (std::int64_t& block : blocks) block *= static_cast<std::int64_t>(element_size(array.type));
    return known->second = storage::DiskArray::file_bytes(blocks);
  }

  std::int64_t live() const {
    std::int64_t bytes = 0;
    for (const auto& [array, size] : there_) bytes += size;
    return bytes;
  }

  const ProgramPlan& plan_;
  int rank_;
  std::map<int, std::int64_t> there_;  // by array
  std::map<std::pair<int, compile::Cuts>, std::int64_t> sizes_;
  std::int64_t most_ = 0;
};

/// What is needed of a file system, and where.
struct Need {
  std::string directory;
  std::int64_t free = 0;
  ScratchBytes scratch = {};
  OutputBytes outputs = {};
};

/// The texts of all ranks, in their order.
std::string gather(const comm::Communicator& communicator, const std::string& mine) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(communicator.size()), 0);
  lengths[static_cast<std::size_t>(communicator.rank())] = std::ssize(mine);
  communicator.all_reduce(std::span(lengths), comm::Operation::max);
  std::int64_t total = 0;
  for (const std::int64_t length : lengths) total += length;
  std::string all(static_cast<std::size_t>(total), ' ');
  communicator.all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)), lengths);
  return all;
}

/// A line for each directory of this rank: its file system, free bytes, scratch at most and in the end, outputs and the
/// early ones of them, name.
std::string needs_of_rank(const ProgramPlan& plan, int rank, const std::string& scratch) {
  std::string lines;
  const auto add = [&](const std::string& directory, const ScratchBytes& bytes, const OutputBytes& outputs) {
    const storage::FileSystem system = storage::file_system_of(directory);
    lines += fmt::format("{} {} {} {} {} {} {}\n", system.name, system.free_bytes, bytes.most, bytes.last, outputs.all,
                         outputs.early, directory);
  };
  if (const ScratchBytes bytes = scratch_bytes(plan, rank); bytes.most > 0) add(scratch, bytes, {});
  if (rank != 0) return lines;
  for (const auto& [directory, bytes] : output_file_bytes(plan)) add(directory, {}, bytes);
  return lines;
}

}  // namespace

ScratchBytes scratch_bytes(const ProgramPlan& plan, int rank) { return ScratchFiles(plan, rank).run(); }

std::map<std::string, OutputBytes> output_file_bytes(const ProgramPlan& plan) {
  std::map<std::string, OutputBytes> bytes;
  for (std::size_t t = 0; t < plan.program.tensors.size(); ++t) {
    const notation::ProgramTensor& tensor = plan.program.tensors[t];
    if (tensor.role != notation::Role::output || tensor.file.empty()) continue;
    const std::string parent = std::filesystem::path(storage::parse_location(tensor.file).path).parent_path();
    const std::int64_t elements = holds_packed(tensor) ? tensor.shape.stored_size() : tensor.shape.full_size();
    OutputBytes& there = bytes[parent.empty() ? "." : parent];
    const std::int64_t size = elements * static_cast<std::int64_t>(element_size(tensor.type));
    there.all += size;
    const bool is_early = std::any_of(plan.direct_outputs.begin(), plan.direct_outputs.end(), [&](int array) {
      return plan.formula.arrays[array].tensor == static_cast<int>(t);
    });
    if (is_early) there.early += size;
  }
  return bytes;
}

void require_disk_space(const ProgramPlan& plan, const World& world, const std::string& scratch) {
  const comm::Communicator& communicator = world.state().communicator;
  std::string mine;
  comm::together(communicator, [&] { mine = needs_of_rank(plan, world.rank(), scratch); });
  std::map<std::string, Need> needs;  // by file system
  std::istringstream lines(gather(communicator, mine));
  std::string system, directory;
  std::int64_t free = 0;
  OutputBytes outputs;
  for (ScratchBytes bytes; lines >> system >> free >> bytes.most >> bytes.last >> outputs.all >> outputs.early &&
                           lines.get() == ' ' && std::getline(lines, directory);) {
    const auto [found, fresh] = needs.try_emplace(system, Need{directory, free});
    Need& need = found->second;
    need.free = std::min(need.free, free);
    need.scratch.most += bytes.most;
    need.scratch.last += bytes.last;
    need.outputs.all += outputs.all;
    need.outputs.early += outputs.early;
  }
  for (const auto& [name, need] : needs) {
    const std::int64_t bytes = std::max(need.scratch.most + need.outputs.early, need.scratch.last + need.outputs.all);
    if (bytes <= need.free) continue;
    throw ResourceError(fmt::format(
        "{}: {} bytes ({:.4g} GB) are needed there, for scratch files ({} at most) and outputs ({}), and {} ({:.4g} "
        "GB) are free; make room, choose another directory, or allow more memory, so that less goes to disk",
        need.directory, bytes, static_cast<double>(bytes) * 1e-9, need.scratch.most, need.outputs.all, need.free,
        static_cast<double>(need.free) * 1e-9));
  }
}

}  // namespace ricci::program
