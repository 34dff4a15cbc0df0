#include <optional>
#include <utility>

#include <unistd.h>

#include "storage/file.hpp"
#include "storage/hdf5.hpp"
#include "storage/hdf5_attributes.hpp"
#include "storage/hdf5_handle.hpp"
#include "storage/hdf5_slab.hpp"
#include "storage/hdf5_stale.hpp"
#include "storage/hdf5_type.hpp"
#include "storage/process_name.hpp"

namespace ricci::storage {
namespace {

/// With its room in the file, so that writing elements changes nothing else, and without writing that room first.
Hdf5Handle creation_properties(std::string_view where) {
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, where, "create");
  H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  return properties;
}

void create_dataset(hid_t file, const std::string& name, const ArrayHeader& header, std::string_view where) {
  const auto extents = extents_in_file(header);
  const std::vector<hsize_t> dims(extents.begin(), extents.end());
  const Hdf5Handle space(
      dims.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
      H5Sclose, where, "create");
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, where, "create");
  H5Pset_create_intermediate_group(links, 1);
  const Hdf5Handle dataset(
      H5Dcreate2(file, name.c_str(), hdf5_type_of(header.type), space, links, creation_properties(where), H5P_DEFAULT),
      H5Dclose, where, "create");
  if (!header.shape.symmetry().empty()) {
    write_packed_attributes(dataset, {header.shape.extents(), header.shape.symmetry()}, where);
  }
}

/// Takes the dataset back where the file cannot have its room: a file that the library closes then would be damaged.
void create_with_room(hid_t file, const NewArrayPlace& place, const ArrayHeader& header, const std::string& where) {
  try {
    create_dataset(file, place.dataset, header, where);
    hsize_t bytes = 0;
    if (H5Fget_filesize(file, &bytes) < 0) throw_hdf5_error(where, "write");
    File::open_for_writing(place.file, where).reserve(static_cast<std::int64_t>(bytes));
  } catch (...) {
    H5Ldelete(file, place.dataset.c_str(), H5P_DEFAULT);
    throw;
  }
}

void close_file(Hdf5Handle& file, std::string_view where) {
  if (!file.close()) throw_hdf5_error(where, "write");
}

/// A file of its own, which appears under its name when it is complete.
class NewFile final : public NewArray {
 public:
  NewFile(const std::string& path, std::string dataset, const ArrayHeader& header)
      : where_(path + ":" + dataset), pending_(path), dataset_(std::move(dataset)) {
    Hdf5Handle file(H5Fcreate(pending_.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, path,
                    "create");
    create_with_room(file, place(), header, where_);
    close_file(file, where_);
  }

  NewArrayPlace place() const override { return {pending_.temporary(), dataset_}; }
  void commit() override { pending_.commit(); }

 private:
  std::string where_;
  PendingPath pending_;
  std::string dataset_;
};

/// A dataset of a file that is there, under a name of its own until it takes the place of what has the name.
class NewDataset final : public NewArray {
 public:
  NewDataset(std::string path, std::string dataset, const ArrayHeader& header)
      : where_(path + ":" + dataset),
        path_(std::move(path)),
        dataset_(std::move(dataset)),
        temporary_(temporary_prefix(dataset_) + process_name()) {
    try {
      auto file = open_hdf5_file(path_, H5F_ACC_RDWR);
      delete_stale_datasets(file, dataset_);
      create_with_room(file, place(), header, where_);
      close_file(file, where_);
    } catch (...) {
      remove();
      throw;
    }
  }
  ~NewDataset() override {
    if (!committed_) remove();
  }

  NewArrayPlace place() const override { return {path_, temporary_}; }
  void commit() override {
    const Hdf5Silence silence;
    auto file = open_hdf5_file(path_, H5F_ACC_RDWR);
    if (H5Lexists(file, dataset_.c_str(), H5P_DEFAULT) > 0) H5Ldelete(file, dataset_.c_str(), H5P_DEFAULT);
    if (H5Lmove(file, temporary_.c_str(), H5L_SAME_LOC, dataset_.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0) {
      throw_hdf5_error(where_, "write");
    }
    committed_ = true;
    close_file(file, where_);
    File::open_for_reading(path_).sync();
  }

 private:
  void remove() const {
    const Hdf5Silence silence;
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    if (file < 0) return;
    H5Ldelete(file, temporary_.c_str(), H5P_DEFAULT);
    H5Fclose(file);
  }

  std::string where_, path_, dataset_, temporary_;
  bool committed_ = false;
};

Hdf5Handle open_with(const FileDriver& driver, const std::string& path, std::string_view where) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, where, "open");
  if (driver) driver(access);
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, where, "open"};
}

