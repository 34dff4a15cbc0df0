#pragma once
// Walking through the elements of one rank in the order in which they are stored.
#include <cstdint>
#include <span>
#include <vector>

#include "layout/distribution.hpp"

namespace ricci::layout {

/// Refers to the distribution. Starts at the first element; next() goes size() times.
class LocalElements {
 public:
  LocalElements(const Distribution& distribution, const LocalTiles& tiles);

  std::int64_t size() const { return tiles_->size(); }
  /// Sorted within each group.
  std::span<const std::int64_t> index() const { return index_; }
  void next();
  /// This element and how many after it differ in one mode only, whose index grows by one each time.
  std::int64_t run() const { return has_runs() ? end_of_run() - runs_.back().back().sorted[0] : 1; }
  /// The mode that grows in a run of more than one.
  int run_mode() const { return has_runs() ? distribution_->units().back().modes()[runs_.back().back().run.first] : 0; }
  /// Past the run.
  void skip_run();
  /// How many elements of the unpacked tensor equal this one up to sign.
  std::int64_t multiplicity() const;

 private:
  struct Run {
    TileRun run;
    std::int64_t begin, extent;
    std::vector<std::int64_t> sorted;  // relative to the tile
  };
  bool has_runs() const { return !runs_.empty() && !runs_.back().empty(); }
  /// The first of sorted indices grows up to the second.
  std::int64_t end_of_run() const {
    const Run& run = runs_.back().back();
    if (run.run.degree == 1) return run.extent;
    return run.sorted[1] + (distribution_->units().back().strict() ? 0 : 1);
  }
  void enter_unit(std::size_t unit);
  void reset(std::size_t unit, Run& run);
  bool advance(std::size_t unit, Run& run);
  bool advance_unit(std::size_t unit);
  void store(std::size_t unit, const Run& run);

  const Distribution* distribution_;
  const LocalTiles* tiles_;
  std::vector<int> number_;             // [unit]: of its tile
  std::vector<std::vector<Run>> runs_;  // [unit], slowest first
  std::vector<std::int64_t> index_;
};

}  // namespace ricci::layout
