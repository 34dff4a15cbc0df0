#include "plan/spread_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ricci::planning {

using symmetry::Role;

std::vector<int> labels_of(const SpreadProblem& problem) {
  std::vector<int> labels;
  for (const PlacedTensor* tensor : {&problem.c, &problem.a, &problem.b}) {
    for (int label : tensor->labels) {
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

int tiles_of_a_part(int degree) {
  constexpr int counts[] = {1, 1, 2, 4, 6};
  return counts[std::min(degree, 4)];
}

SpreadEstimate::SpreadEstimate(const SpreadProblem& problem, const MachineModel& machine)
    : problem_(problem), machine_(machine), labels_(labels_of(problem)), parts_of_(problem.extents.size(), 1) {}

void SpreadEstimate::set_parts(const std::vector<int>& parts) {
  for (std::size_t l = 0; l < labels_.size(); ++l) parts_of_[labels_[l]] = parts[l];
}

double SpreadEstimate::seconds(double products, double words, double messages) const {
  return products * problem_.flops_per_product / machine_.gemm_flops +
         words * static_cast<double>(problem_.element_size) / machine_.network_bandwidth +
         messages * machine_.network_latency;
}

double SpreadEstimate::seconds() const {
  double products = 1, summed_parts = 1;
  for (const symmetry::Unit& unit : problem_.fold.units) {
    double parts = 1;
    for (int label : unit.labels) parts *= parts_of(label);
    products *= std::ceil(static_cast<double>(unit.size) / parts);
    if (unit.role == Role::summed) summed_parts *= parts;
  }
  double words = 0, messages = 0;
  for (const auto& [tensor, readings] : {std::pair(&problem_.a, problem_.fold.a_readings.size()),
                                         std::pair(&problem_.b, problem_.fold.b_readings.size())}) {
    if (!tensor->shape) continue;
    double box = static_cast<double>(readings);
    for (int label : tensor->labels) {
      box *= std::ceil(static_cast<double>(problem_.extents[label]) / parts_of(label));
    }
    const double stored = static_cast<double>(tensor->shape->stored_size());
    const double own = stored / ways_of(*tensor);  // elements that a rank has
    const double missing = std::max(0.0, std::min(box, stored) - in_place(*tensor) * own);
    words += missing;
    if (missing >= 1) messages += std::max(1.0, missing / std::max(1.0, own));
  }
  const double share = static_cast<double>(problem_.c.shape->stored_size()) / problem_.ranks;
  words += (summed_parts - 1) * share;
  messages += summed_parts - 1;
  if (problem_.c.layout && problem_.c.stays) words += (1 - in_place(problem_.c)) * share;
  return seconds(products, words, messages);
}

/// The part of a rank's elements that lies in its blocks: all where the tensor is spread over the same labels.
double SpreadEstimate::ways_of(const PlacedTensor& tensor) const {
  if (!tensor.layout) return problem_.ranks;
  double ways = 1;
  for (const auto& dims : tensor.layout->mapping()) {
    for (int dim : dims) ways *= tensor.layout->grid().extents()[dim];
  }
  return ways;
}

double SpreadEstimate::in_place(const PlacedTensor& tensor) const {
  if (!tensor.layout) return 1;
  double part = 1;
  for (std::size_t mode = 0; mode < tensor.labels.size(); ++mode) {
    int ways = 1;
    for (int dim : tensor.layout->mapping()[mode]) ways *= tensor.layout->grid().extents()[dim];
    const int parts = parts_of(tensor.labels[mode]);
    const bool aligned = ways == 1 || std::gcd(ways, parts) > 1;
    part *= aligned ? std::min(1.0, static_cast<double>(ways) / parts) : 1.0 / parts;
  }
  return part;
}

double SpreadEstimate::kept_in_place(const std::vector<std::size_t>& order) const {
  constexpr int looked_at = 16;
  const int count = std::min(problem_.ranks, looked_at);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    const int rank = static_cast<int>(std::int64_t{problem_.ranks - 1} * i / std::max(1, count - 1));
    std::vector<double> at(problem_.extents.size(), 0);  // of the rank's blocks along each label, from 0 to 1
    int left = rank;
    int idle = problem_.ranks;
    for (std::size_t l : order) idle /= parts_of_[labels_[l]];
    left /= idle;
    for (std::size_t k = order.size(); k-- > 0;) {
      at[labels_[order[k]]] = static_cast<double>(left % parts_of_[labels_[order[k]]]) / parts_of_[labels_[order[k]]];
      left /= parts_of_[labels_[order[k]]];
    }
    double kept = 0;
    for (const PlacedTensor* tensor : {&problem_.a, &problem_.b}) {
      if (tensor->shape && tensor->layout) kept += common_part(*tensor, rank, at);
    }
    least = std::min(least, kept);
  }
  return least;
}

/// Elements of a tensor that a rank has and that lie in its blocks, as if all were cut into as many tiles as ranks.
double SpreadEstimate::common_part(const PlacedTensor& tensor, int rank, const std::vector<double>& at) const {
  const std::vector<int>& grid = tensor.layout->grid().extents();
  std::vector<int> coordinates(grid.size());
  for (std::size_t dim = grid.size(); dim-- > 0;) {
    coordinates[dim] = rank % grid[dim];
    rank /= grid[dim];
  }
  double part = static_cast<double>(tensor.shape->stored_size());
  for (std::size_t mode = 0; mode < tensor.labels.size(); ++mode) {
    double here = 0, ways = 1;
    for (int dim : tensor.layout->mapping()[mode]) {
      here = here * grid[dim] + coordinates[dim];
      ways *= grid[dim];
    }
    const int label = tensor.labels[mode];
    const double begin = std::max(here / ways, at[label]);
    const double end = std::min((here + 1) / ways, at[label] + 1.0 / parts_of(label));
    part *= std::max(0.0, end - begin);
  }
  return part;
}

}  // namespace ricci::planning
