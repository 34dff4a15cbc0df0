// Table 7: inside accumulation. A and B are spread by K; each tile of C is added over the ranks before it is written.
#include <cmath>

#include "compile/parallel_disk_tables.hpp"

namespace ricci::compile::parallel_disk {

namespace {

LeastTiles least_tiles(const TableTerms& t) { return {t.a / (t.m * t.p), t.b / (t.m * t.p), t.c / t.m}; }

TableMinimum minimum(const TableTerms& t, DiskOrder order, int condition, const TileNumbers& tiles, double effective) {
  return {7, condition, with_free_loops(tiles, order, least_tiles(t)), effective};
}

TableMinimum row_abc(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p, w = 2 + t.r * t.log_p;
  // <1> printed: Kt1 = K/sqrt((2+R log P) M P); follows, and section 5.3: K/(P sqrt((2+R log P) M)).
  const auto [it1, kt1, condition] = split_tiles(t.i * std::sqrt(w / m), t.k / (p * std::sqrt(w * m)));
  double e = 0;
  if (condition == 1) e = t.a / p + 2 * std::sqrt(t.a * t.b * t.c * w / (m * p * p));
  if (condition == 2) e = t.a / p + t.b / p + t.a * t.c / (m * p) * w;
  // <3> printed: AB/(MP) and It2 = 1; follows: AB/(M P^2), and It2 = M P^2/K^2 where that is more.
  if (condition == 3) e = t.a / p + t.a * t.b / (m * p * p) + t.c * w;
  if (condition == 4) e = t.a / p + t.b / p + t.c * w;
  return minimum(t, order, condition, {.it1 = it1, .kt1 = kt1}, e);
}

TableMinimum row_bac(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p, w = 2 + t.r * t.log_p;
  // <1> printed: It1 >= I sqrt(P(2+R log P)/M); enough is I sqrt((2+R log P)/M).
  const auto [jt1, kt1, condition] = split_tiles(t.j * std::sqrt(w / m), t.k / (p * std::sqrt(w * m)));
  double e = 0;
  if (condition == 1) e = t.b / p + 2 * std::sqrt(t.a * t.b * t.c * w / (m * p * p));
  // <2> printed: A/P + BC/P + ...; follows: A/P + B/P + ...
  if (condition == 2) e = t.a / p + t.b / p + t.b * t.c / (m * p) * w;
  // <3> printed: AB/(MP) and Jt2 = 1; follows: AB/(M P^2), and Jt2 = M P^2/K^2 where that is more.
  if (condition == 3) e = t.b / p + t.a * t.b / (m * p * p) + t.c * w;
  if (condition == 4) e = t.a / p + t.b / p + t.c * w;
  return minimum(t, order, condition, {.jt1 = jt1, .kt1 = kt1}, e);
}

TableMinimum row_cab(const TableTerms& t, DiskOrder order) {
  const double m = t.m, p = t.p, w = 2 + t.r * t.log_p;
  const auto [it1, jt1, condition] = split_tiles(t.i / std::sqrt(m), t.j / std::sqrt(m));
  double e = 0;
  if (condition == 1) e = t.c * w + std::sqrt(4 * t.a * t.b * t.c / (m * p * p));
  // <2> printed: Jt2 = 1; follows: Jt2 = M/I^2, or a larger Kt1.
  if (condition == 2) e = t.c * w + t.b / p + t.a * t.c / (m * p);
  // <3> printed: Kt1 >= B/(MP), too little for A; follows: K/(J P).
  if (condition == 3) e = t.c * w + t.a / p + t.b * t.c / (m * p);
  if (condition == 4) e = t.c * w + t.a / p + t.b / p;
  return minimum(t, order, condition, {.it1 = it1, .jt1 = jt1}, e);
}

}  // namespace

DiskVolumes table7_volumes(const TableTerms& t, DiskOrder order, const TileNumbers& n) {
  const double v = t.c * t.log_p, often = t.resident.c ? 1 : n.kt1;
  switch (roles_of(order).first) {
    case Array::a:
      return {v * often, 0, t.a / t.p + t.times_b(n.it1) / t.p + t.moved_c(n.kt1)};
    case Array::b:
      return {v * often, 0, t.times_a(n.jt1) / t.p + t.b / t.p + t.moved_c(n.kt1)};
    default:
      // The EffVol of this row is printed with A Jt1; follows from D: A/P Jt1.
      return {v, 0, t.times_a(n.jt1) / t.p + t.times_b(n.it1) / t.p + t.moved_c(1)};
  }
}

TableMinimum table7_minimum(const TableTerms& t, DiskOrder order) {
  const Array first = roles_of(order).first;
  return first == Array::a ? row_abc(t, order) : first == Array::b ? row_bac(t, order) : row_cab(t, order);
}

}  // namespace ricci::compile::parallel_disk
