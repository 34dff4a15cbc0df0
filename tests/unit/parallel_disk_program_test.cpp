// The loops of a plan: run tile by tile for every rank, and printed.
#include <array>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "parallel_disk_case.hpp"

namespace ricci_test {
namespace {

struct Range {
  std::int64_t from = 0, to = 0;
};

/// Runs a program for one rank of small arrays: marks every product that it makes and counts what it moves.
class RankRun {
 public:
  RankRun(const ParallelDiskProgram& program, int rank, std::vector<int>& products)
      : program_(program), rank_(rank), products_(products) {
    for (int n = 0; n < 3; ++n) ranges_[n] = {0, program.labels[n].whole()};
    for (const DiskStep& step : program.steps) run(step);
  }

  double read = 0, written = 0, sent = 0;

 private:
  void run(const DiskStep& step) {
    if (step.kind == DiskStepKind::loop) return run_loops(step, 0);
    if (step.kind == DiskStepKind::rotations) {
      for (rotation_ = 0; rotation_ < step.rotations; ++rotation_) run_body(step);
      rotation_ = 0;
      return;
    }
    if (step.kind == DiskStepKind::multiply) return multiply();
    move(step);
  }

  void run_body(const DiskStep& step) {
    for (const DiskStep& inner : step.body) run(inner);
  }

  void run_loops(const DiskStep& step, std::size_t number) {
    if (number == step.loops.size()) return run_body(step);
    const TileLoop& loop = step.loops[number];
    Range& range = ranges_[static_cast<int>(loop.label)];
    const Range whole = range;
    int tiles = 0;
    const std::int64_t parts = program_.label(loop.label).parts, block = (loop.block + parts - 1) / parts;
    for (std::int64_t from = whole.from; from < whole.to; from += block) {
      range = {from, std::min(whole.to, from + block)};
      run_loops(step, number + 1);
      ++tiles;
    }
    EXPECT_LE(tiles, loop.tiles);
    range = whole;
  }

  // Which part of a label's tiles the rank has; K's part moves with the rotations, as in Cannon's algorithm.
  std::int64_t part(Label label) const {
    const std::int64_t side = program_.label(label).parts;
    if (side == 1) return 0;
    if (program_.method.algorithm != ParallelAlgorithm::rotation) return rank_;
    const std::int64_t row = rank_ / side, column = rank_ % side;
    return label == Label::i ? row : label == Label::j ? column : (row + column + rotation_) % side;
  }

  /// Of the whole label, without what it is filled up with.
  Range mine(Label label) const {
    const Range range = ranges_[static_cast<int>(label)];
    const LabelTiles& tiles = program_.label(label);
    const std::int64_t before = part(label) * tiles.whole();
    return {std::min(tiles.extent, before + range.from), std::min(tiles.extent, before + range.to)};
  }

  void multiply() {
    const Range i = mine(Label::i), j = mine(Label::j), k = mine(Label::k);
    for (std::int64_t x = i.from; x < i.to; ++x) {
      for (std::int64_t y = j.from; y < j.to; ++y) {
        for (std::int64_t z = k.from; z < k.to; ++z) {
          ++products_[(x * program_.labels[1].extent + y) * program_.labels[2].extent + z];
        }
      }
    }
  }

  std::int64_t tile(Array array) const {
    std::int64_t product = 1;
    for (const Label label : labels_of(array)) {
      const Range range = ranges_[static_cast<int>(label)];
      product *= range.to - range.from;
    }
    return product;
  }

  void move(const DiskStep& step) {
    const std::int64_t size = tile(step.array), share = (size + step.sharing - 1) / step.sharing;
    EXPECT_LE(size, step.local[0] * step.local[1]);
    const bool first_visit = rotation_ == 0 && ranges_[2].from == 0;
    const bool is_first = program_.method.algorithm != ParallelAlgorithm::accumulation || rank_ == 0;
    const bool inside = program_.method.communication == Communication::inside;
    const bool zero =
        step.array == Array::c && ((step.zero_first && first_visit) || (!is_first && (inside || first_visit)));
    if (step.kind == DiskStepKind::read && !zero) read += static_cast<double>(share);
    if (step.kind == DiskStepKind::write) written += static_cast<double>(share);
    if (program_.ranks == 1) return;
    if (step.kind == DiskStepKind::shift || step.kind == DiskStepKind::broadcast) sent += static_cast<double>(size);
    if (step.kind == DiskStepKind::reduce) sent += static_cast<double>(size) * program_.log_p;
    if (!step.out_of_core) return;
    const TileGrid grid = program_.grid(step.array);
    for (std::int64_t n = 0; n < grid.tiles(); ++n) {
      read += static_cast<double>(step.kind == DiskStepKind::broadcast ? grid.share(n) : grid.elements(n));
      written += static_cast<double>(grid.elements(n));
    }
  }

