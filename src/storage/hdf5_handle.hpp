#pragma once
// Handles of the HDF5 C library that close themselves, and its errors as ours.
#include <string>
#include <string_view>
#include <utility>

#include <hdf5.h>

namespace ricci::storage {

/// What the library says of its last failure, and whether the disk was full; throws ResourceError then, else
/// InputError: `WHERE: cannot DO it: reason`.
[[noreturn]] void throw_hdf5_error(std::string_view where, std::string_view doing);

/// An identifier with the call that closes it. Throws where the identifier is negative: the call that gave it failed.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle(hid_t id, Close close, std::string_view where, std::string_view doing) : id_(id), close_(close) {
    if (id < 0) throw_hdf5_error(where, doing);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }

  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): stands where the library wants one
  /// Closes it now, so that a failure is seen.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  Close close_;
};

/// Opens a file that is there, with H5F_ACC_RDONLY or H5F_ACC_RDWR. InputError in the system's words where it cannot.
Hdf5Handle open_hdf5_file(const std::string& path, unsigned access);

/// Keeps the library from printing its errors while it lives; the caller gets them as exceptions.
class Hdf5Silence {
 public:
  Hdf5Silence();
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;
  ~Hdf5Silence();

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace ricci::storage
