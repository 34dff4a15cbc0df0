#include "plan/spread_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "plan/longest_labels.hpp"
#include "plan/network.hpp"

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

std::vector<int> dimensions_of_sum(int parts) {
  int divisor = 1;
  for (int d = 2; d * d <= parts; ++d) {
    if (parts % d == 0) divisor = d;
  }
  return divisor == 1 ? std::vector<int>{parts} : std::vector<int>{parts / divisor, divisor};
}

SpreadEstimate::SpreadEstimate(const SpreadProblem& problem, const MachineModel& machine)
    : problem_(problem),
      machine_(machine),
      bandwidth_(bandwidth_of_all_to_all(machine, problem.ranks)),
      labels_(labels_of(problem)),
      classes_(problem),
      parts_of_(problem.extents.size(), 1) {}

void SpreadEstimate::set_parts(const std::vector<int>& parts) {
  for (std::size_t l = 0; l < labels_.size(); ++l) parts_of_[labels_[l]] = parts[l];
}

double SpreadEstimate::seconds(const Amounts& amounts) const {
  const double size = static_cast<double>(problem_.element_size);
  const double slowdown = 1 + (amounts.slowdown - 1) * machine_.kernel_overhead;
  return amounts.products * slowdown * problem_.flops_per_product / machine_.gemm_flops +
         amounts.blocks * seconds_of_block * machine_.kernel_overhead +
         amounts.touched * size / machine_.copy_bandwidth + amounts.words * size / bandwidth_ +
         amounts.messages * machine_.network_latency;
}

double SpreadEstimate::cut_output(std::vector<double>& tiles) const {
  const std::vector<int>& output = problem_.c.labels;
  std::vector<double> lengths;
  for (int label : output) lengths.push_back(static_cast<double>(problem_.extents[label]) / parts_of(label));
  std::vector<int> dimensions;
  for (int label : labels_) {
    if (parts_of(label) == 1 || std::find(output.begin(), output.end(), label) != output.end()) continue;
    const std::vector<int> here =
        output.size() < 2 ? std::vector<int>{parts_of(label)} : dimensions_of_sum(parts_of(label));
    dimensions.insert(dimensions.end(), here.begin(), here.end());
  }
  const std::vector<int> dealt = deal_to_longest(std::move(lengths), dimensions, shortest_of_output);
  std::vector<std::int64_t> ways(output.size(), 1);
  for (std::size_t mode = 0; mode < output.size(); ++mode) ways[mode] = parts_of(output[mode]);
  for (std::size_t k = 0; k < dealt.size(); ++k) {
    if (dealt[k] >= 0) ways[dealt[k]] *= dimensions[k];
  }
  for (std::size_t mode = 0; mode < output.size(); ++mode) {
    double& count = tiles[classes_.find(output[mode])];
    count = static_cast<double>(std::lcm(static_cast<std::int64_t>(count), ways[mode]));
  }
  double shortest = std::numeric_limits<double>::infinity();
  for (int label : output) {
    shortest = std::min(shortest, static_cast<double>(problem_.extents[label]) / tiles[classes_.find(label)]);
  }
  return shortest;
}

SpreadEstimate::Amounts SpreadEstimate::work(Sums sums) const {
  std::vector<double> tiles(problem_.extents.size(), 1), finer(problem_.extents.size(), 1);  // by class
  for (const symmetry::Unit& unit : problem_.fold.units) {
    for (int label : unit.labels) {
      const int cls = classes_.find(label);
      tiles[cls] = static_cast<double>(std::lcm(static_cast<std::int64_t>(tiles[cls]), std::int64_t{parts_of(label)}));
      if (parts_of(label) > 1) finer[cls] = std::max(finer[cls], 1.0 * tiles_of_a_part(unit.degree()));
    }
  }
  if (sums == Sums::spread) cut_output(tiles);
  Amounts work;
  work.products = work.blocks = 1;
  double sides[3] = {1, 1, 1};  // rows, columns, summed
  for (const symmetry::Unit& unit : problem_.fold.units) {
    double parts = 1;
    for (int label : unit.labels) parts *= parts_of(label);
    const int cls = classes_.find(unit.labels[0]);
    const double count = std::min(tiles[cls] * finer[cls], static_cast<double>(problem_.extents[unit.labels[0]]));
    double tuples = 1;
    for (int i = 0; i < unit.degree(); ++i) tuples *= (count + i) / (i + 1);
    work.products *= std::ceil(static_cast<double>(unit.size) / parts);
    work.blocks *= std::max(1.0, tuples / parts);
    sides[unit.role == Role::row ? 0 : unit.role == Role::summed ? 2 : 1] *= static_cast<double>(unit.size) / tuples;
  }
  work.slowdown = slowdown_of_blocks(sides[0], sides[1], sides[2]);
  return work;
}

