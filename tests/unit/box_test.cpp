// Boxes of arrays in .npy and HDF5 files, against loops over every index.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"

namespace ricci::storage {
namespace {

class Boxes : public ArrayFileTest {};

using Index = std::vector<std::int64_t>;

/// All indices of the box in row-major order.
std::vector<Index> indices(const Box& box, std::size_t mode = 0) {
  if (mode == box.lo.size()) return {Index{}};
  std::vector<Index> all;
  for (std::int64_t i = box.lo[mode]; i < box.hi[mode]; ++i) {
    for (Index rest : indices(box, mode + 1)) {
      rest.insert(rest.begin(), i);
      all.push_back(rest);
    }
  }
  return all;
}

std::int64_t position(const Index& index, const Index& extents) {
  std::int64_t at = 0;
  for (std::size_t mode = 0; mode < index.size(); ++mode) at = at * extents[mode] + index[mode];
  return at;
}

Index random_extents(std::mt19937& random) {
  Index extents(random() % 5);
  for (auto& extent : extents) extent = 1 + static_cast<std::int64_t>(random() % 5);
  return extents;
}

Box random_box(const Index& extents, std::mt19937& random) {
  Box box;
  for (const std::int64_t extent : extents) {
    std::int64_t lo = static_cast<std::int64_t>(random() % (extent + 1)), hi = random() % (extent + 1);
    if (random() % 3 == 0) lo = 0, hi = extent;  // whole modes make long runs
    box.lo.push_back(std::min(lo, hi));
    box.hi.push_back(std::max(lo, hi));
  }
  return box;
}

TEST(BoxRuns, AreTheElementsOfTheBoxInOrderAndAsLongAsPossible) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const Index extents = random_extents(random);
    const Box box = random_box(extents, random);
    std::vector<std::int64_t> expected, got;
    for (const Index& index : indices(box)) expected.push_back(position(index, extents));
    std::int64_t jumps = expected.empty() ? 0 : 1, runs = 0;
    for (std::size_t at = 1; at < expected.size(); ++at) jumps += expected[at] != expected[at - 1] + 1 ? 1 : 0;
    for_each_run(box, extents, [&](std::int64_t first, std::int64_t count, std::int64_t at) {
      EXPECT_EQ(at, std::ssize(got));
      for (std::int64_t k = 0; k < count; ++k) got.push_back(first + k);
      ++runs;
    });
    EXPECT_EQ(got, expected);
    EXPECT_EQ(elements(box), std::ssize(expected));
    EXPECT_GE(runs, jumps);
    // A mode of extent 1 in the box may hide that two runs touch; else none do.
    const bool hides = std::any_of(extents.begin(), extents.end(), [](auto extent) { return extent == 1; });
    EXPECT_TRUE(runs == jumps || hides);
  }
}

TEST(BoxParts, AreFewBoxesThatAreAllOfIt) {
  std::mt19937 random(6);
  for (int turn = 0; turn < 300; ++turn) {
    const Index extents = random_extents(random);
    const Box box = random_box(extents, random);
    std::vector<Index> expected = indices(box), got;
    const std::int64_t count = elements(box);
    const int ranks = 1 + static_cast<int>(random() % 5);
    for (int rank = 0; rank < ranks; ++rank) {
      const Part part = layout::part_of(count, ranks, rank);
      std::int64_t boxes = 0;
      for_each_box(box, part, [&](const Box& piece, std::int64_t at) {
        EXPECT_EQ(part.first + at, std::ssize(got));
        for (const Index& index : indices(piece)) got.push_back(index);
        ++boxes;
      });
      EXPECT_EQ(part.last, std::ssize(got));
      EXPECT_LE(boxes, 2 * std::ssize(extents) + 1);
    }
    EXPECT_EQ(got, expected);
  }
}

TEST(BoxRuns, RejectBoxesOutside) {
  const auto rejection = [](const Box& box) {
    return message_of<InternalError>([&] { for_each_run(box, {3, 4}, [](auto, auto, auto) {}); });
  };
  EXPECT_EQ(rejection({{0, 0}, {3, 5}}), "the box from [0, 0] to [3, 5] is no part of an array of [3, 4]");
  EXPECT_NE(rejection({{-1, 0}, {3, 4}}), "");
  EXPECT_NE(rejection({{2, 0}, {1, 4}}), "");
  EXPECT_NE(rejection({{0}, {3}}), "");
}

