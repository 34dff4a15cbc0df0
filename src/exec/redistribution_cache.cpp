#include "exec/redistribution_cache.hpp"

#include <algorithm>

namespace ricci::exec {

std::shared_ptr<const layout::Redistribution> RedistributionCache::find_or_make(const layout::Distribution& from,
                                                                                const layout::Distribution& to,
                                                                                int rank, std::size_t element_size) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.element_size == element_size && entry.from == from.layout() && entry.to == to.layout() &&
           *entry.shape == from.shape();
  });
  if (known != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, known);
    return known->moves;
  }
  auto moves = std::make_shared<const layout::Redistribution>(from, to, rank, element_size);
  const std::int64_t bytes = moves->table_bytes();
  if (bytes > most_bytes) return moves;
  entries_.push_front({from.shared_shape(), from.layout(), to.layout(), element_size, moves, bytes});
  bytes_ += bytes;
  while (entries_.size() > capacity || bytes_ > most_bytes) {
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
  return moves;
}

}  // namespace ricci::exec
