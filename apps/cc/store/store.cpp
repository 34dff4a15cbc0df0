#include "store/store.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace cc {

namespace {

/// A program that works block by block holds some operands and their successors at a time.
constexpr std::int64_t blocks_in_memory = 48;
/// Tensors that take less of the limit stay in memory.
constexpr std::int64_t small_ones = 64;

}  // namespace

std::int64_t stored_size(const ricci::Extents& extents, const ricci::Symmetry& symmetry) {
  double elements = 1;
  for (const std::int64_t extent : extents) elements *= static_cast<double>(extent);
  for (const ricci::SymmetryGroup& group : symmetry.groups()) elements /= std::tgamma(group.modes.size() + 1.0);
  return static_cast<std::int64_t>(elements);
}

Store::Store(const ricci::World& world, std::string scratch) : world_(world), scratch_(std::move(scratch)) {}

void Store::use_disk(bool nearly_all) {
  disk_.emplace(world_, scratch_);
  const double elements = static_cast<double>(limit()) / blocks_in_memory / sizeof(double) * world_.size();
  tile_ = std::max<std::int64_t>(4, static_cast<std::int64_t>(std::pow(elements, 0.25)));
  small_bytes_ = nearly_all ? 4096 : limit() / small_ones;
}

bool Store::is_large(std::int64_t elements) const {
  const auto bytes = elements * static_cast<std::int64_t>(sizeof(double)) / world_.size();
  return disk_ && bytes > small_bytes_;
}

std::int64_t Store::limit() const {
  const std::int64_t all = world_.options().memory_limit;
  return all == 0 ? 0 : std::max<std::int64_t>(1, all - reserved_);
}

Held Store::make(const ricci::Extents& extents, const ricci::Symmetry& symmetry) const {
  if (is_large(stored_size(extents, symmetry))) return Held(make_on_disk(extents, symmetry));
  return Held(ricci::Tensor<double>(world_, extents, symmetry));
}

ricci::disk::DiskTensor<double> Store::make_on_disk(const ricci::Extents& extents,
                                                    const ricci::Symmetry& symmetry) const {
  std::vector<std::vector<std::int64_t>> cuts;
  for (const std::int64_t extent : extents) cuts.push_back(ricci::disk::cuts(extent, tile()));
  return {*disk_, extents, symmetry, std::move(cuts)};
}

ricci::Options Store::plan_options() const {
  ricci::Options options = world_.options();
  options.memory_limit = limit();
  return options;
}

}  // namespace cc
