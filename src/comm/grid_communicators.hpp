#pragma once
// The ranks of a communicator as a grid, and the communicators of its lines and planes.
#include <map>
#include <vector>

#include "comm/communicator.hpp"

namespace ricci::comm {

/// Ranks are row-major in the grid: the last dimension is the fastest.
class GridCommunicators {
 public:
  /// An InternalError unless the extents multiply to the size. Not collective.
  GridCommunicators(const Communicator& all, std::vector<int> extents);

  const Communicator& all() const { return all_; }
  const std::vector<int>& extents() const { return extents_; }
  const std::vector<int>& coordinates() const { return coordinates_; }
  std::vector<int> coordinates_of(int rank) const;
  int rank_of(const std::vector<int>& coordinates) const;

  /// The ranks that differ from this one in these dimensions only, row-major in them by ascending dimension, whatever
  /// the order in which they are named. Collective over all ranks of the grid when they are asked for the first time;
  /// later the same communicator again, with its counters.
  Communicator along(const std::vector<int>& dimensions);

  /// What all communicators of along() have sent so far; that of all dimensions is all() itself and not in it.
  Traffic traffic() const;

 private:
  Communicator all_;
  std::vector<int> extents_, coordinates_;
  std::map<std::vector<int>, Communicator> made_;
};

}  // namespace ricci::comm
