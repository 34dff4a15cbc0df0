#include "plan/classify.hpp"

#include <algorithm>

#include "plan/desymmetrise.hpp"

namespace ricci::planning {

using symmetry::Role;

namespace {

bool stands_in(const PlacedTensor& tensor, int label) {
  return std::find(tensor.labels.begin(), tensor.labels.end(), label) != tensor.labels.end();
}

/// Whether a tensor is spread over a label where it is stored.
bool is_spread(const PlacedTensor& tensor, int label) {
  if (!tensor.shape || !tensor.layout) return false;
  for (std::size_t mode = 0; mode < tensor.labels.size(); ++mode) {
    if (tensor.labels[mode] == label && !tensor.layout->mapping()[mode].empty()) return true;
  }
  return false;
}

int parts_of(const Spread& spread, int label) {
  const auto at = std::find(spread.labels.begin(), spread.labels.end(), label) - spread.labels.begin();
  int parts = 1;
  for (int dim : spread.blocks.mapping()[at]) parts *= spread.blocks.grid().extents()[dim];
  return parts;
}

}  // namespace

std::string class_of_label(const SpreadProblem& problem, const Spread& spread, int label) {
  const bool parted = parts_of(spread, label) > 1;
  const bool in_a = is_spread(problem.a, label), in_b = is_spread(problem.b, label);
  if (!stands_in(problem.c, label)) {
    if (parted) return "DDA";
    return in_a && in_b ? "DDO" : in_a || in_b ? "SD" : "SS";
  }
  return parted ? "DE" : in_a || in_b ? "DC" : "S";
}

std::string name_of_algorithm(const SpreadProblem& problem, const Spread& spread) {
  int rows = 1, columns = 1, summed = 1, batch = 1;
  for (const symmetry::Unit& unit : problem.fold.units) {
    for (int label : unit.labels) {
      const int parts = parts_of(spread, label);
      (unit.role == Role::row      ? rows
       : unit.role == Role::column ? columns
       : unit.role == Role::summed ? summed
                                   : batch) *= parts;
    }
  }
  std::string name;
  if (!problem.b.shape) {
    name = summed > 1 ? "sums, reduced" : "element by element";
  } else if (rows > 1 && columns > 1 && summed > 1) {
    name = summed < rows && summed < columns ? "2.5D" : "3D";
  } else if (rows > 1 && columns > 1) {
    // Every rank begins with another panel, and gets the next one from its neighbour.
    name = rows == columns && spread.phases == rows ? "Cannon" : "SUMMA, C stays";
  } else if (rows > 1 && summed > 1) {
    name = "SUMMA, A stays";
  } else if (columns > 1 && summed > 1) {
    name = "SUMMA, B stays";
  } else if (summed > 1) {
    name = "sums of parts, reduced";
  } else if (rows > 1) {
    name = "B to everybody";
  } else if (columns > 1) {
    name = "A to everybody";
  } else {
    name = batch > 1 ? "batches" : "one rank";
  }
  if (spread.before > 0) name = "desymmetrise, then " + name;
  // A group of an operand whose labels do not run together in the blocks is unpacked on the way.
  const bool unpacks = breaks_groups(problem, problem.a) || breaks_groups(problem, problem.b);
  return unpacks ? name + (problem.b.shape ? ", CAST" : ", unpacked") : name;
}

}  // namespace ricci::planning
