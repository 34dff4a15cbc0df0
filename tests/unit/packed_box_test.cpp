// Boxes of packed tensors, against walking through all elements.
#include "layout/packed_box.hpp"

#include <random>

#include <gtest/gtest.h>

namespace ricci::layout {
namespace {

using symmetry::Shape;
using Index = std::vector<std::int64_t>;

std::vector<Shape> shapes() {
  return {Shape({5}, {}),
          Shape({3, 4}, {}),
          Shape({7, 7}, symmetric(0, 1)),
          Shape({7, 7}, antisymmetric(0, 1)),
          Shape({5, 5, 6, 6}, antisymmetric(0, 1) * symmetric(2, 3)),
          Shape({5, 6, 5, 6}, symmetric(0, 2) * hollow(1, 3)),
          Shape({6, 3, 2, 6}, symmetric(0, 3)),
          Shape({6, 6, 3}, antisymmetric(0, 1)),
          Shape({7, 7, 7}, symmetric(0, 1, 2)),
          Shape({2, 7, 7, 7}, antisymmetric(1, 2, 3)),
          Shape({6, 6, 6, 6}, symmetric(0, 1, 2, 3)),
          Shape({6, 6, 6, 6}, hollow(0, 1, 2, 3)),
          Shape({1, 1}, antisymmetric(0, 1)),
          Shape({0, 0}, symmetric(0, 1)),
          Shape({}, {})};
}

/// Tiles of random sizes, alike within groups and ascending.
Box random_box(const Shape& shape, std::mt19937& random) {
  Box box;
  for (const std::int64_t extent : shape.extents()) {
    const std::int64_t tile = 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(extent + 1));
    const std::int64_t first = extent == 0 ? 0 : static_cast<std::int64_t>(random()) % extent / tile * tile;
    box.lo.push_back(first);
    box.hi.push_back(std::min(extent, first + tile));
  }
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    const std::int64_t extent = shape.extents()[group.modes[0]];
    const std::int64_t tile = 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(extent + 1));
    std::vector<std::int64_t> firsts;
    for (std::size_t m = 0; m < group.modes.size(); ++m)
      firsts.push_back(extent == 0 ? 0 : static_cast<std::int64_t>(random()) % extent / tile * tile);
    std::sort(firsts.begin(), firsts.end());
    for (std::size_t m = 0; m < group.modes.size(); ++m) {
      box.lo[group.modes[m]] = firsts[m];
      box.hi[group.modes[m]] = std::min(extent, firsts[m] + tile);
    }
  }
  return box;
}

/// Positions and indices of all elements of the packed tensor that lie in the box.
std::vector<std::pair<std::int64_t, Index>> elements_in(const Shape& shape, const Box& box) {
  std::vector<std::pair<std::int64_t, Index>> found;
  symmetry::UniqueElements all(shape);
  for (std::int64_t at = 0; at < shape.stored_size(); ++at) {
    all.seek(at);
    const Index index(all.index().begin(), all.index().end());
    bool inside = true;
    for (std::size_t m = 0; m < index.size(); ++m) inside = inside && box.lo[m] <= index[m] && index[m] < box.hi[m];
    if (inside) found.emplace_back(at, index);
  }
  return found;
}

TEST(PackedBox, HasTheElementsThatLieInItInTheOrderOfStorage) {
  std::mt19937 random(7);
  for (const Shape& shape : shapes()) {
    for (int turn = 0; turn < 60; ++turn) {
      const Box box = random_box(shape, random);
      const auto expected = elements_in(shape, box);
      const auto count = static_cast<std::int64_t>(expected.size());
      for (const int ranks : {1, 2, 5}) {
        std::vector<std::pair<std::int64_t, Index>> got;
        for (int rank = 0; rank < ranks; ++rank) {
          const Part part = part_of(count, ranks, rank);
          const std::size_t before = got.size();
          PackedBox(shape, box).for_each_run(part, [&](const StoredRun& run) {
            Index index = run.index;
            for (std::int64_t i = 0; i < run.count; ++i) {
              got.emplace_back(run.first + i, index);
              if (run.mode >= 0) ++index[static_cast<std::size_t>(run.mode)];
            }
          });
          EXPECT_EQ(static_cast<std::int64_t>(got.size() - before), part.count());
          EXPECT_LE(part.count(), largest_part(count, ranks));
        }
        ASSERT_EQ(got, expected) << shape << ", turn " << turn;
      }
    }
  }
}

}  // namespace
}  // namespace ricci::layout
