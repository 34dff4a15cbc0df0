// Rows of an unpacked tensor against the place and sign of each element.
#include "kernels/unpack_rows.hpp"

#include <complex>

#include <gtest/gtest.h>

namespace ricci::kernels {
namespace {

using symmetry::Shape;

template <class T>
void expect_rows_right(const Shape& shape) {
  SCOPED_TRACE(testing::Message() << shape);
  std::vector<T> packed(shape.stored_size());
  for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = T(static_cast<float>(i + 1));
  const UnpackRows unpack(shape);
  const std::int64_t rows = unpack.row_size() == 0 ? 0 : shape.full_size() / unpack.row_size();
  for (std::int64_t first = 0; first < rows; first += 7) {
    const std::int64_t count = std::min<std::int64_t>(11, rows - first);
    std::vector<T> out(count * unpack.row_size(), T(-99));
    unpack.run(packed.data(), first, count, out.data());
    std::vector<std::int64_t> index(shape.order());
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::int64_t key = first * unpack.row_size() + static_cast<std::int64_t>(i);
      for (int mode = 0; mode < shape.order(); ++mode) {
        index[mode] = key / shape.full_strides()[mode] % shape.extents()[mode];
      }
      const symmetry::Element element = symmetry::locate(shape, index);
      const T expected = element.factor == 0 ? T(0) : T(static_cast<float>(element.factor)) * packed[element.offset];
      ASSERT_EQ(out[i], expected) << "key " << key;
    }
  }
}

TEST(UnpackRows, EveryKindAndPlaceOfGroups) {
  const std::vector<std::pair<Extents, std::vector<std::vector<int>>>> cases = {
      {{5}, {}},
      {{3, 4}, {}},
      {{5, 5}, {{0, 1}}},
      {{1, 1, 1}, {{0, 1, 2}}},
      {{6, 6, 6}, {{0, 1, 2}}},
      {{4, 5, 4}, {{0, 2}}},
      {{5, 5, 4}, {{0, 1}}},
      {{4, 4, 5, 5}, {{0, 1}, {2, 3}}},
      {{4, 5, 4, 5}, {{0, 2}, {1, 3}}},
      {{4, 5, 5, 4}, {{0, 3}, {1, 2}}},
      {{4, 4, 4, 4}, {{0, 1, 2, 3}}},
      {{4, 3, 4, 4}, {{0, 2, 3}}},
      {{2, 2, 2, 2, 2}, {{0, 2, 4}, {1, 3}}},
      {{0, 0}, {{0, 1}}},
  };
  for (const auto& [extents, groups] : cases) {
    for (const SymmetryKind kind : {SymmetryKind::symmetric, SymmetryKind::antisymmetric, SymmetryKind::hollow}) {
      Symmetry symmetry;
      for (const auto& group : groups) symmetry = symmetry * Symmetry(kind, group);
      expect_rows_right<double>(Shape(extents, symmetry));
      expect_rows_right<std::complex<float>>(Shape(extents, symmetry));
    }
  }
}

}  // namespace
}  // namespace ricci::kernels
