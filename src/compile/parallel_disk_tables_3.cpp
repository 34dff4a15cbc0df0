// Table 3: outside replication of A. Every rank writes all of A to its disk; B and C are spread by J.
#include <cmath>

#include "compile/parallel_disk_tables.hpp"

namespace ricci::compile::parallel_disk {

namespace {

LeastTiles least_tiles(const TableTerms& t) {
  return {t.a / t.m, t.b / (t.m * t.p), t.c / (t.m * t.p)};  // eq. 4.6-4.8
}

TableMinimum minimum(const TableTerms& t, DiskOrder order, int condition, const TileNumbers& tiles, double d2) {
  return {3, condition, with_free_loops(tiles, order, least_tiles(t)), t.a + d2 + t.r * t.a};
}

TableMinimum row_abc(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p;
  const auto [it1, kt1, condition] = split_tiles(t.i * std::sqrt(2 / m), t.k / std::sqrt(2 * m));
  double d2 = 0;
  // <1> printed: sqrt(8ABC)/sqrt(MP) and Jt1 >= J sqrt(2)/sqrt(MP); follows, and eq. 4.10: P sqrt(M) in both.
  if (condition == 1) d2 = t.a + std::sqrt(8 * t.a * t.b * t.c) / (p * std::sqrt(m));
  // <2> printed: Jt1 >= J/(J P); follows: J/(I P).
  if (condition == 2) d2 = t.a + t.b / p + 2 * t.a * t.c / (m * p);
  // <3> printed: It2 = 1; follows: It2 = M/K^2 where that is more.
  if (condition == 3) d2 = t.a + t.a * t.b / (m * p) + 2 * t.c / p;
  if (condition == 4) d2 = t.a + t.b / p + 2 * t.c / p;
  return minimum(t, order, condition, {.it1 = it1, .kt1 = kt1}, d2);
}

TableMinimum row_bac(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p;
  // <1> printed: Jt1 = J sqrt(sqrt(2)/sqrt(MP)); follows: J sqrt(2)/(P sqrt(M)).
  const auto [jt1, kt1, condition] = split_tiles(t.j * std::sqrt(2 / m) / p, t.k / std::sqrt(2 * m));
  double d2 = 0;
  if (condition == 1) d2 = t.b / p + std::sqrt(8 * t.a * t.b * t.c) / (p * std::sqrt(m));
  // <2> printed: 2BC/(MP); follows: 2BC/(M P^2), as C/P is read and written Kt1 = B/(MP) times.
  if (condition == 2) d2 = t.a + t.b / p + 2 * t.b * t.c / (m * p * p);
  // <3> printed: Jt2 = 1; follows: Jt2 = M/K^2 where that is more.
  if (condition == 3) d2 = t.a * t.b / (m * p) + t.b / p + 2 * t.c / p;
  if (condition == 4) d2 = t.a + t.b / p + 2 * t.c / p;
  return minimum(t, order, condition, {.jt1 = jt1, .kt1 = kt1}, d2);
}

TableMinimum row_cab(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p;
  // <1> printed: Jt1 = J/sqrt(MP); follows: J/(P sqrt(M)).
  const auto [it1, jt1, condition] = split_tiles(t.i / std::sqrt(m), t.j / (p * std::sqrt(m)));
  double d2 = 0;
  if (condition == 1) d2 = 2 * t.c / p + std::sqrt(4 * t.a * t.b * t.c) / (p * std::sqrt(m));
  // <2> printed: Jt2 = 1; follows: Jt2 = M/I^2, or a larger Kt1.
  if (condition == 2) d2 = t.a * t.c / (m * p) + t.b / p + 2 * t.c / p;
  // <3> printed: BC/(MP), Kt1 >= KP/(JP); follows: BC/(M P^2), as B/P is read It1 = C/(MP) times, and KP/J.
  if (condition == 3) d2 = t.a + t.b * t.c / (m * p * p) + 2 * t.c / p;
  if (condition == 4) d2 = t.a + t.b / p + 2 * t.c / p;
  return minimum(t, order, condition, {.it1 = it1, .jt1 = jt1}, d2);
}

}  // namespace

DiskVolumes table3_volumes(const TableTerms& t, DiskOrder order, const TileNumbers& n) {
  const double v = t.a, d1 = t.stored_a();
  switch (roles_of(order).first) {
    case Array::a:
      return {v, d1, t.a + t.times_b(n.it1) / t.p + t.moved_c(n.kt1) / t.p};
    case Array::b:
      return {v, d1, t.times_a(n.jt1) + t.b / t.p + t.moved_c(n.kt1) / t.p};
    default:
      return {v, d1, t.times_a(n.jt1) + t.times_b(n.it1) / t.p + t.moved_c(1) / t.p};
  }
}

TableMinimum table3_minimum(const TableTerms& t, DiskOrder order) {
  const Array first = roles_of(order).first;
  return first == Array::a ? row_abc(t, order) : first == Array::b ? row_bac(t, order) : row_cab(t, order);
}

}  // namespace ricci::compile::parallel_disk
