// Table 5: inside rotation. Tiles of A and B are shifted in memory, sqrt(P) times for each pair of tiles; the closed
// forms are those of the least communication (section 5.1), not of the least time.
#include <algorithm>
#include <cmath>

#include "compile/parallel_disk_tables.hpp"

namespace ricci::compile::parallel_disk {

namespace {

struct Smallness {
  bool i, j, k;
  int count() const { return i + j + k; }
};

// The letters of a cell: x = sqrt(ABC/(M P^3)), so that 2 x sqrt(P) = 2 sqrt(ABC/(M P^2)) is the least V.
struct Cell {
  const TableTerms& t;
  double mp = t.m * t.p;
  double side = std::sqrt(mp);
  double x = std::sqrt(t.a * t.b * t.c / (t.m * t.p * t.p * t.p));
  double v = 2 * std::sqrt(t.a * t.b * t.c / (t.m * t.p * t.p));

  TableMinimum at(int number, const TileNumbers& tiles, double disk, double communication) const {
    return {5, number, tiles, disk + t.r * communication};
  }
  TileNumbers square() const { return {.it1 = t.i / side, .jt1 = t.j / side, .kt1 = t.k / side}; }
};

// <3> of section 5.1, case 1, prints V = AC/sqrt(M P^3) + B/sqrt(P); follows, and Table 5 has: AC/(M P sqrt(P)) + ...
double v_small_i(const TableTerms& t) { return t.a * t.c / (t.m * t.p * t.q) + t.b / t.q; }
double v_small_j(const TableTerms& t) { return t.a / t.q + t.b * t.c / (t.m * t.p * t.q); }

std::optional<TableMinimum> row_a(const TableTerms& t, DiskOrder order, const Smallness& small) {
  const Cell cell{t};
  if (small.count() == 0) return cell.at(1, cell.square(), t.a / t.p + 3 * cell.x, cell.v);
  if (small.k && order == DiskOrder::abc && t.a >= cell.mp) {
    const double it1 = t.a / cell.mp;
    const TileNumbers tiles{.it1 = it1, .jt1 = t.j / cell.side, .kt1 = 1, .it2 = cell.side / t.k};
    return cell.at(2, tiles, t.a / t.p + t.a * t.b / (t.m * t.p * t.p) + 2 * t.c / t.p, cell.v);
  }
  if (small.i && order == DiskOrder::acb && std::min(t.a, t.c) >= cell.mp) {
    TileNumbers tiles{.it1 = 1, .jt1 = t.c / cell.mp, .kt1 = t.a / cell.mp};
    tiles.kt2 = std::max(1.0, t.b / cell.mp / (tiles.jt1 * tiles.kt1));
    return cell.at(3, tiles, t.a / t.p + t.b / t.p + 2 * t.a * t.c / (t.m * t.p * t.p), v_small_i(t));
  }
  return std::nullopt;
}

std::optional<TableMinimum> row_b(const TableTerms& t, DiskOrder order, const Smallness& small) {
  const Cell cell{t};
  if (small.count() == 0) return cell.at(4, cell.square(), t.b / t.p + 3 * cell.x, cell.v);
  if (small.k && order == DiskOrder::bac && t.b >= cell.mp) {
    const double jt1 = t.b / cell.mp;
    const TileNumbers tiles{.it1 = t.i / cell.side, .jt1 = jt1, .kt1 = 1, .jt2 = cell.side / t.k};
    return cell.at(5, tiles, t.b / t.p + t.a * t.b / (t.m * t.p * t.p) + 2 * t.c / t.p, cell.v);
  }
  if (small.j && order == DiskOrder::bca && std::min(t.b, t.c) >= cell.mp) {
    TileNumbers tiles{.it1 = t.c / cell.mp, .jt1 = 1, .kt1 = t.b / cell.mp};
    tiles.kt2 = std::max(1.0, t.a / cell.mp / (tiles.it1 * tiles.kt1));
    return cell.at(6, tiles, t.a / t.p + t.b / t.p + 2 * t.b * t.c / (t.m * t.p * t.p), v_small_j(t));
  }
  return std::nullopt;
}

std::optional<TableMinimum> row_c(const TableTerms& t, DiskOrder order, const Smallness& small) {
  const Cell cell{t};
  const LeastTiles least{t.a / cell.mp, t.b / cell.mp, t.c / cell.mp};
  const double two_c = 2 * t.c / t.p;
  TileNumbers tiles = cell.square();
  if (small.count() == 0) return cell.at(7, with_free_loops(tiles, order, least), two_c + 2 * cell.x, cell.v);
  if (small.k) {
    // Kt1 is free, so nothing but its own value changes.
    tiles.kt1 = 1;
    return cell.at(10, with_free_loops(tiles, order, least), two_c + 2 * cell.x, cell.v);
  }
  // Kt1 is free, so that no inner loop over a label of A or B that is rotated need be cut.
  if (t.c < cell.mp) return std::nullopt;
  if (small.i) {
    const TileNumbers cut{.it1 = 1, .jt1 = t.c / cell.mp, .kt1 = std::max(t.a / cell.mp, t.k / t.i)};
    return cell.at(8, cut, two_c + t.a * t.c / (t.m * t.p * t.p) + t.b / t.p, v_small_i(t));
  }
  const TileNumbers cut{.it1 = t.c / cell.mp, .jt1 = 1, .kt1 = std::max(t.b / cell.mp, t.k / t.j)};
  return cell.at(9, cut, two_c + t.a / t.p + t.b * t.c / (t.m * t.p * t.p), v_small_j(t));
}

}  // namespace

DiskVolumes table5_volumes(const TableTerms& t, DiskOrder order, const TileNumbers& n) {
  const double v = (t.a * n.jt1 * n.jt2 + t.b * n.it1 * n.it2) / t.q;
  switch (roles_of(order).first) {
    case Array::a:
      return {v, 0, t.a / t.p + t.times_b(n.it1) / t.p + t.moved_c(n.kt1) / t.p};
    case Array::b:
      return {v, 0, t.times_a(n.jt1) / t.p + t.b / t.p + t.moved_c(n.kt1) / t.p};
    default:
      return {v, 0, t.times_a(n.jt1) / t.p + t.times_b(n.it1) / t.p + t.moved_c(1) / t.p};
  }
}

std::optional<TableMinimum> table5_minimum(const TableTerms& t, DiskOrder order) {
  const double side = std::sqrt(t.m * t.p);
  const Smallness small{t.i < side, t.j < side, t.k < side};
  if (small.count() > 1) return std::nullopt;
  const Array first = roles_of(order).first;
  return first == Array::a   ? row_a(t, order, small)
         : first == Array::b ? row_b(t, order, small)
                             : row_c(t, order, small);
}

}  // namespace ricci::compile::parallel_disk
