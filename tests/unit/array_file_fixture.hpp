#pragma once
// What the tests of the file formats share: a directory of their own, and arrays that go through a file.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/location.hpp"

namespace ricci::storage {

class ArrayFileTest : public testing::Test {
 protected:
  ArrayFileTest() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 ("ricci-" + std::to_string(getpid()) + "-" + test->test_suite_name() + "-" + test->name());
    std::filesystem::create_directories(directory_);
  }
  ~ArrayFileTest() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  std::size_t files() const {
    return std::distance(std::filesystem::directory_iterator(directory_), std::filesystem::directory_iterator());
  }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::filesystem::path directory_;
};

template <class T>
std::vector<T> numbered(std::int64_t count) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>(static_cast<double>(i) + 0.5));
  return values;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Copies from a vector; checks that the parts come in order.
template <class T>
Producer producer_of(const std::vector<T>& values) {
  return [&values](std::int64_t first, std::int64_t count, void* to) {
    ASSERT_LE(first + count, static_cast<std::int64_t>(values.size()));
    std::memcpy(to, values.data() + first, count * sizeof(T));
  };
}

template <class T>
Consumer consumer_of(std::vector<T>& values) {
  return [&values](std::int64_t first, std::int64_t count, const void* from) {
    ASSERT_EQ(first, static_cast<std::int64_t>(values.size()));
    ASSERT_LE(count, chunk_elements(element_type_of<T>));
    const auto* const elements = static_cast<const T*>(from);
    values.insert(values.end(), elements, elements + count);
  };
}

inline ArrayHeader inspect_array(const std::string& where) { return inspect(parse_location(where)); }

inline void write_array(const std::string& where, const ArrayHeader& header, const Producer& producer) {
  const Location location = parse_location(where);
  const auto array = create(location, header);
  {
    const auto writer = open_for_writing(location, array->place(), header, {});
    const Slabs slabs(extents_in_file(header), chunk_elements(header.type));
    std::vector<char> chunk(slabs.largest() * element_size(header.type));
    for (std::int64_t number = 0; number < slabs.count(); ++number) {
      const Slab slab = slabs[number];
      producer(slab.first, slab.count, chunk.data());
      writer->write(slab, chunk.data());
    }
    writer->finish();
  }
  array->commit();
}

inline ArrayHeader read_array(const std::string& where, const Consumer& consumer) {
  const auto reader = open_for_reading(parse_location(where));
  const Slabs slabs(reader->extents(), chunk_elements(reader->header().type));
  std::vector<char> chunk(slabs.largest() * element_size(reader->header().type));
  for (std::int64_t number = 0; number < slabs.count(); ++number) {
    const Slab slab = slabs[number];
    reader->read(slab, chunk.data());
    consumer(slab.first, slab.count, chunk.data());
  }
  return reader->header();
}

/// The number of a process that has ended.
inline int ended_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

/// The message of the exception that f throws, which is to be an E; empty where it throws none.
template <class E>
std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return {};
}

}  // namespace ricci::storage
