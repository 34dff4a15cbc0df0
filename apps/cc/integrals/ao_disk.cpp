// (pq|rs) on disk: block by block, of which each rank makes a share, and none needs more than a block.
#include <algorithm>
#include <utility>

#include <ricci/disk.hpp>
#include <ricci/expression.hpp>

#include "integrals/two_electron.hpp"

namespace cc {
namespace {

using ricci::Tensor;
using ricci::disk::Box;
using ricci::disk::Tile;

std::vector<std::pair<Tile, Tile>> ascending_pairs(const std::vector<Tile>& tiles) {
  std::vector<std::pair<Tile, Tile>> pairs;
  for (std::size_t q = 0; q < tiles.size(); ++q) {
    for (std::size_t p = 0; p <= q; ++p) pairs.emplace_back(tiles[p], tiles[q]);
  }
  return pairs;
}

/// This rank's part of a block: some of its first indices.
void fill(const TwoElectron& integrals, const Box& box, Tensor<double>& block) {
  const std::int64_t ranks = block.world().size(), rank = block.world().rank(), rows = box[0].length();
  std::array<std::int64_t, 4> lo = {}, hi = {};
  for (std::size_t mode = 0; mode < 4; ++mode) lo.at(mode) = box[mode].lo, hi.at(mode) = box[mode].hi;
  const std::int64_t first = rows * rank / ranks, last = rows * (rank + 1) / ranks;
  lo[0] = box[0].lo + first, hi[0] = box[0].lo + last;
  const std::int64_t size = (last - first) * box[1].length() * box[2].length() * box[3].length();
  std::vector<double> values(static_cast<std::size_t>(size));
  if (size > 0) integrals.block(lo, hi, values.data());
  std::vector<std::int64_t> keys(values.size());
  std::int64_t key = first * box[1].length() * box[2].length() * box[3].length();
  for (std::int64_t& one : keys) one = key++;  // row-major, as the values are
  block.write(keys, values);
}

}  // namespace

Held TwoElectron::on_disk(const Store& store) const {
  const std::int64_t n = functions();
  auto all = store.make_on_disk({n, n, n, n}, ricci::symmetric(0, 1) * ricci::symmetric(2, 3));
  const auto pairs = ascending_pairs(ricci::disk::tiles(n, store.tile()));
  for (std::size_t left = 0; left < pairs.size(); ++left) {
    for (std::size_t right = 0; right <= left; ++right) {
      const auto& [p, q] = pairs[left];
      const auto& [r, s] = pairs[right];
      const Box box{p, q, r, s}, turned{r, s, p, q};
      Tensor<double> block = ricci::disk::zero_block(all, box);
      fill(*this, box, block);
      if (right < left) {
        Tensor<double> other = ricci::disk::zero_block(all, turned);
        other["rspq"] = block["pqrs"];
        ricci::disk::write_block(all, turned, std::move(other));
      }
      ricci::disk::write_block(all, box, std::move(block));
    }
  }
  return Held(std::move(all));
}

}  // namespace cc
