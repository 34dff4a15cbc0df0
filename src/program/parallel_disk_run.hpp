#pragma once
// Runs a contraction on ranks with a disk each, as compile/parallel_disk_* has planned it.
#include <functional>
#include <memory>
#include <string>

#include "comm/communicator.hpp"
#include "compile/parallel_disk_program.hpp"
#include "storage/disk_array.hpp"
#include "util/buffer_pool.hpp"
#include "util/element_type.hpp"

namespace ricci::program {

/// C (=|+=) coefficient · A · B, with the loops of a program.
struct ParallelDiskProduct {
  compile::parallel_disk::ParallelDiskProgram program;
  ElementType type = ElementType::f64;
  double coefficient = 1;
  bool conjugate_a = false, conjugate_b = false;
};

/// The tiles of the three arrays on this rank's disk, as ParallelDiskProgram::grid() has them: of an operand that is
/// replicated, this rank's shares. C is null where nobody reads it first.
struct ParallelDiskFiles {
  std::unique_ptr<storage::DiskArray> a, b, c;
  std::unique_ptr<storage::DiskArray>& of(compile::parallel_disk::Array array) {
    return array == compile::parallel_disk::Array::a ? a : array == compile::parallel_disk::Array::b ? b : c;
  }
};

/// What a run is given besides: where files go, and who multiplies.
struct ParallelDiskPlace {
  comm::Communicator communicator;
  storage::BlockIo& io;
  std::function<std::string()> new_file;  // a path that nothing has had before
  int threads = 1;
  BufferPool* pool = nullptr;
  MemoryMeter* meter = nullptr;  // of the buffers
};

/// What has been counted on this rank, and where its time went.
struct ParallelDiskCounts {
  storage::DiskTraffic disk;
  std::int64_t sent_bytes = 0;
  double seconds = 0, disk_seconds = 0, network_seconds = 0, product_seconds = 0;
  double waiting_seconds = 0;  // for other ranks, before communicating
};

/// An empty file with room for the tiles of an array, or for this rank's shares of them.
std::unique_ptr<storage::DiskArray> make_tile_file(const ParallelDiskProduct& product,
                                                   compile::parallel_disk::Array array, const ParallelDiskPlace& place);

/// A and B are gone afterwards, C has its new value: by accumulation all of it on every rank. What a failing disk says
/// is said on all ranks. Collective.
ParallelDiskCounts run_parallel_disk(const ParallelDiskProduct& product, ParallelDiskFiles& files,
                                     const ParallelDiskPlace& place);

}  // namespace ricci::program
