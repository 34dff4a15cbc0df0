#include "program/direct_output.hpp"

#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "api/world_state.hpp"
#include "comm/communicator.hpp"
#include "program/output_slabs.hpp"
#include "storage/location.hpp"

namespace ricci::program {

bool may_go_to_file(const notation::ProgramTensor& output, int ranks) {
  return output.role == notation::Role::output && !output.file.empty() && is_in_file_order(output.shape, ranks);
}

DirectOutput::DirectOutput(const notation::ProgramTensor& output, const World& world)
    : world_(world),
      writer_(world.state().communicator, storage::parse_location(output.file),
              storage::make_header(output.type, output.shape.extents(), Symmetry{}, output.file)),
      file_(output.file),
      element_bytes_(static_cast<std::int64_t>(element_size(output.type))) {}

void DirectOutput::write(const layout::Box& box, const std::byte* elements) {
  if (finished_) throw InputError(fmt::format("{} is complete, and a block of it is written once more", file_));
  comm::together(world_.state().communicator, [&] { writer_->write_box(box, elements); });
  ++traffic_.writes;
  traffic_.written_bytes += storage::elements(box) * element_bytes_;
}

void DirectOutput::finish() {
  if (std::exchange(finished_, true)) return;
  writer_.finish();
}

}  // namespace ricci::program
