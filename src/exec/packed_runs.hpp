#pragma once
// Elements of a distributed tensor by their place in the packed tensor: how they travel between the ranks that hold
// them and the ranks that read or write a file. Consecutive elements that one rank stores one after the other go as a
// run, so that a request costs 16 bytes a run and not a key an element.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "layout/locator.hpp"

namespace ricci::exec {

class PackedRuns {
 public:
  struct Run {
    std::int64_t first, count;  // in the packed tensor
  };

  /// `most`: the most elements that any rank gives or takes in one call; the same on all ranks. The distribution and
  /// the locator (of this rank) must outlive it.
  PackedRuns(const comm::Communicator& communicator, const layout::Distribution& distribution,
             const layout::Locator& locator, std::size_t element_size, std::int64_t most);

  /// Collective: the elements first … first + count - 1 of the packed tensor; each rank asks for any. They come from
  /// the copy that this rank belongs to.
  void fetch(const std::byte* local, std::int64_t first, std::int64_t count, std::byte* elements) const;
  /// Collective: the other way, to all copies.
  void deliver(const std::byte* elements, std::int64_t first, std::int64_t count, std::byte* local) const;

  // Both go in pieces that keep what any one rank is asked for in a piece within bounds, even if all ask the same one:
  // 4 MiB of elements, or 32 KiB times the ranks.

 private:
  struct Plan;
  Plan plan(std::int64_t first, std::int64_t count, bool to_all_copies) const;
  std::int64_t run_length(std::span<const std::int64_t> index, std::int64_t offset) const;
  template <class F>
  void for_each_piece(std::int64_t first, std::int64_t count, F f) const;
  template <class F>
  void for_each_place(const std::vector<Run>& runs, F f) const;

  comm::Communicator communicator_;
  const layout::Distribution& distribution_;
  const layout::Locator& locator_;
  std::int64_t size_;            // of an element, in bytes
  std::int64_t piece_, pieces_;  // elements at a time, and how often
  int fast_ = -1;                // the last unit of more than one tile; -1: there is none
  std::int64_t behind_ = 1;      // elements of the units behind it, which lie in a tile as in the packed tensor
};

}  // namespace ricci::exec
