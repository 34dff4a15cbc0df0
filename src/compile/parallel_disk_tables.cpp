#include "compile/parallel_disk_tables.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ricci::compile::parallel_disk {

namespace {

bool is_mirrored(const ParallelDiskMethod& method) {
  return method.algorithm == ParallelAlgorithm::replication && method.replicated == Array::b;
}

void mirror(TileNumbers& tiles) {
  std::swap(tiles.it1, tiles.jt1);
  std::swap(tiles.it2, tiles.jt2);
}

DiskVolumes table_volumes(const TableTerms& t, const ParallelDiskMethod& method, DiskOrder order,
                          const TileNumbers& n) {
  const bool inside = method.communication == Communication::inside;
  switch (method.algorithm) {
    case ParallelAlgorithm::rotation:
      return inside ? table5_volumes(t, order, n) : table2_volumes(t, order, n);
    case ParallelAlgorithm::replication:
      return inside ? table6_volumes(t, order, n) : table3_volumes(t, order, n);
    default:
      return inside ? table7_volumes(t, order, n) : table4_volumes(t, order, n);
  }
}

std::optional<TableMinimum> table_minimum(const TableTerms& t, const ParallelDiskMethod& method, DiskOrder order) {
  const bool inside = method.communication == Communication::inside;
  switch (method.algorithm) {
    case ParallelAlgorithm::rotation:
      return inside ? table5_minimum(t, order) : table2_minimum(t, order);
    case ParallelAlgorithm::replication:
      return inside ? table6_minimum(t, order) : table3_minimum(t, order);
    default:
      return inside ? table7_minimum(t, order) : table4_minimum(t, order);
  }
}

}  // namespace

TableTerms terms_of(const ParallelDiskCase& c, const ParallelDiskMethod& method, ResidentArrays resident) {
  const double slowdown = method.algorithm == ParallelAlgorithm::replication ? c.replication_slowdown : 1;
  TableTerms t{.i = static_cast<double>(c.i),
               .j = static_cast<double>(c.j),
               .k = static_cast<double>(c.k),
               .a = c.size_a(),
               .b = c.size_b(),
               .c = c.size_c(),
               .m = static_cast<double>(c.tile_elements),
               .p = static_cast<double>(c.ranks),
               .q = std::sqrt(static_cast<double>(c.ranks)),
               .r = slowdown * c.disk_bandwidth / c.network_bandwidth,
               .log_p = c.log_p(),
               .resident = resident};
  if (is_mirrored(method)) {
    std::swap(t.i, t.j);
    std::swap(t.a, t.b);
    std::swap(t.resident.a, t.resident.b);
  }
  return t;
}

DiskVolumes volumes_of(const ParallelDiskCase& c, const ParallelDiskMethod& method, ResidentArrays resident,
                       const TileNumbers& tiles) {
  TileNumbers n = tiles;
  if (is_mirrored(method)) mirror(n);
  const DiskOrder order = is_mirrored(method) ? mirrored(method.order) : method.order;
  DiskVolumes volumes = table_volumes(terms_of(c, method, resident), method, order, n);
  if (!c.accumulate) {
    const bool all = method.algorithm == ParallelAlgorithm::accumulation;
    volumes.disk_computation -= all ? c.size_c() : c.size_c() / c.ranks;
  }
  if (c.ranks == 1) volumes.communication = volumes.disk_communication = 0;
  if (resident.all()) volumes.disk_communication = volumes.disk_computation = 0;
  return volumes;
}

std::optional<TableMinimum> closed_form(const ParallelDiskCase& c, const ParallelDiskMethod& method) {
  const DiskOrder order = is_mirrored(method) ? mirrored(method.order) : method.order;
  auto minimum = table_minimum(terms_of(c, method, {}), method, order);
  if (minimum && is_mirrored(method)) mirror(minimum->tiles);
  return minimum;
}

double seconds_of(const ParallelDiskCase& c, const ParallelDiskMethod& method, const DiskVolumes& volumes) {
  const double slowdown = method.algorithm == ParallelAlgorithm::replication ? c.replication_slowdown : 1;
  return c.element_bytes * (volumes.disk() / c.disk_bandwidth + slowdown * volumes.communication / c.network_bandwidth);
}

TileSplit split_tiles(double first, double second) {
  const double product = first * second;
  if (product <= 1) return {1, 1, 4};
  if (first < 1) return {1, product, 2};
  if (second < 1) return {product, 1, 3};
  return {first, second, 1};
}

TileNumbers with_free_loops(TileNumbers tiles, DiskOrder order, const LeastTiles& least) {
  const LoopRoles loops = roles_of(order);
  const double free = std::max(1.0, least.of(loops.second) / tiles.outer(loops.shared));
  tiles.outer(loops.free) = free;
  tiles.inner(loops.last) = std::max(1.0, least.of(loops.third) / (free * tiles.outer(loops.last)));
  return tiles;
}

}  // namespace ricci::compile::parallel_disk
