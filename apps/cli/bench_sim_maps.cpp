// ricci bench sim --maps: three mappings of one contraction onto a torus, as planned and as simulated.
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <ricci/mpi.hpp>
#include <ricci/ricci.hpp>

#include "bench_sim.hpp"

namespace cli {
namespace {

/// A mapping of C[i,j,a,b] = A[i,j,k] · B[k,a,b] onto a grid of three equal dimensions: of the tensors, and of the
/// blocks (Rajbhandari et al., Framework for distributed contractions of tensors with symmetry, Table I).
struct Map {
  const char* name;
  const char *a, *b, *c;
  const char* blocks;  // the labels that are spread, one after the other over the dimensions of the grid
};

constexpr Map maps[] = {
    {"Map1: DC + DDA, rotation and reduction", "i:g0 j:g1 k:g2", "k:g2 a:g0 b:g1", "i:g0 j:g1 a:g2 b:*", "ijk"},
    {"Map2: DE + S + DDO, broadcasts", "i:g0 j:g1 k:g2", "k:g1 a:g2 b:*", "i:g0 j:g1 a:g2 b:*", "ija"},
    {"Map3: DE + S + SS, nothing moves", "i:g0 j:g1 k:*", "k:* a:g2 b:*", "i:g0 j:g1 a:g2 b:*", "ija"},
};

struct Seconds {
  double planned, simulated;
};

Seconds run(ricci::World& world, const Map& map, int side, std::int64_t extent) {
  const ricci::Grid grid{side, side, side};
  ricci::Tensor<double> a(world, {extent, extent, extent}), b(world, {extent, extent, extent});
  ricci::Tensor<double> c(world, {extent, extent, extent, extent});
  a.redistribute(ricci::Layout::parse(map.a, grid));
  b.redistribute(ricci::Layout::parse(map.b, grid));
  c.redistribute(ricci::Layout::parse(map.c, grid));
  a.fill_random(1);
  b.fill_random(2);
  auto options = world.options();
  options.blocks.clear();
  for (const char* label = map.blocks; *label != 0; ++label) {
    options.blocks += fmt::format("{}{}:{}", options.blocks.empty() ? "" : " ", *label, side);
  }
  const ricci::Plan plan = ricci::plan(c["ijab"].assign(a["ijk"] * b["kab"]), options);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const ricci::Report report = plan.run();
  Seconds seconds{report.predicted().seconds, MPI_Wtime() - start};
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

}  // namespace

void bench_sim_maps(ricci::World& world, const SimArguments& arguments) {
  const int side = static_cast<int>(std::lround(std::cbrt(world.size())));
  if (side < 2 || side * side * side != world.size()) {
    throw ricci::InputError(
        fmt::format("bench sim --maps needs a cube of ranks, such as 8, 64 or 512, and there are {}", world.size()));
  }
  if (world.rank() == 0) {
    fmt::print("{} ranks, C[i,j,a,b] = A[i,j,k] * B[k,a,b]; milliseconds of communication and arithmetic\n",
               world.size());
    fmt::print("  {:<40} {:>5} {:>9} {:>9} {:>6} {:>9}\n", "mapping", "N", "ms", "planned", "of ms", "to Map3");
  }
  std::vector<Seconds> all;
  for (const Map& map : maps) all.push_back(run(world, map, side, arguments.extent));
  for (std::size_t m = 0; m < all.size() && world.rank() == 0; ++m) {
    const auto& [planned, simulated] = all[m];
    fmt::print("  {:<40} {:>5} {:>9.3f} {:>9.3f} {:>6.2f} {:>9.2f}\n", maps[m].name, arguments.extent, simulated * 1e3,
               planned * 1e3, planned / simulated, simulated / all.back().simulated);
  }
  bool alike = true;
  for (std::size_t m = 1; m < all.size(); ++m) {
    alike = alike && all[m - 1].planned > all[m].planned && all[m - 1].simulated > all[m].simulated;
  }
  if (world.rank() == 0) fmt::print("  Map1 > Map2 > Map3, as planned and as simulated: {}\n", alike ? "yes" : "no");
}

}  // namespace cli
