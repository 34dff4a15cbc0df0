#pragma once
// An output that goes to its file block by block, when its blocks are made: nothing of it is written to scratch files
// and copied in the end.
#include <ricci/world.hpp>

#include "exec/shared_file.hpp"
#include "layout/box.hpp"
#include "notation/program.hpp"
#include "storage/disk_array.hpp"

namespace ricci::program {

/// Whether blocks of an output are what its file wants, as they are: nothing has to be unpacked, or brought from other
/// ranks, for which there would have to be memory.
bool may_go_to_file(const notation::ProgramTensor& output, int ranks);

class DirectOutput {
 public:
  /// The file gets its name when all is there. Collective, as are all calls.
  DirectOutput(const notation::ProgramTensor& output, const World& world);
  /// InputError after it is finished.
  void write(const layout::Box& box, const std::byte* elements);
  void finish();
  const storage::DiskTraffic& traffic() const { return traffic_; }

 private:
  World world_;
  exec::SharedWriter writer_;
  std::string file_;
  std::int64_t element_bytes_;
  bool finished_ = false;
  storage::DiskTraffic traffic_;
};

}  // namespace ricci::program