class Hdf5Writer final : public ArrayWriter {
 public:
  Hdf5Writer(const NewArrayPlace& place, std::string name, const ArrayHeader& header, const FileDriver& driver)
      : ArrayWriter(header),
        path_(place.file),
        where_(std::move(name)),
        type_(hdf5_type_of(header.type)),
        file_(open_with(driver, place.file, where_)),
        dataset_(H5Dopen2(file_, place.dataset.c_str(), H5P_DEFAULT), H5Dclose, where_, "open") {}

  void write(const Slab& slab, const void* elements) override {
    if (try_to_write(slab, elements)) return;
    ask_the_system(slab.first, slab.count, elements);
    throw_hdf5_error(where_, "write");
  }
  void write_box(const Box& box, const void* elements) override {
    const Slab slab = slab_of(box, extents());
    if (slab.count == 0 || try_to_write(slab, elements)) return;
    for_each_run(box, extents(), [&](std::int64_t first, std::int64_t count, std::int64_t at) {
      ask_the_system(first, count, static_cast<const char*>(elements) + static_cast<std::size_t>(at) * element_bytes());
    });
    throw_hdf5_error(where_, "write");
  }
  /// Straight to their places: the dataset lies in one piece, and to the library each run would be a selection.
  void write_runs(std::span<const FileRun> runs, const void* elements) override {
    const haddr_t begin = H5Dget_offset(dataset_);
    if (begin == HADDR_UNDEF) throw_hdf5_error(where_, "write");
    if (!file_of_runs_) file_of_runs_.emplace(File::open_for_writing(path_, where_));
    storage::write_runs({*file_of_runs_, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(element_bytes())},
                        runs, elements);
  }
  void finish() override {
    const bool dataset_closed = dataset_.close();  // whatever comes of it, the other ranks wait in the next line
    close_file(file_, where_);
    if (!dataset_closed) throw_hdf5_error(where_, "write");
    File::open_for_writing(path_, where_).sync();
  }

 private:
  bool try_to_write(const Slab& slab, const void* elements) const {
    const auto in_memory = space_in_memory(slab, where_);
    const auto in_file = select_in_file(dataset_, slab, where_);
    return H5Dwrite(dataset_, type_, in_memory, in_file, H5P_DEFAULT, elements) >= 0;
  }

  /// Drivers for several processes do not say why they failed; writing the same bytes to the same place does.
  void ask_the_system(std::int64_t first, std::int64_t count, const void* elements) const {
    const haddr_t begin = H5Dget_offset(dataset_);
    if (begin == HADDR_UNDEF) return;
    const auto size = static_cast<std::int64_t>(element_bytes());
    const File file = File::open_for_writing(path_, where_);
    file.write_at(static_cast<std::int64_t>(begin) + first * size, elements, static_cast<std::size_t>(count * size));
    file.sync();
  }

  const Hdf5Silence silence_;  // first, so that closing is silent, too
  std::string path_, where_;
  Hdf5Handle type_, file_, dataset_;
  std::optional<File> file_of_runs_;
};

}  // namespace

std::unique_ptr<NewArray> create_hdf5(const std::string& path, const std::string& dataset, const ArrayHeader& header) {
  const Hdf5Silence silence;
  if (access(path.c_str(), F_OK) == 0) return std::make_unique<NewDataset>(path, dataset, header);
  return std::make_unique<NewFile>(path, dataset, header);
}

std::unique_ptr<ArrayWriter> write_hdf5(const NewArrayPlace& place, const std::string& name, const ArrayHeader& header,
                                        const FileDriver& driver) {
  return std::make_unique<Hdf5Writer>(place, name, header, driver);
}

}  // namespace ricci::storage
