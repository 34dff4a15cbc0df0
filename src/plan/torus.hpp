#pragma once
// Which links of a torus a message goes over.
#include <vector>

namespace ricci::planning {

/// As equal as the ranks allow, the greatest first: 4, 2, 2 for 16 ranks in three dimensions.
std::vector<int> torus_extents(int ranks, int dimensions);

/// Rank r has the coordinates r mod e0, r / e0 mod e1, …; a message goes along the first dimension to where it has to
/// be, by the shorter way, then along the second, and so on. Half round a dimension it goes forward, but back from the
/// middle to the first coordinate: so does SimGrid.
class Torus {
 public:
  Torus(int ranks, int dimensions) : extents_(torus_extents(ranks, dimensions)) {}

  const std::vector<int>& extents() const { return extents_; }
  int directions() const { return 2 * static_cast<int>(extents_.size()); }

  /// Calls f with the direction and the rank that each link on the way leaves; how many they are.
  template <class F>
  int for_each_link(int from, int to, F f) const {
    int at = from, stride = 1, hops = 0;
    for (int dim = 0; dim < static_cast<int>(extents_.size()); ++dim) {
      const int extent = extents_[dim];
      const int begin = from / stride % extent, end = to / stride % extent, ahead = (end - begin + extent) % extent;
      const bool forward = 2 * ahead < extent || (2 * ahead == extent && (begin < end || 2 * begin > extent));
      const int last = (extent - 1) * stride;
      int here = begin;
      for (int steps = forward ? ahead : extent - ahead; steps > 0; --steps, ++hops) {
        f(2 * dim + (forward ? 0 : 1), at);
        if (forward) {
          const bool wraps = ++here == extent;
          here = wraps ? 0 : here;
          at += wraps ? -last : stride;
        } else {
          const bool wraps = here-- == 0;
          here = wraps ? extent - 1 : here;
          at += wraps ? last : -stride;
        }
      }
      stride *= extent;
    }
    return hops;
  }

 private:
  std::vector<int> extents_;
};

}  // namespace ricci::planning
