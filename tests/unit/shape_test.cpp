// Packed storage: dimensions, strides, places of elements, and the walk through the unique ones.
#include "symmetry/shape.hpp"

#include <map>
#include <numeric>
#include <sstream>

#include <gtest/gtest.h>

#include "sorted_tuples.hpp"

namespace ricci::symmetry {
namespace {

std::vector<Shape> shapes() {
  return {
      Shape({}, {}),
      Shape({3}, {}),
      Shape({2, 3, 4}, {}),
      Shape({4, 4}, symmetric(0, 1)),
      Shape({4, 4}, antisymmetric(0, 1)),
      Shape({4, 4}, hollow(0, 1)),
      Shape({3, 3, 4, 4}, antisymmetric(0, 1) * symmetric(2, 3)),
      Shape({3, 2, 3}, symmetric(0, 2)),
      Shape({3, 4, 3, 4}, hollow(0, 2) * antisymmetric(1, 3)),
      Shape({2, 3, 3, 3}, symmetric(1, 2, 3)),
      Shape({4, 4, 4}, antisymmetric(0, 1, 2)),
      Shape({3, 2, 3, 2, 3}, symmetric(0, 2, 4) * symmetric(1, 3)),
      Shape({1, 1, 5}, antisymmetric(0, 1)),
      Shape({0, 0, 3}, symmetric(0, 1)),
      Shape({2, 0}, {}),
  };
}

std::string text(const Shape& shape) {
  std::ostringstream out;
  out << shape;
  return out.str();
}

std::vector<Tuple> all_indices(const Shape& shape) {
  std::vector<Tuple> indices{{}};
  for (const std::int64_t extent : shape.extents()) {
    std::vector<Tuple> longer;
    for (const Tuple& index : indices) {
      for (std::int64_t i = 0; i < extent; ++i) longer.push_back(index), longer.back().push_back(i);
    }
    indices = std::move(longer);
  }
  return indices;
}

/// The groups of modes in the order of storage, single modes included.
struct Part {
  std::vector<int> modes;
  SymmetryKind kind;
};
std::vector<Part> parts(const Shape& shape) {
  std::map<int, Part> by_first_mode;
  std::vector<bool> grouped(shape.order(), false);
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    by_first_mode[group.modes.front()] = {group.modes, group.kind};
    for (const int mode : group.modes) grouped[mode] = true;
  }
  for (int mode = 0; mode < shape.order(); ++mode) {
    if (!grouped[mode]) by_first_mode[mode] = {{mode}, SymmetryKind::symmetric};
  }
  std::vector<Part> result;
  for (const auto& [first, part] : by_first_mode) result.push_back(part);
  return result;
}

Tuple select(const Tuple& index, const std::vector<int>& modes) {
  Tuple values;
  for (const int mode : modes) values.push_back(index[mode]);
  return values;
}

/// The indices that are stored, in order, by searching all of them.
std::vector<Tuple> stored_indices(const Shape& shape) {
  const std::vector<Part> all = parts(shape);
  std::vector<Tuple> stored;
  for (Tuple& index : all_indices(shape)) {
    const bool unique = std::all_of(all.begin(), all.end(), [&](const Part& part) {
      return is_sorted_tuple(select(index, part.modes), part.kind != SymmetryKind::symmetric);
    });
    if (unique) stored.push_back(std::move(index));
  }
  std::sort(stored.begin(), stored.end(), [&](const Tuple& a, const Tuple& b) {
    for (const Part& part : all) {
      const Tuple x = select(a, part.modes), y = select(b, part.modes);
      if (x != y) return before_colexicographically(x, y);
    }
    return false;
  });
  return stored;
}

TEST(Shape, StorageDimensionsAndStrides) {
  const Shape shape({3, 4, 3, 5, 4, 4}, symmetric(0, 2) * antisymmetric(1, 4, 5));
  ASSERT_EQ(shape.dims().size(), 3U);
  EXPECT_EQ(shape.dims()[0].modes, (std::vector<int>{0, 2}));
  EXPECT_EQ(shape.dims()[1].modes, (std::vector<int>{1, 4, 5}));
  EXPECT_EQ(shape.dims()[2].modes, (std::vector<int>{3}));
  EXPECT_FALSE(shape.dims()[2].grouped());
  EXPECT_EQ(shape.dims()[0].size, 6);
  EXPECT_EQ(shape.dims()[1].size, 4);
  EXPECT_EQ(shape.dims()[2].size, 5);
  EXPECT_EQ(shape.dims()[0].stride, 20);
  EXPECT_EQ(shape.dims()[1].stride, 5);
  EXPECT_EQ(shape.dims()[2].stride, 1);
  EXPECT_EQ(shape.dim_of_mode(4), 1);
  EXPECT_EQ(shape.dim_of_mode(3), 2);
  EXPECT_EQ(shape.stored_size(), 120);
  EXPECT_EQ(shape.full_size(), 3 * 4 * 3 * 5 * 4 * 4);
  EXPECT_EQ(Tuple(shape.full_strides().begin(), shape.full_strides().end()), (Tuple{960, 240, 80, 16, 4, 1}));
  EXPECT_EQ(text(shape), "3,4,3,5,4,4 [0 2]+ [1 4 5]-");
}

TEST(Shape, StoredSizeIsTheNumberOfUniqueElements) {
  for (const Shape& shape : shapes()) {
    EXPECT_EQ(shape.stored_size(), static_cast<std::int64_t>(stored_indices(shape).size())) << text(shape);
    EXPECT_EQ(shape.full_size(), static_cast<std::int64_t>(all_indices(shape).size())) << text(shape);
  }
}

TEST(Shape, LocateAgreesWithANaiveSearch) {
  for (const Shape& shape : shapes()) {
    const auto stored = stored_indices(shape);
    for (const Tuple& index : all_indices(shape)) {
      Tuple sorted = index;
      int factor = 1;
      for (const Part& part : parts(shape)) {
        Tuple values = select(index, part.modes);
        const int sign = sign_by_inversions(values);
        if (part.kind == SymmetryKind::antisymmetric) factor *= sign;
        if (part.kind == SymmetryKind::hollow) factor *= sign * sign;
        std::sort(values.begin(), values.end());
        for (std::size_t k = 0; k < values.size(); ++k) sorted[part.modes[k]] = values[k];
      }
      const Element element = locate(shape, index);
      ASSERT_EQ(element.factor, factor) << text(shape);
      if (factor == 0) continue;
      ASSERT_EQ(stored.at(static_cast<std::size_t>(element.offset)), sorted) << text(shape);
    }
  }
}

TEST(UniqueElements, WalkInTheOrderOfStorage) {
  for (const Shape& shape : shapes()) {
    UniqueElements walk(shape);
    for (const Tuple& index : stored_indices(shape)) {
      ASSERT_EQ(Tuple(walk.index().begin(), walk.index().end()), index) << text(shape);
      walk.next();
    }
  }
}

TEST(UniqueElements, SeekReachesEveryOffsetAndGoesOnFromThere) {
  for (const Shape& shape : shapes()) {
    const auto stored = stored_indices(shape);
    UniqueElements walk(shape);
    for (std::size_t offset = stored.size(); offset-- > 0;) {
      walk.seek(static_cast<std::int64_t>(offset));
      ASSERT_EQ(Tuple(walk.index().begin(), walk.index().end()), stored[offset]) << text(shape);
      walk.next();
      const Tuple& next = stored[(offset + 1) % stored.size()];
      ASSERT_EQ(Tuple(walk.index().begin(), walk.index().end()), next) << text(shape) << ", after " << offset;
    }
  }
}

TEST(UniqueElements, MultiplicitiesCountTheElementsThatDoNotVanish) {
  for (const Shape& shape : shapes()) {
    std::vector<std::int64_t> reached(static_cast<std::size_t>(shape.stored_size()), 0);
    for (const Tuple& index : all_indices(shape)) {
      const Element element = locate(shape, index);
      if (element.factor != 0) ++reached[static_cast<std::size_t>(element.offset)];
    }
    UniqueElements walk(shape);
    for (const std::int64_t count : reached) {
      ASSERT_EQ(walk.multiplicity(), count) << text(shape);
      walk.next();
    }
    const bool vanishes_nowhere = std::all_of(shape.dims().begin(), shape.dims().end(), [](const StorageDim& dim) {
      return !dim.grouped() || dim.kind == SymmetryKind::symmetric;
    });
    if (!vanishes_nowhere) continue;
    EXPECT_EQ(std::accumulate(reached.begin(), reached.end(), std::int64_t{0}), shape.full_size()) << text(shape);
  }
}

TEST(UniqueElements, AnAntisymmetricPairLeavesOutTheDiagonal) {
  const Shape shape({6, 6}, antisymmetric(0, 1));
  UniqueElements walk(shape);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < shape.stored_size(); ++i, walk.next()) sum += walk.multiplicity();
  EXPECT_EQ(sum, 6 * 6 - 6);
}

}  // namespace
}  // namespace ricci::symmetry
