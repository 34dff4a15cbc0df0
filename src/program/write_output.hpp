#pragma once
// An output that lives on disk, written to a file of the user's.
#include "notation/program.hpp"
#include "program/disk_tensor.hpp"

namespace ricci::program {

/// Whether the file of a tensor holds it packed when we write it: HDF5 files do.
bool holds_packed(const notation::ProgramTensor& tensor);

/// Block by block, each rank its part of a block (layout::part_of). The file appears only when it is complete. What is
/// written is counted in `traffic`; what is read is the tensor's own. Collective.
void write_output(const notation::ProgramTensor& output, DiskTensor& tensor, const World& world,
                  storage::DiskTraffic& traffic);

}  // namespace ricci::program
