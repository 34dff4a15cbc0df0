#pragma once
#include <cstddef>
#include <vector>

namespace ricci::planning {

/// Grid dimensions that no label of a tensor has go to its longest ones, so that everybody gets a share of it.
/// `lengths`: of the labels, as far as they are cut already. [dimension]: the label that gets it; none (-1) where its
/// parts would be shorter than `shortest`. The greatest dimension is dealt out first, so that the labels end up about
/// as long.
std::vector<int> deal_to_longest(std::vector<double> lengths, const std::vector<int>& dimensions, double shortest);

/// Adds to a mapping of the labels ([label]: grid dimensions) the dimensions of the grid that it lacks. `lengths`: of
/// the labels without any.
void deal_left_over(std::vector<std::vector<int>>& mapping, std::vector<double> lengths, const std::vector<int>& grid,
                    double shortest);

}  // namespace ricci::planning
