#pragma once
// Elements of a distributed tensor in the order of a file: how they travel between the ranks that hold them and the
// ranks that read or write the file. Consecutive elements that one rank holds, where it can find them together, go as a
// run, so that a request costs 16 bytes a run and not a key an element.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "comm/communicator.hpp"
#include "layout/distribution.hpp"

namespace ricci::exec {

class RunExchange {
 public:
  struct Run {
    std::int64_t first, count;  // in the order of the file
  };
  struct Stretch {
    std::int64_t count;
    int owner;  // the rank that holds them; of several copies that of the first
  };
  /// The longest run from an element on.
  using Find = std::function<Stretch(std::int64_t first)>;

  /// `most`: the most elements that any rank gives or takes in one call; the same on all ranks. The distribution must
  /// outlive it.
  RunExchange(const comm::Communicator& communicator, const layout::Distribution& distribution,
              std::size_t element_size, std::int64_t most, Find find);

  /// Collective: gets the elements first … first + count - 1; each rank asks for any. They come from the copy that this
  /// rank belongs to. `give(run, out)` puts those of a run that this rank holds.
  void fetch(std::int64_t first, std::int64_t count, std::byte* elements,
             const std::function<void(const Run&, std::byte*)>& give) const;

  enum class To { first_copy, all_copies };
  /// Collective: the other way. `take(run, in)` is called where a run is held.
  void deliver(const std::byte* elements, std::int64_t first, std::int64_t count, To to,
               const std::function<void(const Run&, const std::byte*)>& take) const;

  // Both go in pieces that keep what any one rank is asked for in a piece within bounds, even if all ask the same one:
  // 4 MiB of elements, or 32 KiB times the ranks.

 private:
  struct Plan;
  /// For one piece; `copies`: the first and the last of those that take part.
  Plan plan(std::int64_t first, std::int64_t count, std::pair<int, int> copies) const;
  template <class F>
  void for_each_piece(std::int64_t first, std::int64_t count, F f) const;

  comm::Communicator communicator_;
  const layout::Distribution& distribution_;
  Find find_;
  std::int64_t size_;            // of an element, in bytes
  std::int64_t piece_, pieces_;  // elements at a time, and how often
};

}  // namespace ricci::exec
