// Table 2: outside rotation. All three arrays are spread over all ranks; A and B are shifted on disk sqrt(P) times.
#include <cmath>

#include "compile/parallel_disk_tables.hpp"

namespace ricci::compile::parallel_disk {

namespace {

LeastTiles least_tiles(const TableTerms& t) {
  const double mp = t.m * t.p;
  return {t.a / mp, t.b / mp, t.c / mp};  // eq. 4.1-4.3
}

TableMinimum minimum(const TableTerms& t, DiskOrder order, int condition, const TileNumbers& tiles, double d2) {
  const double v = (t.a + t.b) / t.q;
  return {2, condition, with_free_loops(tiles, order, least_tiles(t)), 2 * v + d2 + t.r * v};
}

TableMinimum row_abc(const TableTerms& t, DiskOrder order) {
  const double mp = t.m * t.p;
  const auto [it1, kt1, condition] = split_tiles(t.i * std::sqrt(2 / mp), t.k / std::sqrt(2 * mp));
  double d2 = 0;
  if (condition == 1) d2 = t.a / t.q + std::sqrt(8 * t.a * t.b * t.c) / (t.p * std::sqrt(t.m));
  if (condition == 2) d2 = t.a / t.q + t.b / t.q + 2 * t.a * t.c / (mp * t.q);
  // <3> printed: It2 = 1; follows: It2 = M P / K^2 where that is more, as the text of section 4.1 has it.
  if (condition == 3) d2 = t.a / t.q + t.a * t.b / (mp * t.q) + 2 * t.c / t.q;
  if (condition == 4) d2 = (t.a + t.b + 2 * t.c) / t.q;
  return minimum(t, order, condition, {.it1 = it1, .kt1 = kt1}, d2);
}

// The row is printed as "BAC/BAC"; it is that of BAC and BCA.
TableMinimum row_bac(const TableTerms& t, DiskOrder order) {
  const double mp = t.m * t.p;
  const auto [jt1, kt1, condition] = split_tiles(t.j * std::sqrt(2 / mp), t.k / std::sqrt(2 * mp));
  double d2 = 0;
  if (condition == 1) d2 = t.b / t.q + std::sqrt(8 * t.a * t.b * t.c) / (t.p * std::sqrt(t.m));
  // <2> printed: It1 >= J/J; follows: I/J.
  if (condition == 2) d2 = t.a / t.q + t.b / t.q + 2 * t.b * t.c / (mp * t.q);
  // <3> printed: Jt2 = 1; follows: Jt2 = M P / K^2 where that is more.
  if (condition == 3) d2 = t.b / t.q + t.a * t.b / (mp * t.q) + 2 * t.c / t.q;
  if (condition == 4) d2 = (t.a + t.b + 2 * t.c) / t.q;
  return minimum(t, order, condition, {.jt1 = jt1, .kt1 = kt1}, d2);
}

// Printed: It1 = I/sqrt(M), Jt1 = J/sqrt(M), Kt1 >= K/sqrt(M), and conditions on sqrt(M); follows: sqrt(M P) in all of
// them. The printed D2 of <1> is the one that follows.
TableMinimum row_cab(const TableTerms& t, DiskOrder order) {
  const double mp = t.m * t.p;
  const auto [it1, jt1, condition] = split_tiles(t.i / std::sqrt(mp), t.j / std::sqrt(mp));
  double d2 = 0;
  if (condition == 1) d2 = 2 * t.c / t.q + std::sqrt(4 * t.a * t.b * t.c) / (t.p * std::sqrt(t.m));
  // <2> printed: Jt2 = 1; follows: Jt2 = M P / I^2, or a larger Kt1.
  if (condition == 2) d2 = t.a * t.c / (mp * t.q) + t.b / t.q + 2 * t.c / t.q;
  // <3> printed: Kt1 >= B/(M P), too little for A; follows: K/J.
  if (condition == 3) d2 = t.a / t.q + t.b * t.c / (mp * t.q) + 2 * t.c / t.q;
  if (condition == 4) d2 = (t.a + t.b + 2 * t.c) / t.q;
  return minimum(t, order, condition, {.it1 = it1, .jt1 = jt1}, d2);
}

}  // namespace

DiskVolumes table2_volumes(const TableTerms& t, DiskOrder order, const TileNumbers& n) {
  const double v = (t.a + t.b) / t.q;
  const double d1 = 2 / t.q * (t.stored_a() + t.stored_b());
  switch (roles_of(order).first) {
    case Array::a:
      return {v, d1, t.q * (t.a / t.p + t.times_b(n.it1) / t.p + t.moved_c(n.kt1) / t.p)};
    case Array::b:
      return {v, d1, t.q * (t.times_a(n.jt1) / t.p + t.b / t.p + t.moved_c(n.kt1) / t.p)};
    default:
      return {v, d1, t.q * (t.times_a(n.jt1) / t.p + t.times_b(n.it1) / t.p + t.moved_c(1) / t.p)};
  }
}

TableMinimum table2_minimum(const TableTerms& t, DiskOrder order) {
  const Array first = roles_of(order).first;
  return first == Array::a ? row_abc(t, order) : first == Array::b ? row_bac(t, order) : row_cab(t, order);
}

}  // namespace ricci::compile::parallel_disk