double slowdown_of_blocks(double rows, double columns, double summed) {
  return 1 + 5 / std::max(1.0, rows) + 5 / std::max(1.0, columns) + 10 / std::max(1.0, summed);
}

bool SpreadEstimate::sums_stay_together() const {
  constexpr double long_enough = 32;  // for blocks to be as fast as they get
  if (summed_parts() == 1) return false;
  std::vector<double> tiles(problem_.extents.size(), 1);
  if (cut_output(tiles) >= long_enough) return false;
  return seconds_of(Sums::together) < seconds_of(Sums::spread);
}

double SpreadEstimate::summed_parts() const {
  double parts = 1;
  for (const symmetry::Unit& unit : problem_.fold.units) {
    for (int label : unit.labels) parts *= unit.role == Role::summed ? parts_of(label) : 1;
  }
  return parts;
}

double SpreadEstimate::seconds_of(Sums sums) const {
  Amounts amounts = work(sums);
  double &words = amounts.words, &messages = amounts.messages;
  for (const auto& [tensor, readings] : {std::pair(&problem_.a, problem_.fold.a_readings.size()),
                                         std::pair(&problem_.b, problem_.fold.b_readings.size())}) {
    if (!tensor->shape) continue;
    const double box = static_cast<double>(readings) * box_of(*tensor);
    const double stored = static_cast<double>(tensor->shape->stored_size());
    const double own = stored / ways_of(*tensor);  // elements that a rank has
    const double missing = std::max(0.0, std::min(box, stored) - in_place(*tensor) * own);
    words += missing;
    amounts.touched += std::min(box, stored);
    if (missing >= 1) messages += std::max(1.0, missing / std::max(1.0, own));
  }
  const double share = static_cast<double>(problem_.c.shape->stored_size()) / problem_.ranks, parts = summed_parts();
  if (sums == Sums::spread) {
    words += (parts - 1) * share;
    messages += parts - 1;
  } else {
    // Up a tree, and down to all who keep a copy.
    const double rounds = 2 * std::ceil(std::log2(parts));
    words += rounds * parts * share;
    messages += rounds;
  }
  if (problem_.c.layout && problem_.c.stays) words += (1 - in_place(problem_.c)) * share;
  return seconds(amounts);
}

double SpreadEstimate::box_of(const PlacedTensor& tensor) const {
  double box = 1;
  std::vector<bool> counted(tensor.labels.size(), false);
  // Labels that run together and are packed together: sorted tuples.
  for (const symmetry::Unit& unit : problem_.fold.units) {
    if (unit.degree() < 2) continue;
    std::vector<int> modes;
    for (std::size_t mode = 0; mode < tensor.labels.size(); ++mode) {
      const bool is_in = std::find(unit.labels.begin(), unit.labels.end(), tensor.labels[mode]) != unit.labels.end();
      if (is_in) modes.push_back(static_cast<int>(mode));
    }
    const bool together =
        static_cast<int>(modes.size()) == unit.degree() && std::all_of(modes.begin(), modes.end(), [&](int mode) {
          return tensor.shape->dim_of_mode(mode) == tensor.shape->dim_of_mode(modes[0]);
        });
    if (!together) continue;
    double parts = 1;
    for (int mode : modes) parts *= parts_of(tensor.labels[mode]), counted[mode] = true;
    box *= std::ceil(static_cast<double>(unit.size) / parts);
  }
  for (std::size_t mode = 0; mode < tensor.labels.size(); ++mode) {
    const int label = tensor.labels[mode];
    if (!counted[mode]) box *= std::ceil(static_cast<double>(problem_.extents[label]) / parts_of(label));
  }
  return box;
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
  constexpr int looked_at = 8;
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
