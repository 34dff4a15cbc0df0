#pragma once
// Packed groups that lie across the rows and the columns of a block and are no plain pair: where each of their elements
// is stored, looked up instead of sorted and ranked again and again.
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/access.hpp"

namespace ricci::kernels {

/// The element with values v_k of its labels is number Σ_k v_k · extent^k.
struct GroupTable {
  std::vector<std::int64_t> offset;
  std::vector<double> factor;  // 0 where the symmetry makes the element vanish; it then has no place
};

/// The tables of one statement: equal groups share one.
class GroupTables {
 public:
  /// Null where the table would be too large: such a group is located element by element.
  const GroupTable* find_or_make(const GroupAccess& group);
  std::int64_t bytes() const;

 private:
  struct Entry {
    GroupAccess group;
    std::unique_ptr<GroupTable> table;
  };
  std::vector<Entry> entries_;
};

}  // namespace ricci::kernels
