#pragma once
// Tables 2-7 of seed 004 as code: what a way costs for given numbers of tiles, and the numbers of tiles that make it
// least. One file a table. Where the printed table does not follow from its own cost formula and constraints, the code
// has what follows, and a comment at the row says what is printed.
#include <optional>

#include "compile/parallel_disk_case.hpp"
#include "compile/parallel_disk_method.hpp"

namespace ricci::compile::parallel_disk {

/// Numbers of tiles: It1, Jt1, Kt1, and the inner loop that an order has (It2, Jt2 or Kt2). Real in the closed forms,
/// whole numbers in a plan.
struct TileNumbers {
  double it1 = 1, jt1 = 1, kt1 = 1;
  double it2 = 1, jt2 = 1, kt2 = 1;

  double& outer(Label label) { return label == Label::i ? it1 : label == Label::j ? jt1 : kt1; }
  double outer(Label label) const { return label == Label::i ? it1 : label == Label::j ? jt1 : kt1; }
  double& inner(Label label) { return label == Label::i ? it2 : label == Label::j ? jt2 : kt2; }
  double inner(Label label) const { return label == Label::i ? it2 : label == Label::j ? jt2 : kt2; }
  bool operator==(const TileNumbers&) const = default;
};

/// Elements that one rank moves.
struct DiskVolumes {
  double communication = 0;       ///< V
  double disk_communication = 0;  ///< D1: read and written for the sake of communication
  double disk_computation = 0;    ///< D2; D of Tables 5-7
  double disk() const { return disk_communication + disk_computation; }
  bool operator==(const DiskVolumes&) const = default;
};

/// Which arrays a rank keeps in memory: those whose local size is at most M (section 2). Their elements are read and
/// written once (by outside rotation once a step) and cost nothing on disk when they are communicated, as Table 10
/// counts them.
struct ResidentArrays {
  bool a = false, b = false, c = false;
  bool of(Array array) const { return array == Array::a ? a : array == Array::b ? b : c; }
  bool all() const { return a && b && c; }
  bool operator==(const ResidentArrays&) const = default;
};

/// The letters of the tables. Those of "Replication B" are these with A and B, I and J exchanged.
struct TableTerms {
  double i, j, k, a, b, c, m, p;
  double q;      ///< sqrt(P)
  double r;      ///< R = B_d / B_c, with what the topology makes of it
  double log_p;  ///< log P
  ResidentArrays resident;

  double times_a(double n) const { return resident.a ? a : a * n; }
  double times_b(double n) const { return resident.b ? b : b * n; }
  double moved_c(double n) const { return 2 * (resident.c ? c : c * n); }  ///< read and written n times
  double stored_a() const { return resident.a ? 0 : a; }
  double stored_b() const { return resident.b ? 0 : b; }
  double stored_c() const { return resident.c ? 0 : c; }
};
TableTerms terms_of(const ParallelDiskCase&, const ParallelDiskMethod&, ResidentArrays);

/// A row of a table: the least EffVol = D1 + D2 + R V over real numbers of tiles, and where it is reached.
struct TableMinimum {
  int table = 0;
  int condition = 0;  ///< <1>, <2>, <3>; 4: the first array fits. Of Table 5: the number of the cell
  TileNumbers tiles;
  double effective = 0;
};

DiskVolumes table2_volumes(const TableTerms&, DiskOrder, const TileNumbers&);
DiskVolumes table3_volumes(const TableTerms&, DiskOrder, const TileNumbers&);
DiskVolumes table4_volumes(const TableTerms&, DiskOrder, const TileNumbers&);
DiskVolumes table5_volumes(const TableTerms&, DiskOrder, const TileNumbers&);
DiskVolumes table6_volumes(const TableTerms&, DiskOrder, const TileNumbers&);
DiskVolumes table7_volumes(const TableTerms&, DiskOrder, const TileNumbers&);

TableMinimum table2_minimum(const TableTerms&, DiskOrder);
TableMinimum table3_minimum(const TableTerms&, DiskOrder);
TableMinimum table4_minimum(const TableTerms&, DiskOrder);
/// Nothing in the cells that only say which other order is at least as good, nor where two of I, J, K are small or an
/// array that the cell cuts into tiles fits.
std::optional<TableMinimum> table5_minimum(const TableTerms&, DiskOrder);
TableMinimum table6_minimum(const TableTerms&, DiskOrder);
TableMinimum table7_minimum(const TableTerms&, DiskOrder);

/// The table of the way, for either operand of replication. The tables read C before each time that they write it;
/// where C starts at zero, the first read is left out. On one rank nothing is communicated, and where all arrays are in
/// memory nothing is read or written.
DiskVolumes volumes_of(const ParallelDiskCase&, const ParallelDiskMethod&, ResidentArrays, const TileNumbers&);
/// The closed form of the way, as if no array were kept in memory.
std::optional<TableMinimum> closed_form(const ParallelDiskCase&, const ParallelDiskMethod&);

/// The overhead of section 2.3: D / B_d + V / B_c.
double seconds_of(const ParallelDiskCase&, const ParallelDiskMethod&, const DiskVolumes&);

/// Two numbers of tiles of a given product, neither below 1: the special cases <2> and <3> of all tables.
struct TileSplit {
  double first, second;
  int condition;
};
TileSplit split_tiles(double first, double second);

/// Sizes of A, B and C in tiles of M that a rank needs at least: the right-hand sides of the tile constraints.
struct LeastTiles {
  double a, b, c;
  double of(Array array) const { return array == Array::a ? a : array == Array::b ? b : c; }
};
/// The loops that cost nothing (`free`, `last2`), so that the second and third array fit as well.
TileNumbers with_free_loops(TileNumbers, DiskOrder, const LeastTiles&);

}  // namespace ricci::compile::parallel_disk
