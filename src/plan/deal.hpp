#pragma once
// The ways to deal ranks out to labels.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ricci::planning {

/// How many parts each label is cut into; ranks that nobody gets are idle.
struct Deal {
  std::vector<int> parts;
  double seconds;
};

/// The prime factors of the ranks go to the labels in every way, or to nobody, no label into more parts than its
/// extent. The best `most` of them by `seconds`, those first. Where there are too many ways to try, factors are dealt
/// out by the pair, or by the four, …, and from the best of those single factors are moved on as long as that helps.
std::vector<Deal> deal_ranks(int ranks, const std::vector<std::int64_t>& extents,
                             const std::function<double(const std::vector<int>& parts)>& seconds, std::size_t most);

}  // namespace ricci::planning
