// Contractions on ranks with a disk each: every way, against a plain product, and to the byte.
#include <complex>
#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "compile/parallel_disk_choice.hpp"
#include "compile/parallel_disk_walk.hpp"
#include "program/parallel_disk_run.hpp"
#include "storage/scratch.hpp"

namespace ricci_test {
namespace {

using namespace ricci::compile::parallel_disk;
using ricci::comm::Communicator;
using ricci::program::ParallelDiskCounts;
using ricci::program::ParallelDiskFiles;
using ricci::program::ParallelDiskPlace;
using ricci::program::ParallelDiskProduct;

std::int64_t roll(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

/// Small whole numbers, so that sums are exact in any order.
template <class T>
T value(Array array, std::int64_t row, std::int64_t column) {
  const std::int64_t n = (static_cast<std::int64_t>(array) * 5 + row * 7 + column * 3 + row * column) % 7 - 3;
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
    return T(static_cast<typename T::value_type>(n), static_cast<typename T::value_type>((n * n + column) % 5 - 2));
  else
    return static_cast<T>(n);
}

class ParallelDisk : public testing::Test {
 protected:
  Communicator ranks_ = Communicator::world();
  ricci::storage::ScratchDirectory scratch_{std::filesystem::temp_directory_path().string()};
  ricci::storage::BlockIo io_{{.kind = ricci::storage::IoKind::threads, .in_flight = 2}};
  ricci::MemoryMeter meter_;
  int files_ = 0;

  ParallelDiskPlace place() {
    return {ranks_, io_, [this] { return scratch_.file(std::to_string(++files_)); }, 1, nullptr, &meter_};
  }
};

/// f(place in the tile, row and column of the array) for all elements of a tile that the array really has.
template <class F>
void for_elements(const ParallelDiskProgram& program, const TileGrid& grid, std::int64_t tile, int rank, F f) {
  const std::int64_t row_part = part_of(program, grid.rows.label, rank, 0);
  const std::int64_t column_part = part_of(program, grid.columns.label, rank, 0);
  for (const TileRange& rows : grid.rows.fine_ranges(tile / grid.columns.count())) {
    for (const TileRange& columns : grid.columns.fine_ranges(tile % grid.columns.count())) {
      const std::int64_t begin = grid.fine_tile(tile, rows, columns).begin;
      for (std::int64_t r = 0; r < rows.size; ++r) {
        for (std::int64_t c = 0; c < columns.size; ++c) {
          const std::int64_t row = row_part * grid.rows.tiles.whole() + rows.begin + r;
          const std::int64_t column = column_part * grid.columns.tiles.whole() + columns.begin + c;
          if (row < grid.rows.tiles.extent && column < grid.columns.tiles.extent)
            f(begin + r * columns.size + c, row, column);
        }
      }
    }
  }
}

template <class T>
void fill(const ParallelDiskProduct& product, Array array, int rank, ricci::storage::DiskArray& file) {
  const TileGrid grid = product.program.grid(array);
  for (std::int64_t tile = 0; tile < grid.tiles(); ++tile) {
    std::vector<T> data(static_cast<std::size_t>(grid.share(tile) * grid.sharing), T(0));
    for_elements(product.program, grid, tile, rank, [&](std::int64_t at, std::int64_t row, std::int64_t column) {
      const bool swapped = product.program.transposed.of(array);
      data[static_cast<std::size_t>(at)] = value<T>(array, swapped ? column : row, swapped ? row : column);
    });
    const auto bytes = std::as_bytes(std::span(data));
    const std::size_t share = bytes.size() / static_cast<std::size_t>(grid.sharing);
    file.write(tile, bytes.subspan(grid.sharing > 1 ? share * static_cast<std::size_t>(rank) : 0, share));
  }
}

template <class T>
T expected(const ParallelDiskCase& c, const ParallelDiskProduct& product, std::int64_t i, std::int64_t j, bool read) {
  const auto conjugated = [](T x, bool yes) {
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
      return yes ? std::conj(x) : x;
    else
      return x;
  };
  T sum = 0;
  for (std::int64_t k = 0; k < c.k; ++k) {
    sum += conjugated(value<T>(Array::a, i, k), product.conjugate_a) *
           conjugated(value<T>(Array::b, j, k), product.conjugate_b);
  }
  return static_cast<T>(product.coefficient) * sum + (read ? value<T>(Array::c, i, j) : T(0));
}

template <class T>
void check(const ParallelDiskCase& c, const ParallelDiskProduct& product, int rank, ricci::storage::DiskArray& file) {
  const TileGrid grid = product.program.grid(Array::c);
  for (std::int64_t tile = 0; tile < grid.tiles(); ++tile) {
    std::vector<T> data(static_cast<std::size_t>(grid.elements(tile)));
    file.read(tile, std::as_writable_bytes(std::span(data)));
    for_elements(product.program, grid, tile, rank, [&](std::int64_t at, std::int64_t row, std::int64_t column) {
      const bool swapped = product.program.transposed.c;
      const std::int64_t i = swapped ? column : row, j = swapped ? row : column;
      ASSERT_EQ(data[static_cast<std::size_t>(at)], expected<T>(c, product, i, j, c.accumulate)) << i << ' ' << j;
    });
  }
}

template <class T>
void run_and_check(const ParallelDiskCase& c, const ParallelDiskProduct& product, const ParallelDiskPlace& place) {
  const int rank = place.communicator.rank();
  ParallelDiskFiles files;
  for (const Array array : {Array::a, Array::b}) {
    files.of(array) = make_tile_file(product, array, place);
    fill<T>(product, array, rank, *files.of(array));
  }
  if (c.accumulate && (rank == 0 || product.program.method.algorithm != ParallelAlgorithm::accumulation)) {
    files.c = make_tile_file(product, Array::c, place);
    fill<T>(product, Array::c, rank, *files.c);
  }
  const ParallelDiskCounts counts = run_parallel_disk(product, files, place);
  const ProgramVolumes volumes = volumes_of(product.program, rank);
  EXPECT_EQ(counts.disk.read_bytes, volumes.read * sizeof(T));
  EXPECT_EQ(counts.disk.written_bytes, volumes.written * sizeof(T));
  EXPECT_EQ(counts.sent_bytes, sent_bytes(product.program, sizeof(T)));
  EXPECT_LE(place.meter->peak(), held_elements(product.program) * static_cast<std::int64_t>(sizeof(T)));
  check<T>(c, product, rank, *files.c);
}

TEST_F(ParallelDisk, EveryWayGivesThePlainProductAndMovesWhatWasPredicted) {
  std::mt19937_64 random(11);
  for (int n = 0; n < 8; ++n) {
    ParallelDiskCase c;
    c.ranks = ranks_.size();
    for (std::int64_t* extent : {&c.i, &c.j, &c.k}) *extent = roll(random, 0, 5) == 0 ? 1 : roll(random, 1, 21);
    c.tile_elements = roll(random, 6, 80);
    c.divide_memory_freely = n % 3 == 0;
    c.accumulate = n % 2 == 0;
    for (const ParallelDiskMethod& method : all_methods()) {
      if (method.algorithm == ParallelAlgorithm::rotation && !c.grid_side()) continue;
      const RefinedTiles refined = refine(c, method);
      ParallelDiskProduct product{.program = make_program(c, method, refined.resident, refined.tiles)};
      product.coefficient = n % 4 - 2;
      product.conjugate_a = n % 5 == 1;
      product.conjugate_b = n % 3 == 1;
      product.program.transposed = {roll(random, 0, 1) == 1, roll(random, 0, 1) == 1, roll(random, 0, 1) == 1};
      read_ahead(product.program, 3 * c.tile_elements * roll(random, 1, 3));
      SCOPED_TRACE(fmt::format("{}\n{}\n{}", fmt::streamed(c), fmt::streamed(method), fmt::streamed(product.program)));
      meter_.restart();
      switch (roll(random, 0, 3)) {
        case 0:
          product.type = ricci::ElementType::f32;
          run_and_check<float>(c, product, place());
          break;
        case 1:
          product.type = ricci::ElementType::c32;
          run_and_check<std::complex<float>>(c, product, place());
          break;
        case 2:
          product.type = ricci::ElementType::c64;
          run_and_check<std::complex<double>>(c, product, place());
          break;
        default:
          run_and_check<double>(c, product, place());
      }
      if (HasFailure()) return;
    }
  }
}

/// One rank's disk fails in the middle: every rank hears of it, and none waits forever.
TEST_F(ParallelDisk, AFailingDiskIsAnErrorOnAllRanks) {
  for (const ParallelDiskMethod& method : all_methods()) {
    ParallelDiskCase c{.i = 12, .j = 12, .k = 12, .ranks = ranks_.size(), .tile_elements = 8};
    if (method.order != DiskOrder::cab || (method.algorithm == ParallelAlgorithm::rotation && !c.grid_side())) continue;
    c.accumulate = false;
    const RefinedTiles refined = refine(c, method);
    const ParallelDiskProduct product{.program = make_program(c, method, refined.resident, refined.tiles)};
    ParallelDiskPlace here = place();
    ParallelDiskFiles files;
    for (const Array array : {Array::a, Array::b}) {
      files.of(array) = make_tile_file(product, array, here);
      fill<double>(product, array, ranks_.rank(), *files.of(array));
    }
    if (ranks_.rank() == ranks_.size() - 1)
      here.new_file = []() -> std::string { throw ricci::ResourceError("the disk is full"); };
    EXPECT_THROW(run_parallel_disk(product, files, here), ricci::ResourceError) << method;
  }
}

/// A tile that another program has changed.
TEST_F(ParallelDisk, DamageIsFoundOnAllRanks) {
  for (const ParallelDiskMethod& method : all_methods()) {
    ParallelDiskCase c{.i = 12, .j = 12, .k = 12, .ranks = ranks_.size(), .tile_elements = 8};
    if (method.order != DiskOrder::abc || (method.algorithm == ParallelAlgorithm::rotation && !c.grid_side())) continue;
    c.accumulate = false;
    const RefinedTiles refined = refine(c, method);
    const ParallelDiskProduct product{.program = make_program(c, method, refined.resident, refined.tiles)};
    const ParallelDiskPlace here = place();
    ParallelDiskFiles files;
    for (const Array array : {Array::a, Array::b}) {
      files.of(array) = make_tile_file(product, array, here);
      fill<double>(product, array, ranks_.rank(), *files.of(array));
    }
    if (ranks_.rank() == 0) {
      std::fstream file(files.a->path(), std::ios::in | std::ios::out | std::ios::binary);
      file.put('x');
    }
    EXPECT_THROW(run_parallel_disk(product, files, here), ricci::ResourceError) << method;
  }
}

/// Nothing to multiply: C is zero, or as it was.
TEST_F(ParallelDisk, EmptyLabels) {
  for (const ParallelDiskMethod& method : all_methods()) {
    for (int empty = 0; empty < 3; ++empty) {
      ParallelDiskCase c{.i = 5, .j = 4, .k = 3, .ranks = ranks_.size(), .tile_elements = 4};
      if (method.algorithm == ParallelAlgorithm::rotation && !c.grid_side()) continue;
      c.accumulate = empty == 2 && method.order == DiskOrder::abc;
      *std::array{&c.i, &c.j, &c.k}[static_cast<std::size_t>(empty)] = 1;
      const RefinedTiles refined = refine(c, method);
      ParallelDiskProduct product{.program = make_program(c, method, refined.resident, refined.tiles)};
      product.program.labels[static_cast<std::size_t>(empty)].extent = 0;
      *std::array{&c.i, &c.j, &c.k}[static_cast<std::size_t>(empty)] = 0;
      SCOPED_TRACE(fmt::format("{} {}", empty, fmt::streamed(method)));
      meter_.restart();
      run_and_check<double>(c, product, place());
    }
  }
}

}  // namespace
}  // namespace ricci_test
