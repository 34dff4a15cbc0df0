#include "kernels/shares.hpp"

#include <algorithm>

namespace ricci::kernels {

using symmetry::Fold;
using symmetry::Role;
using symmetry::Unit;

namespace {

// Two values of a loop lead to different elements of C unless the loop's labels share a packed group of C with others.
bool leads_apart(const Unit& unit, const Access& c) {
  for (const GroupAccess& group : c.groups) {
    for (int label : unit.labels) {
      if (std::find(group.labels.begin(), group.labels.end(), label) != group.labels.end()) return false;
    }
  }
  return unit.role != Role::summed;
}

int longest(const Fold& fold, bool summed, const Access& c) {
  int best = -1;
  // A long enough loop of the batch comes first, since nothing is then read twice.
  const auto rank = [](const Unit& unit) {
    constexpr std::int64_t ahead = std::int64_t{1} << 40;
    return unit.role == Role::batch && unit.size >= 16 ? ahead + unit.size : unit.size;
  };
  for (std::size_t u = 0; u < fold.units.size(); ++u) {
    const Unit& unit = fold.units[u];
    if (summed ? unit.role != Role::summed : !leads_apart(unit, c)) continue;
    if (best < 0 || rank(unit) > rank(fold.units[best])) best = static_cast<int>(u);
  }
  return best;
}

std::vector<LoopPart> cut(int unit, std::int64_t size, int parts) {
  // Whole register tiles where there are enough of them.
  const std::int64_t grain = size >= 48 * parts ? 24 : size >= 16 * parts ? 8 : 1;
  const std::int64_t grains = (size + grain - 1) / grain;
  std::vector<LoopPart> result;
  for (int p = 0; p < parts; ++p) {
    const std::int64_t first = std::min(size, grains * p / parts * grain);
    const std::int64_t last = std::min(size, grains * (p + 1) / parts * grain);
    if (last > first) result.push_back({unit, first, last - first});
  }
  return result;
}

std::vector<Share> one_box_each(const std::vector<LoopPart>& parts) {
  std::vector<Share> shares;
  for (const LoopPart& part : parts) shares.push_back({Box{part}});
  return shares;
}

/// The loop that is one label by itself, or -1.
int loop_of_label(const Fold& fold, int label) {
  for (std::size_t u = 0; u < fold.units.size(); ++u) {
    if (fold.units[u].degree() == 1 && fold.units[u].labels[0] == label) return static_cast<int>(u);
  }
  return -1;
}

/// Blocks of a packed pair of the output, in twins; empty where there is no such pair.
std::vector<Share> deal_out_pair(const Fold& fold, const Access& c, int threads) {
  for (const GroupAccess& group : c.groups) {
    if (group.labels.size() != 2 || group.labels[0] == group.labels[1]) continue;
    const int x = loop_of_label(fold, group.labels[0]), y = loop_of_label(fold, group.labels[1]);
    constexpr std::int64_t least_block = 16;
    if (x < 0 || y < 0 || fold.units[x].size < 2 * threads * least_block) continue;
    const std::vector<LoopPart> blocks = cut(x, fold.units[x].size, 2 * threads);
    const auto along = [](LoopPart part, int unit) { return LoopPart{unit, part.first, part.count}; };
    std::vector<Share> shares(threads);
    std::vector<int> load(threads, 0);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const std::size_t t = std::min_element(load.begin(), load.end()) - load.begin();
        shares[t].push_back({along(blocks[i], x), along(blocks[j], y)});
        if (i != j) shares[t].push_back({along(blocks[j], x), along(blocks[i], y)});
        load[t] += i == j ? 1 : 2;
      }
    }
    return shares;
  }
  return {};
}

}  // namespace

Axis restricted(const Axis& axis, const Box& box) {
  Axis part = axis;
  for (const LoopPart& loop : box) part = part.restricted(loop.unit, loop.first, loop.count);
  return part;
}

Shares deal_out(const Fold& fold, const Access& c, std::int64_t output_size, int threads) {
  constexpr double least_products = 2e5;  // below, starting threads costs more than it saves
  constexpr std::int64_t small_output = 1 << 16;
  const Shares alone{{Share{Box{}}}, false};
  if (threads < 2 || fold.products() < least_products) return alone;
  const int apart = longest(fold, false, c), summed = longest(fold, true, c);
  const std::int64_t apart_size = apart < 0 ? 1 : fold.units[apart].size;
  if (apart_size >= threads) return {one_box_each(cut(apart, apart_size, threads)), false};
  if (std::vector<Share> pairs = deal_out_pair(fold, c, threads); !pairs.empty()) return {std::move(pairs), false};
  if (summed >= 0 && fold.units[summed].size > 1 && output_size <= small_output) {
    return {one_box_each(cut(summed, fold.units[summed].size, threads)), true};
  }
  if (apart_size > 1) return {one_box_each(cut(apart, apart_size, threads)), false};
  return alone;
}

}  // namespace ricci::kernels
