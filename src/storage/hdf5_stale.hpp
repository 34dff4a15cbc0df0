#pragma once
// Datasets that processes which were killed have left in a file.
#include <string>

#include "storage/hdf5_handle.hpp"

namespace ricci::storage {

/// Deletes what has the temporary name of `dataset` (PendingPath has the like for files) and is of a process of this
/// host that has ended.
void delete_stale_datasets(hid_t file, const std::string& dataset);

}  // namespace ricci::storage
