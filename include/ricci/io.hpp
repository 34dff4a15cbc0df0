#pragma once
// What a file holds, before a tensor is made for it.
#include <iosfwd>
#include <string>

#include <ricci/symmetry.hpp>
#include <ricci/tensor.hpp>

namespace ricci {

struct FileInfo {
  std::string element_type;  ///< "float", "double", "complex<float>" or "complex<double>"
  Extents extents;
  Symmetry symmetry;  ///< none in an .npy file
};

/// "file.npy" or "file.h5:/name", as for Tensor::load. Not collective: every rank that asks reads the file's header.
/// InputError where the file is missing, unreadable, truncated, or holds what ricci does not read.
FileInfo inspect(const std::string& where);

/// `double 40,40,10,10 [0 1]- [2 3]-`
std::ostream& operator<<(std::ostream&, const FileInfo&);

}  // namespace ricci
