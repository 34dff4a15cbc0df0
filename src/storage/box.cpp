#include "storage/box.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

namespace ricci::storage {

std::int64_t elements(const Box& box) {
  std::int64_t count = 1;
  for (std::size_t mode = 0; mode < box.lo.size(); ++mode) count *= box.hi[mode] - box.lo[mode];
  return count;
}

void check_box(const Box& box, const std::vector<std::int64_t>& extents) {
  bool inside = box.lo.size() == extents.size() && box.hi.size() == extents.size();
  for (std::size_t mode = 0; inside && mode < extents.size(); ++mode) {
    inside = 0 <= box.lo[mode] && box.lo[mode] <= box.hi[mode] && box.hi[mode] <= extents[mode];
  }
  if (inside) return;
  throw InternalError(fmt::format("the box from {} to {} is no part of an array of {}", box.lo, box.hi, extents));
}

Slab slab_of(const Box& box, const std::vector<std::int64_t>& extents) {
  check_box(box, extents);
  Slab slab{0, elements(box), box.lo, {}};
  for (std::size_t mode = 0; mode < extents.size(); ++mode) {
    slab.extent.push_back(box.hi[mode] - box.lo[mode]);
    slab.first = slab.first * extents[mode] + box.lo[mode];
  }
  return slab;
}

void for_each_run(const Box& box, const std::vector<std::int64_t>& extents, const BoxRun& f) {
  const Slab slab = slab_of(box, extents);
  if (slab.count == 0) return;
  // A run goes over all modes behind `cut`, which are whole, and over the box's part of `cut` itself.
  std::size_t cut = extents.size();
  std::int64_t run = 1;
  while (cut > 0) {
    --cut;
    run *= slab.extent[cut];
    if (slab.extent[cut] != extents[cut]) break;
  }
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t mode = extents.size(); mode-- > 1;) strides[mode - 1] = strides[mode] * extents[mode];
  std::vector<std::int64_t> index(cut, 0);
  std::int64_t first = slab.first;
  for (std::int64_t at = 0; at < slab.count; at += run) {
    f(first, run, at);
    for (std::size_t mode = cut; mode-- > 0;) {
      first += strides[mode];
      if (++index[mode] < slab.extent[mode]) break;
      first -= strides[mode] * slab.extent[mode];
      index[mode] = 0;
    }
  }
}

namespace {

using BoxPart = std::function<void(const Box&, std::int64_t)>;

/// `part`: of what the box has behind `mode`; before that it is one element wide.
void split(Box box, std::size_t mode, Part part, std::int64_t at, const BoxPart& f) {
  if (part.count() == 0) return;
  if (mode == box.lo.size()) return f(box, at);
  std::int64_t row = 1;  // elements for one value of this mode
  for (std::size_t m = mode + 1; m < box.lo.size(); ++m) row *= box.hi[m] - box.lo[m];
  const std::int64_t low = box.lo[mode];
  const auto rows = [&](std::int64_t first, std::int64_t last) {
    box.lo[mode] = low + first;
    box.hi[mode] = low + last;
  };
  std::int64_t first = part.first / row, last = part.last / row;
  if (const std::int64_t skip = part.first % row; skip > 0 || first == last) {  // begins, or is, within a row
    const std::int64_t end = first == last ? part.last % row : row;
    rows(first, first + 1);
    split(box, mode + 1, {skip, end}, at, f);
    at += end - skip;
    if (first++ == last) return;
  }
  if (first < last) {
    rows(first, last);
    f(box, at);
    at += (last - first) * row;
  }
  rows(last, last + 1);
  split(box, mode + 1, {0, part.last % row}, at, f);
}

}  // namespace

void for_each_box(const Box& box, const Part& part, const BoxPart& f) {
  if (part.count() > 0) split(box, 0, part, 0, f);
}

}  // namespace ricci::storage
