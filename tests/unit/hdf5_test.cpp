// Datasets of HDF5 files.
#include "storage/hdf5.hpp"

#include <csignal>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"
#include "storage/hdf5_attributes.hpp"
#include "storage/hdf5_handle.hpp"
#include "storage/process_name.hpp"

namespace ricci::storage {
namespace {

using testing::HasSubstr;

class Hdf5 : public ArrayFileTest {
 protected:
  std::string rejection(const std::string& dataset) const {
    return message_of<InputError>([&] { inspect_array(path("a.h5") + ":" + dataset); });
  }
  /// A dataset as another program would write it.
  void put_dataset(const char* name, hid_t type, const std::vector<hsize_t>& extents, hid_t in_memory, const void* data,
                   hid_t properties = H5P_DEFAULT) const {
    const auto file_path = path("a.h5");
    const bool there = std::filesystem::exists(file_path);
    const Hdf5Handle file(there ? H5Fopen(file_path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                                : H5Fcreate(file_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose, file_path, "open");
    const Hdf5Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose,
                           file_path, "make");
    const Hdf5Handle dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                             file_path, "make");
    H5Dwrite(dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  }
};

template <class T>
void round_trip(const std::string& file, const std::string& name, const Extents& extents, const Symmetry& symmetry) {
  const ArrayHeader header{element_type_of<T>, symmetry::Shape(extents, symmetry)};
  const auto values = numbered<T>(header.elements());
  write_array(file + ":" + name, header, producer_of(values));
  EXPECT_EQ(inspect_array(file + ":" + name), header);
  std::vector<T> back;
  EXPECT_EQ(read_array(file + ":" + name, consumer_of(back)), header);
  EXPECT_EQ(back, values);
}

TEST_F(Hdf5, RoundTripOfEveryTypeAndShape) {
  const auto file = path("a.h5");
  for (const Extents& extents : {Extents{}, Extents{5}, Extents{2, 3}, Extents{3, 0, 2}, Extents{1, 1, 4, 2}}) {
    round_trip<float>(file, "/f", extents, {});
    round_trip<double>(file, "/group/inner/d", extents, {});
    round_trip<std::complex<float>>(file, "/group/cf", extents, {});
    round_trip<std::complex<double>>(file, "/cd", extents, {});
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(Hdf5, RoundTripWithSymmetry) {
  const auto file = path("a.h5");
  round_trip<double>(file, "/t", {4, 4, 3, 3}, antisymmetric(0, 1) * symmetric(2, 3));
  round_trip<std::complex<double>>(file, "/h", {5, 2, 5, 5}, hollow(0, 2, 3));
  round_trip<double>(file, "/none", {1, 1}, antisymmetric(0, 1));
}

TEST_F(Hdf5, SeveralChunks) {
  round_trip<double>(path("a.h5"), "/a", {3, 400'000}, {});
  round_trip<double>(path("a.h5"), "/b", {2, 600'001, 1}, {});
  round_trip<double>(path("a.h5"), "/c", {1'100, 1'100}, symmetric(0, 1));
}

TEST_F(Hdf5, WhatKilledProcessesLeftIsRemovedByTheNextWrite) {
  const auto file = path("a.h5");
  const auto part = [&](const std::string& name, int process) {
    return name + ".part-" + host_name() + "-" + std::to_string(process);
  };
  const int ended = ended_process();
  for (const std::string group : {"/", "/group/"}) {
    const auto left = part(group + "a", ended);
    const std::vector<std::string> others = {part(group + "a", getppid()), part(group + "b", ended), group + "c"};
    round_trip<double>(file, left, {2}, {});
    for (const auto& other : others) round_trip<double>(file, other, {2}, {});
    round_trip<double>(file, group + "a", {3}, {});
    EXPECT_THAT(rejection(left), HasSubstr("cannot find it"));
    for (const auto& other : others) EXPECT_EQ(inspect_array(file + ":" + other).elements(), 2);
  }
}

TEST_F(Hdf5, ATensorWithoutSymmetryIsAnOrdinaryDataset) {
  round_trip<double>(path("a.h5"), "/a", {2, 3}, {});
  const Hdf5Handle file(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "a.h5", "open");
  const Hdf5Handle dataset(H5Dopen2(file, "/a", H5P_DEFAULT), H5Dclose, "a.h5", "open");
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "a.h5", "open");
  ASSERT_EQ(H5Sget_simple_extent_ndims(space), 2);
  double values[6] = {};
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  EXPECT_EQ(values[4], 4.5);
}

TEST_F(Hdf5, ReadsWhatOthersWrite) {
  const double values[2] = {1, -2};
  put_dataset("/big_endian", H5T_IEEE_F64BE, {2, 1}, H5T_NATIVE_DOUBLE, values);
  std::vector<double> back;
  EXPECT_EQ(read_array(path("a.h5") + ":/big_endian", consumer_of(back)).shape.extents(), (Extents{2, 1}));
  EXPECT_EQ(back, (std::vector<double>{1, -2}));
}

TEST_F(Hdf5, RejectsWhatIsNotAccepted) {
  const std::int32_t values[2] = {1, 2};
  put_dataset("/integers", H5T_STD_I32LE, {2}, H5T_NATIVE_INT32, values);
  EXPECT_THAT(rejection("/integers"), HasSubstr("a.h5:/integers: holds 32-bit integers; accepted are float"));
  EXPECT_THAT(message_of<InputError>([&] { read_hdf5(path("a.h5"), "/"); }), HasSubstr("is no dataset"));
  testing::internal::CaptureStderr();
  EXPECT_THAT(rejection("/other"), HasSubstr("a.h5:/other: cannot find it: object 'other' doesn't exist"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Hdf5, SaysWhyAFileCannotBeOpened) {
  EXPECT_EQ(rejection("/x"), path("a.h5") + ": cannot open it: No such file or directory");
  put("a.h5", "something else");
  EXPECT_EQ(rejection("/x"), path("a.h5") + ": is no HDF5 file, or a damaged one");
  const auto message = message_of<InputError>([&] {
    write_array(path("no/a.h5") + ":/x", {ElementType::f64, symmetry::Shape({}, {})}, [](auto, auto, void*) {});
  });
  EXPECT_EQ(message, path("no/a.h5") + ": cannot create it: No such file or directory");
}

TEST_F(Hdf5, ATruncatedFileIsAnInputError) {
  round_trip<double>(path("a.h5"), "/a", {10'000}, {});
  std::filesystem::resize_file(path("a.h5"), 40'000);
  EXPECT_THAT(rejection("/a"), HasSubstr("a.h5: cannot open it: truncated file"));
}

TEST_F(Hdf5, ChunksMayBeMissingAndContiguousElementsNot) {
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a", "make");
  const hsize_t chunk = 2;
  H5Pset_chunk(properties, 1, &chunk);
  const double values[3] = {1, -2, 3};
  put_dataset("/plain", H5T_IEEE_F64LE, {3}, H5T_NATIVE_DOUBLE, values);
  put_dataset("/chunked", H5T_IEEE_F64LE, {3}, H5T_NATIVE_DOUBLE, values, properties);
  EXPECT_TRUE(open_for_reading(parse_location(path("a.h5") + ":/plain"))->complete());
  EXPECT_FALSE(open_for_reading(parse_location(path("a.h5") + ":/chunked"))->complete());
  std::vector<double> back;
  read_array(path("a.h5") + ":/chunked", consumer_of(back));
  EXPECT_EQ(back, (std::vector<double>{1, -2, 3}));
}

TEST_F(Hdf5, AFailedWriteLeavesTheOldDataset) {
  const auto file = path("a.h5");
  round_trip<double>(file, "/a", {3}, {});
  const ArrayHeader larger{ElementType::f64, symmetry::Shape({1'000'000}, {})};
  EXPECT_THROW(write_array(file + ":/a", larger,
                           [](std::int64_t first, auto, void*) {
                             if (first > 0) throw 1;
                           }),
               int);
  EXPECT_EQ(inspect_array(file + ":/a").elements(), 3);
  EXPECT_LT(std::filesystem::file_size(file), 10'000U) << "the room of the failed one is free again";
  EXPECT_THROW(write_array(path("b.h5") + ":/a", larger, [](auto, auto, void*) { throw 1; }), int);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Hdf5, AFullDiskIsAResourceError) {
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{1 << 20, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const ArrayHeader header{ElementType::f64, symmetry::Shape({1'000'000}, {})};
  const auto message = message_of<ResourceError>([&] {
    write_array(path("a.h5") + ":/x", header,
                [](auto, std::int64_t count, void* to) { std::memset(to, 0, 8 * count); });
  });
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path("a.h5") + ":/x: cannot write it: File too large");
  EXPECT_EQ(files(), 0U);
}

TEST(Hdf5Symmetry, ParsesWhatItPrints) {
  EXPECT_EQ(parse_symmetry("[0 1]- [2 3]+ [4 5 6]o", "x"), antisymmetric(0, 1) * symmetric(2, 3) * hollow(4, 5, 6));
  EXPECT_EQ(parse_symmetry("", "x"), Symmetry{});
  for (const auto* const text : {"[0 1]", "[0]-", "[0 1]?", "0 1-", "[0 x]-", "[0 1]- [1 2]-"}) {
    EXPECT_THROW(parse_symmetry(text, "x"), InputError) << text;
  }
}

}  // namespace
}  // namespace ricci::storage
