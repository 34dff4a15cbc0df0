#pragma once
// A directory that all ranks share, and what is in it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tensor_case.hpp"

namespace ricci_test {

class SharedDirectory : public testing::Test {
 protected:
  SharedDirectory() {
    std::int64_t number = ::getpid();
    communicator_of(world_).broadcast(std::as_writable_bytes(std::span(&number, 1)), 0);
    directory_ = std::filesystem::temp_directory_path() / ("ricci_shared_file_" + std::to_string(number));
    on_one_rank([&] { std::filesystem::create_directories(directory_); });
  }
  ~SharedDirectory() override {
    on_one_rank([&] { std::filesystem::remove_all(directory_); });
  }

  const ricci::World& world() const { return world_; }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  /// Collective.
  template <class F>
  void on_one_rank(F f) const {
    communicator_of(world_).barrier();
    if (world_.rank() == 0) f();
    communicator_of(world_).barrier();
  }
  /// Collective: what is there, sorted.
  std::vector<std::string> files() const {
    communicator_of(world_).barrier();
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    communicator_of(world_).barrier();
    return names;
  }

 private:
  ricci::World world_;
  std::filesystem::path directory_;
};

inline std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace ricci_test
