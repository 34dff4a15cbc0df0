#include "storage/hdf5_handle.hpp"

#include <cerrno>
#include <string>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "storage/file.hpp"

namespace ricci::storage {
namespace {

herr_t keep_description(unsigned /*depth*/, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr && *error->desc != '\0') *static_cast<std::string*>(text) = error->desc;
  return 0;
}

/// The innermost description: that is where the system's own words are.
std::string last_reason() {
  std::string reason = "the HDF5 library gives no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_description, &reason);
  return reason;
}

/// The system's words where the library quotes them: `…, errno = 2, error message = 'No such file or directory', …`.
std::string system_words(const std::string& reason) {
  constexpr std::string_view key = "error message = '";
  const auto start = reason.find(key);
  if (start == std::string::npos) return reason;
  const auto end = reason.find('\'', start + key.size());
  return reason.substr(start + key.size(), end - start - key.size());
}

}  // namespace

void throw_hdf5_error(std::string_view where, std::string_view doing) {
  const std::string reason = last_reason();
  const auto message = fmt::format("{}: cannot {} it: {}", where, doing, system_words(reason));
  for (const int full : {ENOSPC, EDQUOT, EFBIG}) {
    if (reason.find(fmt::format("errno = {},", full)) != std::string::npos) throw ResourceError(message);
  }
  throw InputError(message);
}

Hdf5Handle open_hdf5_file(const std::string& path, unsigned access) {
  File::open_for_reading(path);  // for the system's own words where that fails
  if (H5Fis_hdf5(path.c_str()) <= 0) throw InputError(path + ": is no HDF5 file, or a damaged one");
  return {H5Fopen(path.c_str(), access, H5P_DEFAULT), H5Fclose, path, "open"};
}

Hdf5Silence::Hdf5Silence() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Silence::~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

}  // namespace ricci::storage
