#pragma once
// Arrays in files that all ranks of a communicator read and write at once, each its own part: a run of consecutive
// slabs (storage/slabs.hpp), one after the other, so that no rank holds more than one slab. This joins comm and
// storage, which do not know of each other.
//
// All calls are collective, and fail on all ranks or none, with the same words. One rank alone needs no MPI.
#include <memory>

#include "comm/communicator.hpp"
#include "storage/location.hpp"

namespace ricci::exec {

/// The most elements that a Consumer or Producer gets at once, on any rank, where a slab may have so many bytes.
std::int64_t largest_slab(const storage::ArrayHeader& header, int ranks, std::int64_t slab_bytes);

/// An array that all ranks write. It appears under its name only when it is complete; until then, and after an error,
/// what had the name before is still there, and nothing else.
class SharedWriter {
 public:
  /// InputError where it cannot be written, ResourceError where the disk is full.
  SharedWriter(const comm::Communicator& communicator, const storage::Location& location,
               const storage::ArrayHeader& header);
  SharedWriter(const SharedWriter&) = delete;
  SharedWriter& operator=(const SharedWriter&) = delete;
  ~SharedWriter();

  /// Its calls are not collective: that they fail on all ranks or none is the caller's to see to.
  storage::ArrayWriter* operator->() const { return writer_.get(); }
  /// Waits until all elements are on the disk, and gives the array its name.
  void finish();

 private:
  void give_up();

  comm::Communicator communicator_;
  std::unique_ptr<storage::NewArray> array_;  // of rank 0, which makes it and gives it its name
  std::unique_ptr<storage::ArrayWriter> writer_;
  bool finished_ = false;
};

/// Writes an array. Every rank calls the producer for the elements that it writes, all of them equally often: it is
/// collective, and is asked for 0 elements where this rank has nothing left.
void write_together(const comm::Communicator& communicator, const storage::Location& location,
                    const storage::ArrayHeader& header, std::int64_t slab_bytes, const storage::Producer& producer);

class SharedReader {
 public:
  /// Opens the file on every rank. InputError where a rank cannot read it, or where ranks find different arrays.
  SharedReader(const comm::Communicator& communicator, const storage::Location& location, std::int64_t slab_bytes);
  SharedReader(const SharedReader&) = delete;
  SharedReader& operator=(const SharedReader&) = delete;
  /// Closes the file and waits until all ranks have: HDF5 locks what is open, and the next call may write it.
  ~SharedReader() { close(); }

  const storage::ArrayHeader& header() const { return reader_->header(); }
  /// InputError unless all elements can be read. Reads them only where opening the file has not shown it.
  void prove() const;
  /// Calls the consumer for the elements that this rank reads; on all ranks equally often, as with write_together().
  void read(const storage::Consumer& consumer) const;

 private:
  void close();

  comm::Communicator communicator_;
  std::int64_t slab_bytes_;
  std::unique_ptr<storage::ArrayReader> reader_;
};

}  // namespace ricci::exec