template <class T>
void read_boxes(const std::string& where, std::mt19937& random) {
  const Index extents = random_extents(random);
  const ArrayHeader header{element_type_of<T>, symmetry::Shape(Extents(extents), {})};
  const auto values = numbered<T>(header.elements());
  write_array(where, header, producer_of(values));
  const auto reader = open_for_reading(parse_location(where));
  for (int i = 0; i < 5; ++i) {
    const Box box = random_box(extents, random);
    std::vector<T> expected, got(elements(box));
    for (const Index& index : indices(box)) expected.push_back(values[position(index, extents)]);
    reader->read_box(box, got.data());
    ASSERT_EQ(got, expected);
  }
  EXPECT_THROW(reader->read_box({Index(9), Index(9)}, nullptr), InternalError);
}

/// The array is written in boxes, which together are all of it, some of them twice.
template <class T>
void write_boxes(const std::string& where, std::mt19937& random) {
  const Index extents = random_extents(random);
  const ArrayHeader header{element_type_of<T>, symmetry::Shape(Extents(extents), {})};
  auto values = std::vector<T>(header.elements());
  const Location location = parse_location(where);
  const auto array = create(location, header);
  {
    const auto writer = open_for_writing(location, array->place(), header, {});
    std::vector<Box> boxes = {{Index(extents.size()), extents}};
    for (int i = 0; i < 5; ++i) boxes.push_back(random_box(extents, random));
    for (const Box& box : boxes) {
      std::vector<T> data;
      for (const Index& index : indices(box)) {
        data.push_back(static_cast<T>(static_cast<float>(random() % 1000)));
        values[position(index, extents)] = data.back();
      }
      writer->write_box(box, data.data());
    }
    EXPECT_THROW(writer->write_box({Index(9), Index(9)}, nullptr), InternalError);
    writer->finish();
  }
  array->commit();
  std::vector<T> back;
  EXPECT_EQ(read_array(where, consumer_of(back)), header);
  ASSERT_EQ(back, values);
}

template <class F>
void for_every_type(F&& f) {
  f(float{});
  f(double{});
  f(std::complex<float>{});
  f(std::complex<double>{});
}

TEST_F(Boxes, AreReadAndWrittenInEveryFormatAndType) {
  std::mt19937 random(3);
  for (int turn = 0; turn < 10; ++turn) {
    for (const std::string& where : std::vector{path("a.npy"), path("a.h5") + ":/group/a"}) {
      for_every_type([&](auto zero) { read_boxes<decltype(zero)>(where, random); });
      for_every_type([&](auto zero) { write_boxes<decltype(zero)>(where, random); });
    }
  }
}

TEST_F(Boxes, OfColumnMajorFiles) {
  std::string head = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4, 5), }";
  const auto values = numbered<double>(60);
  const auto file = put(
      "f.npy", std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(head.size()) + '\0' + head + bytes_of(values));
  const auto reader = open_for_reading(parse_location(file));
  std::mt19937 random(4);
  for (int i = 0; i < 50; ++i) {
    const Box box = random_box({3, 4, 5}, random);
    std::vector<double> expected, got(elements(box));
    for (const Index& index : indices(box)) expected.push_back(values[index[0] + 3 * (index[1] + 4 * index[2])]);
    reader->read_box(box, got.data());
    EXPECT_EQ(got, expected);
  }
}

TEST_F(Boxes, OfPackedArraysAreRunsOfUniqueElements) {
  const ArrayHeader header{ElementType::f64, symmetry::Shape({4, 4}, symmetric(0, 1))};
  const auto values = numbered<double>(10);
  write_array(path("s.h5") + ":/s", header, producer_of(values));
  const auto reader = open_for_reading(parse_location(path("s.h5") + ":/s"));
  std::vector<double> got(4);
  reader->read_box({{3}, {7}}, got.data());
  EXPECT_EQ(got, std::vector<double>(values.begin() + 3, values.begin() + 7));
}

}  // namespace
}  // namespace ricci::storage
