#pragma once
// An output that lives on disk, written to a file of the user's.
#include "notation/program.hpp"
#include "program/disk_tensor.hpp"

namespace ricci::program {

/// Block by block, unpacked; one rank. The file appears only when it is complete. What is read and written is counted
/// in `traffic`, where that is not the tensor's own.
void write_output(const notation::ProgramTensor& output, DiskTensor& tensor, const World& world,
                  storage::DiskTraffic& traffic);

}  // namespace ricci::program
