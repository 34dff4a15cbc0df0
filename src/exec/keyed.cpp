#include "exec/keyed.hpp"

#include <numeric>

namespace ricci::exec {

Route::Route(const comm::Communicator& communicator, std::span<const int> targets)
    : communicator_(communicator),
      order_(targets.size()),
      to_(static_cast<std::size_t>(communicator.size()), 0),
      from_(static_cast<std::size_t>(communicator.size()), 0) {
  for (int target : targets) ++to_[static_cast<std::size_t>(target)];
  std::vector<std::int64_t> next(to_.size(), 0);
  std::exclusive_scan(to_.begin(), to_.end(), next.begin(), std::int64_t{0});
  for (std::size_t i = 0; i < targets.size(); ++i) order_[i] = next[static_cast<std::size_t>(targets[i])]++;
  communicator.all_to_all(to_, from_);
  received_ = std::accumulate(from_.begin(), from_.end(), std::int64_t{0});
}

void Route::exchange(const std::byte* send, std::byte* receive, std::size_t item_size, bool backward) const {
  const auto in_bytes = [&](const std::vector<std::int64_t>& counts) {
    std::vector<std::int64_t> bytes(counts);
    for (std::int64_t& count : bytes) count *= static_cast<std::int64_t>(item_size);
    return bytes;
  };
  const auto begins = [](const std::vector<std::int64_t>& bytes) {
    std::vector<std::int64_t> result(bytes.size());
    std::exclusive_scan(bytes.begin(), bytes.end(), result.begin(), std::int64_t{0});
    return result;
  };
  const auto out = in_bytes(backward ? from_ : to_), in = in_bytes(backward ? to_ : from_);
  communicator_.exchange(send, out, begins(out), receive, in, begins(in));
}

}  // namespace ricci::exec
