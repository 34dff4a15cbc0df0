#include "layout/local_elements.hpp"

#include "symmetry/packed.hpp"

namespace ricci::layout {

LocalElements::LocalElements(const Distribution& distribution, const LocalTiles& tiles)
    : distribution_(&distribution),
      tiles_(&tiles),
      number_(distribution.units().size(), 0),
      runs_(distribution.units().size()),
      index_(static_cast<std::size_t>(distribution.shape().order()), 0) {
  if (tiles.size() == 0) return;
  for (std::size_t u = 0; u < runs_.size(); ++u) enter_unit(u);
}

void LocalElements::enter_unit(std::size_t u) {
  const Unit& unit = distribution_->units()[u];
  runs_[u].clear();
  for (const TileRun& run : unit.runs(tiles_->tiles()[u][number_[u]])) {
    runs_[u].push_back({run, unit.tiling().begin(run.tile), unit.tiling().size(run.tile),
                        std::vector<std::int64_t>(static_cast<std::size_t>(run.degree))});
    reset(u, runs_[u].back());
  }
}

void LocalElements::reset(std::size_t u, Run& run) {
  const bool strict = distribution_->units()[u].strict();
  for (int k = 0; k < run.run.degree; ++k) run.sorted[k] = strict ? k : 0;
  store(u, run);
}

void LocalElements::store(std::size_t u, const Run& run) {
  const auto& modes = distribution_->units()[u].modes();
  for (int k = 0; k < run.run.degree; ++k) index_[modes[run.run.first + k]] = run.begin + run.sorted[k];
}

bool LocalElements::advance(std::size_t u, Run& run) {
  if (run.run.degree == 1) {
    ++run.sorted[0];
  } else {
    symmetry::next_sorted(distribution_->units()[u].strict(), run.run.degree, run.sorted.data());
  }
  if (run.sorted.back() >= run.extent) return false;
  store(u, run);
  return true;
}

bool LocalElements::advance_unit(std::size_t u) {
  for (std::size_t r = runs_[u].size(); r-- > 0;) {
    if (advance(u, runs_[u][r])) return true;
    reset(u, runs_[u][r]);
  }
  return false;
}

// The elements of a tile, the last unit fastest; then the next tile.
void LocalElements::next() {
  for (std::size_t u = runs_.size(); u-- > 0;) {
    if (advance_unit(u)) return;
  }
  for (std::size_t u = runs_.size(); u-- > 0;) {
    const bool more = number_[u] + 1 < static_cast<int>(tiles_->tiles()[u].size());
    number_[u] = more ? number_[u] + 1 : 0;
    enter_unit(u);
    if (more) return;
  }
}

void LocalElements::skip_run() {
  if (has_runs()) runs_.back().back().sorted[0] += run() - 1;
  next();
}

std::int64_t LocalElements::multiplicity() const {
  std::int64_t count = 1;
  for (const Unit& unit : distribution_->units()) {
    // The multinomial coefficient, one factor a position: position / how often its value has come.
    std::int64_t same = 0;
    for (int k = 0; k < unit.degree(); ++k) {
      const bool repeats = k > 0 && index_[unit.modes()[k]] == index_[unit.modes()[k - 1]];
      same = repeats ? same + 1 : 1;
      count = count * (k + 1) / same;
    }
  }
  return count;
}

}  // namespace ricci::layout
