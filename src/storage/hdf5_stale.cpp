#include "storage/hdf5_stale.hpp"

#include <vector>

#include "storage/file.hpp"
#include "storage/process_name.hpp"

namespace ricci::storage {
namespace {

std::string link_name(hid_t group, hsize_t number) {
  const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, number, nullptr, 0, H5P_DEFAULT);
  if (length <= 0) return {};
  std::string name(static_cast<std::size_t>(length) + 1, '\0');  // with its zero
  H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, number, name.data(), name.size(), H5P_DEFAULT);
  name.pop_back();
  return name;
}

}  // namespace

void delete_stale_datasets(hid_t file, const std::string& dataset) {
  const Hdf5Silence silence;
  const auto slash = dataset.rfind('/');
  const std::string folder = slash == 0 || slash == std::string::npos ? "/" : dataset.substr(0, slash);
  const std::string before = temporary_prefix(slash == std::string::npos ? dataset : dataset.substr(slash + 1));
  const hid_t group = H5Gopen2(file, folder.c_str(), H5P_DEFAULT);
  if (group < 0) return;  // is made with the dataset
  H5G_info_t info{};
  std::vector<std::string> stale;
  if (H5Gget_info(group, &info) >= 0) {
    for (hsize_t number = 0; number < info.nlinks; ++number) {
      if (auto name = link_name(group, number); is_of_ended_process(name, before)) stale.push_back(std::move(name));
    }
  }
  for (const std::string& name : stale) H5Ldelete(group, name.c_str(), H5P_DEFAULT);
  H5Gclose(group);
}

}  // namespace ricci::storage
