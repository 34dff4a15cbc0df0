#include "program/tile_moves.hpp"

#include <cstring>
#include <numeric>

namespace ricci::program {

using compile::parallel_disk::Array;
using compile::parallel_disk::ParallelAlgorithm;
using compile::parallel_disk::TileRun;

namespace {

/// Bytes for or from each rank, one after the other.
struct Mail {
  std::vector<std::int64_t> bytes, at;
  AlignedBuffer data;
  explicit Mail(int ranks) : bytes(static_cast<std::size_t>(ranks), 0), at(bytes) {}
  void make_room() {
    std::exclusive_scan(bytes.begin(), bytes.end(), at.begin(), std::int64_t{0});
    data = AlignedBuffer(at.back() + bytes.back());
  }
};

}  // namespace

TileMoves::TileMoves(const ParallelDiskProduct& product, Array array, const compile::parallel_disk::ArrayMatrix& matrix,
                     Direction direction)
    : product_(product), array_(array), matrix_(matrix), grid_(product.program.grid(array)), direction_(direction) {}

bool TileMoves::takes_part(std::int64_t tile, int rank) const {
  if (array_ != Array::c || product_.program.method.algorithm != ParallelAlgorithm::accumulation) return true;
  return rank == (direction_ == Direction::to_tiles ? 0 : tile % product_.program.ranks);
}

bool TileMoves::touches(std::int64_t tile, const compile::Box& box) const {
  return compile::parallel_disk::touches(grid_, matrix_, tile, box);
}

/// f(place in what the rank keeps of the tile, owner of the element in the tensor, place there, how many that follow).
template <class F>
void TileMoves::for_each_piece(std::int64_t tile, int rank, const SpreadBox& box, F&& f) const {
  if (!takes_part(tile, rank)) return;
  const std::size_t last = box.box.lo.size() - 1;
  std::vector<std::int64_t> index(box.box.lo.size());
  const auto& modes = matrix_.columns.modes;
  const std::size_t step = modes.empty() ? last : static_cast<std::size_t>(modes.back());
  for_each_run(product_.program, grid_, matrix_, tile, rank, box.box, [&](const TileRun& run) {
    for (std::size_t m = 0; m <= last; ++m) index[m] = run.indices[m] - box.box.lo[m];
    for (std::int64_t done = 0; done < run.count;) {
      const layout::Spot spot = box.locator.spot(index.data());
      const std::int64_t together = modes.empty() ? 1 : box.locator.run_along(index.data(), modes.back(), index[step]);
      const std::int64_t count = std::min(run.count - done, together);
      f(run.place + done, spot.rank, spot.place, count);
      done += count;
      index[step] += count;
    }
  });
}

std::int64_t TileMoves::sent(std::int64_t tile, const SpreadBox& box, int rank) const {
  std::int64_t elements = 0;
  for (int other = 0; other < product_.program.ranks; ++other) {
    if (direction_ == Direction::from_tiles && other != rank) continue;
    for_each_piece(tile, other, box, [&](std::int64_t, int owner, std::int64_t, std::int64_t count) {
      const int from = direction_ == Direction::to_tiles ? owner : other;
      const int to = direction_ == Direction::to_tiles ? other : owner;
      if (from == rank && to != rank) elements += count;
    });
  }
  return elements;
}

void TileMoves::run(std::int64_t tile, const SpreadBox& box, std::byte* spread, std::byte* kept,
                    const comm::Communicator& communicator) const {
  const int ranks = communicator.size(), me = communicator.rank();
  const auto size = static_cast<std::int64_t>(element_size(product_.type));
  // What this rank keeps of the tile comes from, or goes to, the owners of the elements; what it owns goes the other
  // way.
  Mail of_tile(ranks), of_tensor(ranks);
  const auto for_tile = [&](auto&& f) { for_each_piece(tile, me, box, f); };
  const auto for_tensor = [&](auto&& f) {
    for (int other = 0; other < ranks; ++other) {
      for_each_piece(tile, other, box, [&](std::int64_t, int owner, std::int64_t place, std::int64_t count) {
        if (owner == me) f(place, other, count);
      });
    }
  };
  for_tile([&](std::int64_t, int owner, std::int64_t, std::int64_t n) { of_tile.bytes[owner] += n * size; });
  for_tensor([&](std::int64_t, int other, std::int64_t n) { of_tensor.bytes[other] += n * size; });
  comm::together(communicator, [&] {
    of_tile.make_room();
    of_tensor.make_room();
  });
  const auto copy = [&](bool into, std::byte* mail, std::byte* place, std::int64_t n) {
    std::memcpy(into ? mail : place, into ? place : mail, static_cast<std::size_t>(n * size));
  };
  const auto copy_tile = [&](bool into) {
    std::vector<std::int64_t> at = of_tile.at;
    for_tile([&](std::int64_t place, int owner, std::int64_t, std::int64_t n) {
      copy(into, of_tile.data.data() + at[owner], kept + place * size, n);
      at[owner] += n * size;
    });
  };
  const auto copy_tensor = [&](bool into) {
    std::vector<std::int64_t> at = of_tensor.at;
    for_tensor([&](std::int64_t place, int other, std::int64_t n) {
      copy(into, of_tensor.data.data() + at[other], spread + place * size, n);
      at[other] += n * size;
    });
  };
  const bool to_tiles = direction_ == Direction::to_tiles;
  const Mail &sent = to_tiles ? of_tensor : of_tile, &received = to_tiles ? of_tile : of_tensor;
  if (to_tiles)
    copy_tensor(true);
  else
    copy_tile(true);
  communicator.exchange(sent.data.data(), sent.bytes, sent.at, received.data.data(), received.bytes, received.at);
  if (to_tiles)
    copy_tile(false);
  else
    copy_tensor(false);
}

}  // namespace ricci::program
