#include "comm/grid_communicators.hpp"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

namespace ricci::comm {

GridCommunicators::GridCommunicators(const Communicator& all, std::vector<int> extents)
    : all_(all), extents_(std::move(extents)) {
  std::int64_t ranks = 1;
  bool positive = true;
  for (const int extent : extents_) {
    positive = positive && extent > 0;
    if (positive && ranks <= all.size()) ranks *= extent;  // beyond the size it is wrong already, and must not wrap
  }
  if (!positive || ranks != all.size())
    throw InternalError(fmt::format("a grid of {} is no grid of {} ranks", fmt::join(extents_, "x"), all.size()));
  coordinates_ = coordinates_of(all_.rank());
}

std::vector<int> GridCommunicators::coordinates_of(int rank) const {
  std::vector<int> coordinates(extents_.size());
  for (std::size_t d = extents_.size(); d-- > 0;) {
    coordinates[d] = rank % extents_[d];
    rank /= extents_[d];
  }
  return coordinates;
}

int GridCommunicators::rank_of(const std::vector<int>& coordinates) const {
  int rank = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) rank = rank * extents_[d] + coordinates.at(d);
  return rank;
}

Communicator GridCommunicators::along(const std::vector<int>& dimensions) {
  std::set<int> wanted;
  for (const int d : dimensions) {
    if (d < 0 || d >= std::ssize(extents_))
      throw InternalError(fmt::format("a grid of {} has no dimension {}", fmt::join(extents_, "x"), d));
    if (extents_[static_cast<std::size_t>(d)] > 1) wanted.insert(d);  // along the others there is nobody else
  }
  int color = 0, key = 0, together = 1;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    const bool varies = wanted.contains(static_cast<int>(d));
    (varies ? key : color) = (varies ? key : color) * extents_[d] + coordinates_[d];
    if (varies) together *= extents_[d];
  }
  if (together == all_.size()) return all_;

  const std::vector<int> name(wanted.begin(), wanted.end());
  const auto known = made_.find(name);
  if (known != made_.end()) return known->second;
  return made_.emplace(name, name.empty() ? Communicator() : all_.split(color, key)).first->second;
}

Traffic GridCommunicators::traffic() const {
  Traffic total;
  for (const auto& [name, communicator] : made_) total += communicator.traffic();
  return total;
}

}  // namespace ricci::comm
