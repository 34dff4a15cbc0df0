// Tensors in blocks (<ricci/disk.hpp>) against the same tensors in memory.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

namespace ricci::disk {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<std::int64_t> lo(const Box& box) {
  std::vector<std::int64_t> result;
  for (const Tile& tile : box) result.push_back(tile.lo);
  return result;
}
std::vector<std::int64_t> hi(const Box& box) {
  std::vector<std::int64_t> result;
  for (const Tile& tile : box) result.push_back(tile.hi);
  return result;
}

/// The block as a plain tensor.
std::vector<double> dense(const World& world, const Block& block, const Box& box) {
  Extents extents;
  for (const Tile& tile : box) extents.push_back(tile.length());
  Tensor<double> plain(world, extents);
  plain["abc"] = block["abc"];
  return plain.gather();
}

TEST(Tiles, CutAModeWithAShorterLastOne) {
  EXPECT_THAT(tiles(7, 3), ElementsAre(Tile{0, 3, 3}, Tile{3, 6, 3}, Tile{6, 7, 3}));
  EXPECT_THAT(cuts(7, 3), ElementsAre(0, 3, 6));
  EXPECT_TRUE(tiles(0, 3).empty());
  EXPECT_THROW(tiles(7, 0), InputError);
}

TEST(Tiles, AscendingOnesStandForAllOfTheirOrders) {
  const auto t = tiles(9, 3);
  EXPECT_EQ(orders({t[0], t[1], t[2]}), 6);
  EXPECT_EQ(orders({t[0], t[0], t[2]}), 3);
  EXPECT_EQ(orders({t[1], t[1], t[1]}), 1);
  EXPECT_EQ(orders({}), 1);
}

class SymmetricBlocks : public ::testing::TestWithParam<Symmetry> {};

/// Every block of an input, and of what was written from it, is the part of the whole tensor, sorted or not.
TEST_P(SymmetricBlocks, AreReadInAnyOrder) {
  World world;
  Scratch scratch(world);
  const std::int64_t n = 7, size = 3;
  Tensor<double> whole(world, {n, n, n}, GetParam());
  whole.fill_random(3);
  auto input = InputTensor<double>::random(scratch, {n, n, n}, GetParam(), 3);
  DiskTensor<double> stored(scratch, {n, n, n}, GetParam(), {cuts(n, size), cuts(n, size), cuts(n, size)});
  const auto for_each_box = [&](auto f) {
    for (const Tile a : tiles(n, size)) {
      for (const Tile b : tiles(n, size)) {
        for (const Tile c : tiles(n, size)) f(Box{a, b, c});
      }
    }
  };
  for_each_box([&](const Box& box) {
    bool is_canonical = true;
    for (const SymmetryGroup& group : GetParam().groups()) {
      for (std::size_t m = 1; m < group.modes.size(); ++m)
        is_canonical = is_canonical && !(box[group.modes[m]] < box[group.modes[m - 1]]);
    }
    if (!is_canonical) return;
    auto sum = zero_block(stored, box);
    sum["abc"] += read(input, box)["abc"];
    write_block(stored, box, std::move(sum));
  });
  for_each_box([&](const Box& box) {
    Extents extents;
    for (const Tile& tile : box) extents.push_back(tile.length());
    Tensor<double> plain(world, extents);
    plain["abc"] = whole.slice(lo(box), hi(box))["abc"];
    const std::vector<double> expected = plain.gather();
    EXPECT_THAT(dense(world, read(input, box), box), Pointwise(DoubleNear(1e-14), expected));
    EXPECT_THAT(dense(world, read(stored, box), box), Pointwise(DoubleNear(1e-14), expected));
    EXPECT_THAT(dense(world, read(whole, box), box), Pointwise(DoubleNear(1e-14), expected));
    EXPECT_EQ(read(stored, box).take<double>().extents(), extents);
  });
  EXPECT_NEAR(stored.norm2(), whole.norm2(), 1e-12);
  EXPECT_EQ(scratch.bytes_written(), 8 * whole.stored_size());
  stored.release();
  EXPECT_EQ(stored.norm2(), 0);
  const std::int64_t before = scratch.bytes_read();
  const Tile first = tiles(n, size)[0];
  EXPECT_EQ(read(stored, {first, first, first}).norm2(), 0);
  EXPECT_EQ(scratch.bytes_read(), before);
}

INSTANTIATE_TEST_SUITE_P(All, SymmetricBlocks,
                         ::testing::Values(Symmetry{}, symmetric(0, 1), antisymmetric(1, 2), hollow(0, 2),
                                           symmetric(0, 1, 2), antisymmetric(0, 1, 2)));

TEST(Factors, KeepWhatTheProductBeforeHasHad) {
  World world;
  Scratch scratch(world);
  DiskTensor<double> a(scratch, {6, 6}, {}, {cuts(6, 3), cuts(6, 3)});
  const auto t = tiles(6, 3);
  for (const Tile i : t) {
    for (const Tile j : t) {
      auto block = zero_block(a, {i, j});
      block.fill(1);
      write_block(a, {i, j}, std::move(block));
    }
  }
  Factors factors;
  const std::int64_t block = 9 * 8;
  factors.read(at(a, {t[0], t[0]}), at(a, {t[0], t[0]}));
  EXPECT_EQ(scratch.bytes_read(), block);
  factors.read(at(a, {t[0], t[1]}), at(a, {t[0], t[0]}));
  EXPECT_EQ(scratch.bytes_read(), 2 * block);
  factors.forget();
  factors.read(at(a, {t[0], t[1]}));
  EXPECT_EQ(scratch.bytes_read(), 3 * block);
}

TEST(Parts, AreMultipliedWhereTheyLie) {
  World world;
  Tensor<std::complex<double>> a(world, {5, 6}), b(world, {6, 4}), c(world, {5, 4}), expected(world, {5, 4});
  a.fill_random(1);
  b.fill_random(2);
  expected["ij"] = 2.0 * conj(a["ik"]) * b["kj"];
  Parts part(world);
  for (const Tile i : tiles(5, 2)) {
    for (const Tile k : tiles(6, 4))
      part(c, {i, all})["ij"] += 2.0 * conj(part(a, {i, k})["ik"]) * part(b, {k, all})["kj"];
  }
  expected["ij"] -= c["ij"];
  EXPECT_LT(expected.norm2(), 1e-13);
}

/// Blocks have memory that others will use: a tensor that one is moved to keeps it.
TEST(DiskBlocks, MayBeMovedToTensorsOfTheUsers) {
  World world;
  Scratch scratch(world);
  auto input = InputTensor<double>::random(scratch, {6, 6}, {}, 5);
  Tensor<double> x(world, {2, 2}), whole(world, {6, 6});
  whole.fill_random(5);
  const auto t = tiles(6, 3);
  for (const Tile i : t) {
    x = read(input, {i, t[1]}).take<double>();
    const Tensor<double> part = x.slice({0, 1}, {3, 3});
    EXPECT_EQ(x.gather(), whole.slice({i.lo, 3}, {i.hi, 6}).gather());
    EXPECT_EQ(part.gather(), whole.slice({i.lo, 4}, {i.hi, 6}).gather());
  }
  x = Tensor<double>(world, {1});
  EXPECT_EQ(x.gather(), std::vector<double>{0});
}

TEST(DiskBlocks, GoToAFileAtOnce) {
  World world;
  Scratch scratch(world);
  const auto folder = std::filesystem::temp_directory_path() / "ricci_disk_blocks_test";
  std::filesystem::create_directories(folder);
  for (const char* name : {"x.npy", "x.h5:/x"}) {
    const std::string where = folder / name;
    DiskTensor<double> x(scratch, {5, 7}, {}, {cuts(5, 2), cuts(7, 4)}, where);
    Tensor<double> whole(world, {5, 7}), loaded(world, {5, 7});
    whole.fill_random(2);
    for (const Tile i : tiles(5, 2)) {
      for (const Tile j : tiles(7, 4)) write_block(x, {i, j}, whole.slice({i.lo, j.lo}, {i.hi, j.hi}));
    }
    EXPECT_THROW(loaded.load(where), InputError);  // not before it is complete
    EXPECT_THROW(read(x, {tiles(5, 2)[0], tiles(7, 4)[0]}), InputError);
    EXPECT_THROW(x.save(where + "x"), InputError);
    x.save(where);
    x.save(where);
    loaded.load(where);
    EXPECT_EQ(loaded.gather(), whole.gather());
    EXPECT_NEAR(x.norm2(), whole.norm2(), 1e-14);
    EXPECT_THROW(write_block(x, {tiles(5, 2)[0], tiles(7, 4)[0]}, Tensor<double>(world, {2, 4})), InputError);
  }
  EXPECT_THROW(DiskTensor<double>(scratch, {4, 4}, symmetric(0, 1), {cuts(4, 2), cuts(4, 2)}, folder / "s.npy"),
               InputError);
  std::filesystem::remove_all(folder);
}

TEST(DiskBlocks, RefuseBoxesThatAreNone) {
  World world;
  Scratch scratch(world);
  DiskTensor<double> a(scratch, {6, 6}, {}, {cuts(6, 3), cuts(6, 3)});
  EXPECT_THROW(read(a, {all}), InputError);
  EXPECT_THROW(read(a, {all, Tile{4, 9, 5}}), InputError);
  EXPECT_THROW(write_block(a, {all, Tile{1, 3, 2}}, Tensor<double>(world, {6, 2})), InputError);
  EXPECT_THROW(read(a, {all, all}).take<float>(), InputError);
  write_block(a, {all, all}, Tensor<double>(world, {6, 6}));  // several blocks
  EXPECT_EQ(scratch.bytes_written(), 36 * 8);
}

}  // namespace
}  // namespace ricci::disk
