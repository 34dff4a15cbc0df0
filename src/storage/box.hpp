#pragma once
// A box of a row-major array, and the runs of it that are contiguous there.
#include <cstdint>
#include <functional>
#include <vector>

#include "layout/box.hpp"
#include "storage/slabs.hpp"

namespace ricci::storage {

using layout::Box;
using layout::Part;

/// Of a scalar: 1.
std::int64_t elements(const Box& box);

/// InternalError where the box does not lie within the array.
void check_box(const Box& box, const std::vector<std::int64_t>& extents);

/// As HDF5 selects it. `first` is where the box begins; what follows is contiguous only where the box is one run.
Slab slab_of(const Box& box, const std::vector<std::int64_t>& extents);

/// Calls f(first, count, at) for each run: `count` elements from linear position `first` of the array are those from
/// position `at` of the box. Runs are as long as possible, and in order. Checks the box.
using BoxRun = std::function<void(std::int64_t first, std::int64_t count, std::int64_t at)>;
void for_each_run(const Box& box, const std::vector<std::int64_t>& extents, const BoxRun& f);

/// The elements part.first to part.last - 1 of a box, which is row-major, as boxes of the array, in order: few of them.
/// f(box, at): its first element is number `at` of the part.
void for_each_box(const Box& box, const Part& part, const std::function<void(const Box&, std::int64_t at)>& f);

}  // namespace ricci::storage
