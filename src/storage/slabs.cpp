#include "storage/slabs.hpp"

#include <algorithm>

namespace ricci::storage {

void for_each_slab(const std::vector<std::int64_t>& extents, std::int64_t most,
                   const std::function<void(const Slab&)>& f) {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return;
  // Modes behind `cut` are whole in a slab, `cut` itself is split into pieces of `step`, those before it are single.
  std::int64_t behind = 1;
  auto cut = static_cast<int>(extents.size()) - 1;
  for (; cut > 0 && behind * extents[cut] <= most; --cut) behind *= extents[cut];
  if (cut < 0) return f(Slab{0, 1, {}, {}});
  const std::int64_t step = std::max<std::int64_t>(1, most / behind);

  Slab slab{0, 0, std::vector<std::int64_t>(extents.size()), extents};
  std::fill_n(slab.extent.begin(), cut, 1);
  while (true) {
    slab.extent[cut] = std::min(step, extents[cut] - slab.start[cut]);
    slab.count = slab.extent[cut] * behind;
    f(slab);
    slab.first += slab.count;
    slab.start[cut] += slab.extent[cut];
    for (int mode = cut; mode > 0 && slab.start[mode] == extents[mode]; --mode) {
      slab.start[mode] = 0;
      ++slab.start[mode - 1];
    }
    if (slab.start[0] == extents[0]) return;
  }
}

}  // namespace ricci::storage