  const ParallelDiskProgram& program_;
  int rank_;
  std::vector<int>& products_;
  std::array<Range, 3> ranges_;
  std::int64_t rotation_ = 0;
};

TEST(ParallelDiskProgram, MakesEveryProductOnceAndMovesWhatIsCounted) {
  std::mt19937_64 random(9);
  for (int n = 0; n < 40; ++n) {
    const ParallelDiskCase c = random_small_case(random);
    for (const ParallelDiskMethod& method : all_methods()) {
      const RefinedTiles refined = refine(c, method);
      const ParallelDiskProgram program = make_program(c, method, refined.resident, refined.tiles);
      std::vector<int> products(static_cast<std::size_t>(c.i * c.j * c.k), 0);
      for (int rank = 0; rank < c.ranks; ++rank) {
        const ProgramVolumes counted = volumes_of(program, rank);
        const RankRun run(program, rank, products);
        ASSERT_NEAR(run.read, counted.read, 1e-9 * counted.read) << c << '\n' << method << '\n' << program;
        ASSERT_NEAR(run.written, counted.written, 1e-9 * counted.written) << c << '\n' << method << '\n' << program;
        ASSERT_NEAR(run.sent, counted.communication, 1e-9 * run.sent) << c << '\n' << method << '\n' << program;
      }
      ASSERT_EQ(products, std::vector<int>(products.size(), 1)) << c << '\n' << method << '\n' << program;
    }
  }
}

// Where all tiles are even, the tables and the loops agree, but for the disk traffic of two collectives.
TEST(ParallelDiskProgram, MovesWhatTheTablesSay) {
  std::mt19937_64 random(10);
  for (int n = 0; n < 60; ++n) {
    ParallelDiskCase c = random_small_case(random);
    c.ranks = 4;
    TileNumbers tiles;
    std::int64_t extents[3];
    for (const Label label : all_labels) {
      tiles.outer(label) = static_cast<double>(random_whole(random, 1, 5));
      extents[static_cast<int>(label)] = static_cast<std::int64_t>(tiles.outer(label)) * 24;
    }
    c.i = extents[0], c.j = extents[1], c.k = extents[2];
    for (const ParallelDiskMethod& method : all_methods()) {
      TileNumbers cut = tiles;
      cut.inner(roles_of(method.order).last) = static_cast<double>(random_whole(random, 1, 3));
      // With outside communication the tables count arrays that stay in memory as if they were read for every step.
      ResidentArrays resident;
      if (method.communication == Communication::inside) resident = {n % 2 == 1, n % 3 == 1, n % 5 == 1};
      if (resident.all()) continue;
      const ProgramVolumes loops = volumes_of(make_program(c, method, resident, cut));
      const DiskVolumes table = volumes_of(c, method, resident, cut);
      EXPECT_NEAR(loops.communication, table.communication, 1e-9 * table.communication) << c << '\n' << method;
      const double by_communication = loops.communication_read + loops.communication_written;
      EXPECT_NEAR(loops.read + loops.written - by_communication, table.disk_computation, 1e-9 * loops.read) << c << '\n'
                                                                                                            << method;
      if (method.communication == Communication::inside) {
        EXPECT_EQ(by_communication, 0);
      } else if (method.algorithm == ParallelAlgorithm::rotation) {
        EXPECT_NEAR(by_communication, table.disk_communication, 1e-9 * by_communication);
      } else if (method.algorithm == ParallelAlgorithm::replication) {
        // D1 = A: written by all, but before that read by its owners.
        EXPECT_NEAR(by_communication, table.disk_communication * (1 + 1.0 / c.ranks), 1e-9 * by_communication);
      } else {
        // D1 = C: read, but afterwards written, too.
        EXPECT_NEAR(by_communication, table.disk_communication * 2, 1e-9 * by_communication);
      }
    }
  }
}

std::string text(const ParallelDiskMethod& method, ResidentArrays resident = {}, bool accumulate = true) {
  ParallelDiskCase c{.i = 80, .j = 120, .k = 160, .ranks = 4};
  c.accumulate = accumulate;
  TileNumbers tiles{.it1 = 2, .jt1 = 3, .kt1 = 4};
  tiles.inner(roles_of(method.order).last) = 5;
  std::ostringstream out;
  out << make_program(c, method, resident, tiles);
  return out.str();
}

using enum ParallelAlgorithm;
using enum Communication;

TEST(ParallelDiskProgram, PrintsInsideCommunicationAsInFigure1) {
  EXPECT_EQ(text({rotation, inside, DiskOrder::abc}), R"(for It1 = 1..2, Kt1 = 1..4
  Collective Read A[Ii1,Ki1]  (Local Read 20 x 20)
  for Jt1 = 1..3
    Collective Read B[Ji1,Ki1]  (Local Read 20 x 20)
    for It2 = 1..5
      Collective Read C[Ii2,Ji1]  (Local Read 4 x 20)
      for 2 Rotations
        C[Ii2,Ji1] += A[Ii2,Ki1] * B[Ji1,Ki1]
        Circular-shift In-Core A[Ii2,Ki1]
        Circular-shift In-Core B[Ji1,Ki1]
      Collective Write C[Ii2,Ji1]  (Local Write 4 x 20)
)");
  EXPECT_EQ(text({replication, inside, DiskOrder::bac}), R"(for Jt1 = 1..3, Kt1 = 1..4
  Collective Read B[Ji1,Ki1]  (Local Read 10 x 40)
  for It1 = 1..2
    Collective Read A[Ii1,Ki1]  (Local Read 40 x 40 / 4)
    A2A Broadcast In-Core A[Ii1,Ki1]
    for Jt2 = 1..5
      Collective Read C[Ii1,Ji2]  (Local Read 40 x 2)
      C[Ii1,Ji2] += A[Ii1,Ki1] * B[Ji2,Ki1]
      Collective Write C[Ii1,Ji2]  (Local Write 40 x 2)
)");
  EXPECT_EQ(text({accumulation, inside, DiskOrder::cba}, {}, false), R"(for It1 = 1..2, Jt1 = 1..3
  Local Read C[Ii1,Ji1]  (40 x 40; zero at first)
  for Kt1 = 1..4
    Collective Read B[Ji1,Ki1]  (Local Read 40 x 10)
    for It2 = 1..5
      Collective Read A[Ii2,Ki1]  (Local Read 8 x 10)
      C[Ii2,Ji1] += A[Ii2,Ki1] * B[Ji1,Ki1]
  All-Reduce In-Core C[Ii1,Ji1]
  Local Write C[Ii1,Ji1]  (40 x 40)
)");
}

TEST(ParallelDiskProgram, PrintsOutsideCommunicationAsInFigure2) {
  EXPECT_EQ(text({rotation, outside, DiskOrder::acb}), R"(for 2 Rotations
  for It1 = 1..2, Kt1 = 1..4
    Collective Read A[Ii1,Ki1]  (Local Read 20 x 20)
    for Jt1 = 1..3
      Collective Read C[Ii1,Ji1]  (Local Read 20 x 20)
      for Kt2 = 1..5
        Collective Read B[Ji1,Ki2]  (Local Read 20 x 4)
        C[Ii1,Ji1] += A[Ii1,Ki2] * B[Ji1,Ki2]
      Collective Write C[Ii1,Ji1]  (Local Write 20 x 20)
  Circular-shift Out-of-Core A[I,K]
  Circular-shift Out-of-Core B[J,K]
)");
  EXPECT_EQ(text({replication, outside, DiskOrder::bca, Array::b}), R"(A2A Broadcast Out-of-Core B[J,K]
for Jt1 = 1..3, Kt1 = 1..4
  Local Read B[Ji1,Ki1]  (40 x 40)
  for It1 = 1..2
    Collective Read C[Ii1,Ji1]  (Local Read 10 x 40)
    for Kt2 = 1..5
      Collective Read A[Ii1,Ki2]  (Local Read 10 x 8)
      C[Ii1,Ji1] += A[Ii1,Ki2] * B[Ji1,Ki2]
    Collective Write C[Ii1,Ji1]  (Local Write 10 x 40)
)");
  EXPECT_EQ(text({accumulation, outside, DiskOrder::cab}), R"(for It1 = 1..2, Jt1 = 1..3
  Local Read C[Ii1,Ji1]  (40 x 40)
  for Kt1 = 1..4
    Collective Read A[Ii1,Ki1]  (Local Read 40 x 10)
    for Jt2 = 1..5
      Collective Read B[Ji2,Ki1]  (Local Read 8 x 10)
      C[Ii1,Ji2] += A[Ii1,Ki1] * B[Ji2,Ki1]
  Local Write C[Ii1,Ji1]  (40 x 40)
All-Reduce Out-of-Core C[I,J]
)");
}

TEST(ParallelDiskProgram, KeepsArraysInMemory) {
  EXPECT_EQ(text({replication, outside, DiskOrder::bac}, {.a = true}),
            R"(Collective Read A[I,K]  (Local Read 80 x 160 / 4)
A2A Broadcast In-Core A[I,K]
for Jt1 = 1..3, Kt1 = 1..4
  Collective Read B[Ji1,Ki1]  (Local Read 10 x 40)
  for It1 = 1..2
    for Jt2 = 1..5
      Collective Read C[Ii1,Ji2]  (Local Read 40 x 2)
      C[Ii1,Ji2] += A[Ii1,Ki1] * B[Ji2,Ki1]
      Collective Write C[Ii1,Ji2]  (Local Write 40 x 2)
)");
  EXPECT_EQ(text({accumulation, outside, DiskOrder::abc}, {.c = true}, false),
            R"(Local Read C[I,J]  (80 x 120; zero at first)
for It1 = 1..2, Kt1 = 1..4
  Collective Read A[Ii1,Ki1]  (Local Read 40 x 10)
  for Jt1 = 1..3
    Collective Read B[Ji1,Ki1]  (Local Read 40 x 10)
    for It2 = 1..5
      C[Ii2,Ji1] += A[Ii2,Ki1] * B[Ji1,Ki1]
All-Reduce In-Core C[I,J]
Local Write C[I,J]  (80 x 120)
)");
}

}  // namespace
}  // namespace ricci_test
