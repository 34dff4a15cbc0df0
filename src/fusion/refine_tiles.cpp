#include "fusion/refine_tiles.hpp"

#include <algorithm>
#include <cmath>

namespace ricci::fusion {

namespace {

constexpr double most_trials = 8000;  // in a round over all pairs of loops
constexpr int most_rounds = 6;
constexpr double worthwhile = 0.999;  // of the cost before: else rounds would never end

class Refinement {
 public:
  Refinement(LoopProgram& program, double limit_bytes, const DiskModel& disk,
             const std::function<double(const LoopProgram&)>& cost)
      : program_(program), limit_(limit_bytes), cost_(cost), problem_(make_tile_problem(program, disk)) {
    for (std::size_t l = 0; l < program.loops.size(); ++l) {
      tiles_.push_back(program.loops[l].tile);
      trips_.push_back(program.trips(static_cast<int>(l)));
      if (problem_.extents[l] > 1) loops_.push_back(l);
      all_choices_.push_back(choices_of(problem_.extents[l]));
    }
    const double pairs = static_cast<double>(loops_.size() * (loops_.size() + 1)) / 2;
    most_choices_ = static_cast<std::size_t>(std::max(3.0, std::sqrt(most_trials / std::max(1.0, pairs))));
    seconds_ = problem_.seconds(trips_);
    best_ = cost_(program_);
  }

  void run() {
    bool better = true;
    for (int round = 0; round < most_rounds && better; ++round) {
      better = false;
      for (std::size_t i = 0; i < loops_.size(); ++i) {
        for (std::size_t j = i; j < loops_.size(); ++j) better = improve(loops_[i], loops_[j]) || better;
      }
    }
  }

 private:
  /// Tiles whose trip counts grow by about a quarter each, the largest tile first.
  static std::vector<std::int64_t> choices_of(std::int64_t extent) {
    std::vector<std::int64_t> tiles;
    for (std::int64_t trips = 1; trips <= extent; trips += std::max<std::int64_t>(1, trips / 4)) {
      const std::int64_t tile = (extent + trips - 1) / trips;
      if (tiles.empty() || tile < tiles.back()) tiles.push_back(tile);
    }
    return tiles;
  }

  /// Those nearest to the present tile.
  std::vector<std::int64_t> choices(std::size_t loop) const {
    const std::vector<std::int64_t>& all = all_choices_[loop];
    if (all.size() <= most_choices_) return all;
    const auto here = static_cast<std::size_t>(
        std::partition_point(all.begin(), all.end(), [&](std::int64_t tile) { return tile > tiles_[loop]; }) -
        all.begin());
    const std::size_t first = std::min(all.size() - most_choices_, here - std::min(here, most_choices_ / 2));
    return {all.begin() + static_cast<std::ptrdiff_t>(first),
            all.begin() + static_cast<std::ptrdiff_t>(first + most_choices_)};
  }

  void set(std::size_t loop, std::int64_t tile) {
    tiles_[loop] = program_.loops[loop].tile = tile;
    trips_[loop] = program_.trips(static_cast<int>(loop));
  }

  bool improve(std::size_t i, std::size_t j) {
    std::int64_t best_i = tiles_[i], best_j = tiles_[j];
    const double before = best_;
    const std::vector<std::int64_t> of_i = choices(i), of_j = choices(j);
    for (std::int64_t tile_i : of_i) {
      set(i, tile_i);
      for (std::int64_t tile_j : of_j) {
        if (i != j) set(j, tile_j);
        if (problem_.bytes(tiles_, trips_) > limit_ || problem_.seconds(trips_) > seconds_) continue;
        const double cost = cost_(program_);
        if (cost >= best_ * worthwhile) continue;
        best_ = cost;
        best_i = tile_i;
        best_j = i == j ? tile_i : tile_j;
      }
    }
    set(i, best_i);
    set(j, best_j);
    return best_ < before;
  }

  LoopProgram& program_;
  const double limit_;
  const std::function<double(const LoopProgram&)>& cost_;
  const TileProblem problem_;
  std::vector<std::size_t> loops_;
  std::vector<std::vector<std::int64_t>> all_choices_;  // by loop
  std::vector<std::int64_t> tiles_, trips_;             // by loop
  std::size_t most_choices_ = 0;
  double seconds_ = 0, best_ = 0;
};

}  // namespace

void refine_tiles(LoopProgram& program, double limit_bytes, const DiskModel& disk,
                  const std::function<double(const LoopProgram&)>& cost) {
  Refinement(program, limit_bytes, disk, cost).run();
}

}  // namespace ricci::fusion
