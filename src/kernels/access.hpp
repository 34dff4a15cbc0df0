#pragma once
// How one tensor is reached from the loops of a folded index space, under one reading of its labels.
#include <cstdint>
#include <vector>

#include "symmetry/fold.hpp"

namespace ricci::kernels {

/// A packed group that is not one whole loop: its place follows from the sorted values of its labels.
struct GroupAccess {
  SymmetryKind kind = SymmetryKind::symmetric;
  std::int64_t stride = 0;
  std::int64_t extent = 0;  // of each of its modes
  std::vector<int> labels;  // in the order of the group's modes
  // For an output: positions with equal numbers belong to one loop. An element that is reached from several
  // combinations of loops is weighted with Π_v m_v! / Π_blocks m_{v,block}!, the number of cosets that lead there.
  std::vector<int> blocks;
};

struct Access {
  std::vector<std::int64_t> label_stride;  // [label]: summed over the plain modes with that label
  std::vector<std::int64_t> unit_stride;   // [unit]: of the rank, where a whole packed group is the loop; else 0
  std::vector<GroupAccess> groups;         // the other packed groups
  int sign = 1;
};

/// Access for reading an operand, or (with reading null) for writing the output.
Access make_access(const symmetry::Labelled& tensor, const symmetry::Reading* reading,
                   const std::vector<symmetry::Unit>& units, std::size_t label_count);

/// The offset and factor that the groups of an access add at given values of all labels.
struct GroupOffset {
  std::int64_t offset = 0;
  double factor = 1;
};
GroupOffset locate_group(const GroupAccess& group, const std::int64_t* label_values);

}  // namespace ricci::kernels
