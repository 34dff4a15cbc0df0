// NumPy's .npy files.
#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"
#include "storage/process_name.hpp"

namespace ricci::storage {
namespace {

using testing::HasSubstr;

class Npy : public ArrayFileTest {
 protected:
  std::string put_npy(int version, const std::string& dictionary, const std::string& data) const {
    std::string file = "\x93NUMPY";
    file += static_cast<char>(version);
    file += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(dictionary.size() >> (8 * i));
    return put("given.npy", file + dictionary + data);
  }
  std::string rejection(const std::string& file) const {
    return message_of<InputError>([&] { inspect_array(file); });
  }
};

template <class T>
void round_trip(const std::string& file, const Extents& extents) {
  const ArrayHeader header{element_type_of<T>, symmetry::Shape(extents, {})};
  const auto values = numbered<T>(header.elements());
  write_array(file, header, producer_of(values));
  EXPECT_EQ(inspect_array(file), header);
  std::vector<T> back;
  EXPECT_EQ(read_array(file, consumer_of(back)), header);
  EXPECT_EQ(back, values);
}

TEST_F(Npy, RoundTripOfEveryTypeAndShape) {
  for (const Extents& extents : {Extents{}, Extents{5}, Extents{2, 3}, Extents{3, 0, 2}, Extents{1, 1, 4, 2}}) {
    round_trip<float>(path("a.npy"), extents);
    round_trip<double>(path("a.npy"), extents);
    round_trip<std::complex<float>>(path("a.npy"), extents);
    round_trip<std::complex<double>>(path("a.npy"), extents);
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(Npy, SeveralChunks) { round_trip<double>(path("a.npy"), {3, 400'000}); }

TEST_F(Npy, WritesTheBytesThatNumPyWrites) {
  const std::vector<float> values = {1, 2};
  write_array(path("a.npy"), {ElementType::f32, symmetry::Shape({2}, {})}, producer_of(values));
  std::ifstream in(path("a.npy"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  text.resize(117, ' ');
  EXPECT_EQ(bytes, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + "\n" + bytes_of(values));
}

TEST_F(Npy, ReadsVersions2And3) {
  for (const int version : {1, 2, 3}) {
    const auto file = put_npy(version, "{\"shape\": (2L, 1L), \"descr\": \"<f8\", \"fortran_order\": False}\n",
                              bytes_of<double>({1, 2}));
    std::vector<double> values;
    EXPECT_EQ(read_array(file, consumer_of(values)).shape.extents(), (Extents{2, 1}));
    EXPECT_EQ(values, (std::vector<double>{1, 2}));
  }
}

TEST_F(Npy, ReadsFortranOrder) {
  const auto file = put_npy(1, "{'descr': '<c8', 'fortran_order': True, 'shape': (2, 3, 2), }",
                            bytes_of(numbered<std::complex<float>>(12)));
  std::vector<std::complex<float>> values;
  read_array(file, consumer_of(values));
  ASSERT_EQ(values.size(), 12U);
  for (int i = 0, at = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) EXPECT_EQ(values[at++], std::complex<float>(i + 2 * j + 6 * k + 0.5F));
    }
  }
}

TEST_F(Npy, ReadsFortranOrderInChunks) {
  const std::int64_t rows = 1'000, columns = 1'500;
  const auto file = put_npy(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (1000, 1500), }",
                            bytes_of(numbered<double>(rows * columns)));
  std::vector<double> values;
  read_array(file, consumer_of(values));
  ASSERT_EQ(values.size(), static_cast<std::size_t>(rows * columns));
  for (std::int64_t at = 0; at < rows * columns; ++at) {
    ASSERT_EQ(values[at], static_cast<double>(at / columns + at % columns * rows) + 0.5);
  }
}

TEST_F(Npy, RejectsWhatIsNotAccepted) {
  EXPECT_THAT(rejection(put_npy(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", "1234")),
              HasSubstr("given.npy: holds elements of type '<i4'; accepted are float (f4), double (f8)"));
  EXPECT_THAT(rejection(put_npy(1, "{'descr': '>f8', 'fortran_order': False, 'shape': (), }", "12345678")),
              HasSubstr("type '>f8' (big-endian); accepted"));
  EXPECT_THAT(rejection(put_npy(1, "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (), }", "12345678")),
              HasSubstr("records of several fields"));
  EXPECT_THAT(rejection(put_npy(1, "{'fortran_order': False, 'shape': (), }", "")), HasSubstr("'descr' is missing"));
  EXPECT_THAT(rejection(put_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, x), }", "")),
              HasSubstr("'shape'"));
  EXPECT_THAT(rejection(put_npy(4, "{}", "")), HasSubstr(".npy version 4; accepted are versions 1, 2 and 3"));
  EXPECT_THAT(rejection(put("x.npy", "PK\x03\x04 an archive")), HasSubstr("x.npy: is no .npy file"));
  EXPECT_THAT(rejection(put("x.npy", "")), HasSubstr("is no .npy file"));
}

TEST_F(Npy, RejectsTruncatedFiles) {
  EXPECT_THAT(rejection(put_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", "12345678")),
              HasSubstr("truncated: double 3 needs 24 bytes of data, the file has 8"));
  EXPECT_THAT(rejection(put("x.npy", std::string("\x93NUMPY\x01\x00\x76\x00{'de", 14))),
              HasSubstr("truncated: its header needs 128 bytes, the file has 14"));
  EXPECT_THAT(rejection(put_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
                                "12345678")),
              HasSubstr("given.npy"));
}

TEST_F(Npy, SaysWhyAFileCannotBeOpened) {
  EXPECT_EQ(rejection(path("none.npy")), path("none.npy") + ": cannot open it: No such file or directory");
  std::filesystem::create_directory(path("dir.npy"));
  EXPECT_EQ(rejection(path("dir.npy")), path("dir.npy") + ": cannot read it: Is a directory");
  const auto message = message_of<InputError>([&] {
    write_array(path("no/dir/a.npy"), {ElementType::f64, symmetry::Shape({}, {})}, [](auto, auto, void*) {});
  });
  EXPECT_EQ(message, path("no/dir/a.npy") + ": cannot create it: No such file or directory");
}

TEST_F(Npy, AFailedWriteLeavesTheOldFileAndNoOther) {
  const auto file = path("a.npy");
  round_trip<double>(file, {3});
  const ArrayHeader larger{ElementType::f64, symmetry::Shape({1'000'000}, {})};
  EXPECT_THROW(write_array(file, larger,
                           [](std::int64_t first, auto, void*) {
                             if (first > 0) throw 1;
                           }),
               int);
  EXPECT_EQ(inspect_array(file).elements(), 3);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Npy, WhatKilledProcessesLeftIsRemovedByTheNextWrite) {
  const auto part = [&](const std::string& name, int process) {
    return put(name + ".part-" + host_name() + "-" + std::to_string(process), "unfinished");
  };
  const int ended = ended_process();
  const auto left = part("a.npy", ended);
  const std::vector<std::string> others = {part("a.npy", getppid()), part("b.npy", ended),
                                           put("a.npy.part-elsewhere-" + std::to_string(ended), ""),
                                           put("a.npy.part-" + host_name() + "-x", "")};
  round_trip<double>(path("a.npy"), {3});
  EXPECT_FALSE(std::filesystem::exists(left));
  for (const auto& other : others) EXPECT_TRUE(std::filesystem::exists(other)) << other;
}

TEST_F(Npy, AFullDiskIsAResourceError) {
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{1 << 20, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const ArrayHeader header{ElementType::f64, symmetry::Shape({1'000'000}, {})};
  const auto message = message_of<ResourceError>([&] {
    write_array(path("a.npy"), header, [](auto, std::int64_t count, void* to) { std::memset(to, 0, 8 * count); });
  });
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path("a.npy") + ": cannot write it: File too large");
  EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace ricci::storage
