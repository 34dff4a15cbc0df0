#pragma once
// What the file formats share: what an array on disk is, and how one or several processes read and write it, slab by
// slab. Nothing here knows of the others: who reads or writes what is the caller's to arrange (exec/shared_file).
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "storage/box.hpp"
#include "storage/run_reader.hpp"
#include "storage/slabs.hpp"
#include "symmetry/shape.hpp"
#include "util/element_type.hpp"

namespace ricci::storage {

/// An array in a file. With symmetry only the unique elements are there, in the storage order of the packed tensor;
/// without it all of them, row-major.
struct ArrayHeader {
  ElementType type = ElementType::f64;
  symmetry::Shape shape;

  std::int64_t elements() const { return shape.stored_size(); }
  std::int64_t bytes() const { return elements() * static_cast<std::int64_t>(element_size(type)); }
  bool operator==(const ArrayHeader&) const = default;
};

/// InputError, naming `where`, for an impossible shape or one that 64 bits cannot address.
ArrayHeader make_header(ElementType type, Extents extents, Symmetry symmetry, std::string_view where);

/// An array that is open for reading. Any number of processes may have it open.
class ArrayReader {
 public:
  ArrayReader(const ArrayReader&) = delete;
  ArrayReader& operator=(const ArrayReader&) = delete;
  virtual ~ArrayReader() = default;

  const ArrayHeader& header() const { return header_; }
  /// What slabs are cut from: the array as it lies in the file, one-dimensional where it is packed.
  const Extents& extents() const { return extents_; }
  /// Whether opening has shown that all elements are there. If not, as for a chunked dataset, only reading does.
  bool complete() const { return complete_; }
  /// Whether other threads may read, from this or from any other file, at the same time. The HDF5 library does not let
  /// them; what lies in one piece in its files is read without it.
  virtual bool is_concurrent() const { return true; }
  /// InputError where the file cannot be read.
  virtual void read(const Slab& slab, void* elements) const = 0;
  /// Elements by their positions in the array, which is one-dimensional or row-major; runs ascend.
  virtual void read_runs(std::span<const FileRun> runs, void* elements) const;
  /// A box of extents(), row-major. InternalError where it is none of them.
  virtual void read_box(const Box& box, void* elements) const;
  /// Only these elements of the box.
  void read_part(const Box& box, const Part& part, void* elements) const;

 protected:
  ArrayReader(ArrayHeader header, Extents extents, bool complete)
      : header_(std::move(header)), extents_(std::move(extents)), complete_(complete) {}

 private:
  ArrayHeader header_;
  Extents extents_;
  bool complete_;
};

/// Where a new array is until it has its name.
struct NewArrayPlace {
  std::string file;     // perhaps an old one that gets another dataset
  std::string dataset;  // of an HDF5 file
};

/// A new array that has everything but its elements, under a temporary name, which it loses when it is destroyed
/// before commit(). One process creates it, any number open it and write.
class NewArray {
 public:
  NewArray() = default;
  NewArray(const NewArray&) = delete;
  NewArray& operator=(const NewArray&) = delete;
  virtual ~NewArray() = default;

  /// What writers open.
  virtual NewArrayPlace place() const = 0;
  /// Takes the place of what had the name. Every writer has finished before.
  virtual void commit() = 0;
};

class ArrayWriter {
 public:
  ArrayWriter(const ArrayWriter&) = delete;
  ArrayWriter& operator=(const ArrayWriter&) = delete;
  virtual ~ArrayWriter() = default;

  /// InputError where it cannot be written, ResourceError where the disk is full.
  virtual void write(const Slab& slab, const void* elements) = 0;
  /// Elements by their positions in extents_in_file(); runs ascend.
  virtual void write_runs(std::span<const FileRun> runs, const void* elements) = 0;
  /// A box of extents_in_file(), row-major. InternalError where it is none of them.
  virtual void write_box(const Box& box, const void* elements);
  /// Only these elements of the box.
  void write_part(const Box& box, const Part& part, const void* elements);
  /// Waits until the elements are on the disk, and closes. Destroying without it closes, too.
  virtual void finish() = 0;

 protected:
  explicit ArrayWriter(const ArrayHeader& header);
  const Extents& extents() const { return extents_; }
  std::size_t element_bytes() const { return element_bytes_; }

 private:
  Extents extents_;
  std::size_t element_bytes_;
};

/// Sets how HDF5 opens a file that several processes write: is given the file-access property list (a hid_t) and
/// chooses a driver. Empty for one process. comm::use_mpi_io is the one that we have: it lives there because only that
/// room knows MPI, and this type is how it gets here without a header of MPI's. With such a driver opening and closing
/// an ArrayWriter are collective.
using FileDriver = std::function<void(std::int64_t property_list)>;

/// Takes (or gives) the elements first, first + 1, …, first + count - 1 of the file, of the header's type.
using Consumer = std::function<void(std::int64_t first, std::int64_t count, const void* elements)>;
using Producer = std::function<void(std::int64_t first, std::int64_t count, void* elements)>;

/// The most elements of a slab: 4 MiB of them.
constexpr std::int64_t chunk_elements(ElementType type) {
  return (std::int64_t{4} << 20) / static_cast<std::int64_t>(element_size(type));
}

/// How the elements lie in a file that is written: as the tensor does, or in one dimension where they are packed.
Extents extents_in_file(const ArrayHeader& header);

/// `double 3,4`, `double scalar`: an array in a message.
std::string describe(const ArrayHeader& header);

/// The element types that files may hold, for messages.
inline constexpr std::string_view accepted_types =
    "accepted are float (f4), double (f8) and their complex types (c8, c16)";

}  // namespace ricci::storage
