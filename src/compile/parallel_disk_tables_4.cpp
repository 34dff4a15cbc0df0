// Table 4: outside accumulation. A and B are spread by K; every rank sums up all of C on its disk, and at the end the
// sums are added over the ranks.
#include <cmath>

#include "compile/parallel_disk_tables.hpp"

namespace ricci::compile::parallel_disk {

namespace {

LeastTiles least_tiles(const TableTerms& t) {
  return {t.a / (t.m * t.p), t.b / (t.m * t.p), t.c / t.m};  // eq. 4.11-4.13
}

TableMinimum minimum(const TableTerms& t, DiskOrder order, int condition, const TileNumbers& tiles, double d2) {
  return {4, condition, with_free_loops(tiles, order, least_tiles(t)), t.c + d2 + t.r * t.c * t.log_p};
}

TableMinimum row_abc(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p;
  // <1> printed: Kt1 = K/sqrt(2MP); follows, and section 4.3: K/(P sqrt(2M)).
  const auto [it1, kt1, condition] = split_tiles(t.i * std::sqrt(2 / m), t.k / (p * std::sqrt(2 * m)));
  double d2 = 0;
  // <1> printed: sqrt(8ABC)/sqrt(MP); follows, and eq. 4.15: P sqrt(M).
  if (condition == 1) d2 = t.a / p + std::sqrt(8 * t.a * t.b * t.c) / (p * std::sqrt(m));
  if (condition == 2) d2 = t.a / p + t.b / p + 2 * t.a * t.c / (m * p);
  // <3> printed: A + AB/(M P^2) + 2C and It2 = 1; follows: A/P + ..., and It2 = M P^2/K^2 where that is more.
  if (condition == 3) d2 = t.a / p + t.a * t.b / (m * p * p) + 2 * t.c;
  if (condition == 4) d2 = t.a / p + t.b / p + 2 * t.c;
  return minimum(t, order, condition, {.it1 = it1, .kt1 = kt1}, d2);
}

TableMinimum row_bac(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p;
  // <1> printed: Jt1 = J sqrt(sqrt(2)/sqrt(M)), Kt1 = K/sqrt(2MP); follows: J sqrt(2/M), K/(P sqrt(2M)).
  const auto [jt1, kt1, condition] = split_tiles(t.j * std::sqrt(2 / m), t.k / (p * std::sqrt(2 * m)));
  double d2 = 0;
  if (condition == 1) d2 = t.b / p + std::sqrt(8 * t.a * t.b * t.c) / (p * std::sqrt(m));
  // <2> printed: It1 >= C/M, too little for A; follows: I/J.
  if (condition == 2) d2 = t.a / p + t.b / p + 2 * t.b * t.c / (m * p);
  // <3> printed: AB/(MP), It1 >= A/M; follows: AB/(M P^2), as A/P is read Jt1 = B/(MP) times, and A/(MP).
  if (condition == 3) d2 = t.a * t.b / (m * p * p) + t.b / p + 2 * t.c;
  if (condition == 4) d2 = t.a / p + t.b / p + 2 * t.c;
  return minimum(t, order, condition, {.jt1 = jt1, .kt1 = kt1}, d2);
}

TableMinimum row_cab(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p;
  const auto [it1, jt1, condition] = split_tiles(t.i / std::sqrt(m), t.j / std::sqrt(m));
  double d2 = 0;
  // <1> printed: Kt1 >= K/sqrt(MP); follows: K/(P sqrt(M)).
  if (condition == 1) d2 = 2 * t.c + std::sqrt(4 * t.a * t.b * t.c) / (p * std::sqrt(m));
  // <2> printed: Jt2 = 1; follows: Jt2 = M/I^2, or a larger Kt1.
  if (condition == 2) d2 = t.a * t.c / (m * p) + t.b / p + 2 * t.c;
  // <3> printed: no D2, and Kt1 >= B/(PM), too little for A; follows: A/P + BC/(MP) + 2C, and K/(J P).
  if (condition == 3) d2 = t.a / p + t.b * t.c / (m * p) + 2 * t.c;
  if (condition == 4) d2 = t.a / p + t.b / p + 2 * t.c;
  return minimum(t, order, condition, {.it1 = it1, .jt1 = jt1}, d2);
}

}  // namespace

DiskVolumes table4_volumes(const TableTerms& t, DiskOrder order, const TileNumbers& n) {
  const double v = t.c * t.log_p, d1 = t.stored_c();
  switch (roles_of(order).first) {
    case Array::a:
      return {v, d1, t.a / t.p + t.times_b(n.it1) / t.p + t.moved_c(n.kt1)};
    case Array::b:
      // Printed: 2 C/P Kt1; follows: 2 C Kt1, since every rank has all of C, and so does the minimum of <1>.
      return {v, d1, t.times_a(n.jt1) / t.p + t.b / t.p + t.moved_c(n.kt1)};
    default:
      return {v, d1, t.times_a(n.jt1) / t.p + t.times_b(n.it1) / t.p + t.moved_c(1)};
  }
}

TableMinimum table4_minimum(const TableTerms& t, DiskOrder order) {
  const Array first = roles_of(order).first;
  return first == Array::a ? row_abc(t, order) : first == Array::b ? row_bac(t, order) : row_cab(t, order);
}

}  // namespace ricci::compile::parallel_disk
