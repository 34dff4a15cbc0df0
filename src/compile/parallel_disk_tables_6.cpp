// Table 6: inside replication of A. A stays spread over the disks; a tile that is read is sent to all ranks in memory.
#include <cmath>

#include "compile/parallel_disk_tables.hpp"

namespace ricci::compile::parallel_disk {

namespace {

LeastTiles least_tiles(const TableTerms& t) { return {t.a / t.m, t.b / (t.m * t.p), t.c / (t.m * t.p)}; }

TableMinimum minimum(const TableTerms& t, DiskOrder order, int condition, const TileNumbers& tiles, double effective) {
  return {6, condition, with_free_loops(tiles, order, least_tiles(t)), effective};
}

// The table gives D for this row; A is sent once, so that EffVol = D + R A.
TableMinimum row_abc(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p;
  const auto [it1, kt1, condition] = split_tiles(t.i * std::sqrt(2 / m), t.k / std::sqrt(2 * m));
  double d = 0;
  // <1> printed: sqrt(8ABC)/sqrt(MP), Jt1 >= J sqrt(2)/sqrt(MP); follows, and section 5.2: P sqrt(M) in both.
  if (condition == 1) d = t.a / p + std::sqrt(8 * t.a * t.b * t.c) / (p * std::sqrt(m));
  // <2> printed: Jt1 >= J/(J P); follows: J/(I P).
  if (condition == 2) d = t.a / p + t.b / p + 2 * t.a * t.c / (m * p);
  // <3> printed: It2 = 1; follows: It2 = M/K^2 where that is more.
  if (condition == 3) d = t.a / p + t.a * t.b / (m * p) + 2 * t.c / p;
  if (condition == 4) d = t.a / p + t.b / p + 2 * t.c / p;
  return minimum(t, order, condition, {.it1 = it1, .kt1 = kt1}, d + t.r * t.a);
}

TableMinimum row_bac(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p, w = 1 + t.p * t.r;
  const auto [jt1, kt1, condition] = split_tiles(t.j * std::sqrt(2 / (m * p * w)), t.k * std::sqrt(w / (2 * m * p)));
  double e = 0;
  if (condition == 1) e = t.b / p + std::sqrt(8 * t.a * t.b * t.c * w / (m * p * p * p));
  // <2> printed: the EffVol of <1>; follows: A(1+PR)/P + B/P + 2BC/(M P^2).
  if (condition == 2) e = t.a * w / p + t.b / p + 2 * t.b * t.c / (m * p * p);
  // <3> printed: B/P + A(1+PR)/P + 2BC/(M P^3), which is <2> with one P too many; follows: AB(1+PR)/(M P^2) + B/P +
  // 2C/P.
  if (condition == 3) e = t.a * t.b * w / (m * p * p) + t.b / p + 2 * t.c / p;
  if (condition == 4) e = t.a * w / p + t.b / p + 2 * t.c / p;
  return minimum(t, order, condition, {.jt1 = jt1, .kt1 = kt1}, e);
}

TableMinimum row_cab(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p, w = 1 + t.p * t.r;
  // <1> printed: It1 = I sqrt((1+PR)/M), Jt1 = J sqrt(J/(MP(1+RP))); follows: I sqrt((1+PR)/(MP)), J/sqrt(MP(1+PR)).
  const auto [it1, jt1, condition] = split_tiles(t.i * std::sqrt(w / (m * p)), t.j / std::sqrt(m * p * w));
  double e = 0;
  if (condition == 1) e = 2 * t.c / p + std::sqrt(4 * t.a * t.b * t.c * w / (m * p * p * p));
  // <2> printed: Jt2 = 1; follows: Jt2 = M/I^2 where that is more, or a larger Kt1.
  if (condition == 2) e = 2 * t.c / p + t.b / p + t.a * t.c * w / (m * p * p);
  // <3> printed: A(1+PR); follows: A(1+PR)/P.
  if (condition == 3) e = 2 * t.c / p + t.b * t.c / (m * p * p) + t.a * w / p;
  if (condition == 4) e = 2 * t.c / p + t.b / p + t.a * w / p;
  return minimum(t, order, condition, {.it1 = it1, .jt1 = jt1}, e);
}

}  // namespace

DiskVolumes table6_volumes(const TableTerms& t, DiskOrder order, const TileNumbers& n) {
  switch (roles_of(order).first) {
    case Array::a:
      return {t.a, 0, t.a / t.p + t.times_b(n.it1) / t.p + t.moved_c(n.kt1) / t.p};
    case Array::b:
      return {t.times_a(n.jt1), 0, t.times_a(n.jt1) / t.p + t.b / t.p + t.moved_c(n.kt1) / t.p};
    default:
      return {t.times_a(n.jt1), 0, t.times_a(n.jt1) / t.p + t.times_b(n.it1) / t.p + t.moved_c(1) / t.p};
  }
}

TableMinimum table6_minimum(const TableTerms& t, DiskOrder order) {
  const Array first = roles_of(order).first;
  return first == Array::a ? row_abc(t, order) : first == Array::b ? row_bac(t, order) : row_cab(t, order);
}

}  // namespace ricci::compile::parallel_disk
