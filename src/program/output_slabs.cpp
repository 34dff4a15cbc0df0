#include "program/output_slabs.hpp"

#include <algorithm>
#include <limits>

namespace ricci::program {

using compile::Box;

std::vector<Box> slabs_of(const Box& box, std::int64_t most_elements) {
  const std::size_t modes = box.lo.size();
  std::vector<std::int64_t> step;
  std::int64_t elements = 1;
  for (std::size_t m = 0; m < modes; ++m) {
    step.push_back(box.hi[m] - box.lo[m]);
    elements *= step[m];
  }
  if (elements == 0) return {};
  for (std::size_t m = 0; m < modes && elements > most_elements; ++m) {
    const std::int64_t others = elements / step[m];
    step[m] = std::max<std::int64_t>(1, most_elements / others);
    elements = others * step[m];
  }
  std::vector<Box> slabs;
  std::vector<std::int64_t> at = box.lo;
  for (bool more = true; more;) {
    Box slab{at, at};
    for (std::size_t m = 0; m < modes; ++m) slab.hi[m] = std::min(box.hi[m], at[m] + step[m]);
    slabs.push_back(std::move(slab));
    more = false;
    for (std::size_t m = modes; m-- > 0 && !more;) {
      at[m] += step[m];
      more = at[m] < box.hi[m];
      if (!more) at[m] = box.lo[m];
    }
  }
  return slabs;
}

std::int64_t most_in_a_slab(ElementType type, int ranks, std::int64_t limit) {
  constexpr std::int64_t parts = 16;
  if (limit == 0) return std::numeric_limits<std::int64_t>::max();
  return std::max<std::int64_t>(1, limit / parts / static_cast<std::int64_t>(element_size(type)) * ranks);
}

std::int64_t bytes_to_copy(const compile::Array& array, const compile::Cuts& cuts, bool is_packed, int ranks,
                           std::int64_t limit) {
  std::int64_t block = 1;
  const Extents& extents = array.shape->extents();
  for (std::size_t m = 0; m < cuts.size(); ++m) block *= compile::largest_tile(extents[m], cuts[m]);
  const auto share = [&](std::int64_t elements) {
    return (elements + ranks - 1) / ranks * static_cast<std::int64_t>(element_size(array.type));
  };
  if (is_packed) return 2 * share(block);
  if (is_in_file_order(*array.shape, ranks)) return share(block);
  const std::int64_t slab = std::min(block, most_in_a_slab(array.type, ranks, limit));
  return share(block) + 3 * share(slab);  // cut out of the block, unpacked, and the part that a rank writes
}

}  // namespace ricci::program
