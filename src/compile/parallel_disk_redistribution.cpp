#include "compile/parallel_disk_redistribution.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::compile::parallel_disk {

namespace {

bool same(ArrayDistribution x, ArrayDistribution y) {
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  return x == y;
}

}  // namespace

std::string text_of(const ArrayDistribution& distribution) {
  std::string text;
  for (const Label label : distribution) {
    if (!text.empty()) text += ',';
    text += "ijk"[static_cast<int>(label)];
  }
  return "<" + text + ">";
}

void check(const ConstrainedArrays& constraints) {
  for (const Array array : all_arrays) {
    const auto& distribution = constraints.of(array);
    if (!distribution) continue;
    const bool known =
        std::all_of(distribution->begin(), distribution->end(), [&](Label label) { return has_label(array, label); });
    const bool twice = distribution->size() == 2 && distribution->front() == distribution->back();
    if (known && !twice && distribution->size() <= 2) continue;
    const auto [x, y] = labels_of(array);
    throw InputError(fmt::format("{} cannot be spread by {}: it has the labels {}, each of which may stand once",
                                 letter(array), text_of(*distribution), text_of({x, y})));
  }
}

std::optional<ArrayDistribution> needed_distribution(const ParallelDiskMethod& method, Array array) {
  const auto [x, y] = labels_of(array);
  switch (method.algorithm) {
    case ParallelAlgorithm::rotation:
      return ArrayDistribution{x, y};
    case ParallelAlgorithm::replication:
      if (array == method.replicated) return std::nullopt;
      return ArrayDistribution{method.replicated == Array::a ? Label::j : Label::i};
    default:
      return array == Array::c ? ArrayDistribution{} : ArrayDistribution{Label::k};
  }
}

DiskVolumes redistribution(const ParallelDiskCase& c, double size, bool resident, const ArrayDistribution& from,
                           const ArrayDistribution& to) {
  if (c.ranks == 1 || from.empty() || same(from, to)) return {};
  const double part = size / c.ranks;
  const double written = to.empty() ? size : part;
  const double sent = to.empty() ? size : part * (1 - 1.0 / c.ranks);
  return {sent, resident ? 0 : part + written, 0};
}

DiskVolumes redistribution_of(const ParallelDiskCase& c, const ParallelDiskMethod& method, ResidentArrays resident,
                              const ConstrainedArrays& constraints) {
  DiskVolumes sum;
  for (const Array array : all_arrays) {
    const auto& given = constraints.of(array);
    const auto needed = needed_distribution(method, array);
    if (!given || !needed) continue;
    const double size = array == Array::a ? c.size_a() : array == Array::b ? c.size_b() : c.size_c();
    const bool output = array == Array::c;
    const DiskVolumes moved =
        redistribution(c, size, resident.of(array), output ? *needed : *given, output ? *given : *needed);
    sum.communication += moved.communication;
    sum.disk_communication += moved.disk_communication;
  }
  return sum;
}

}  // namespace ricci::compile::parallel_disk
