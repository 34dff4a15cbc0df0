#pragma once
// What a spread costs one rank, counted tile by tile without making its program.
#include <climits>
#include <cstdint>

#include "plan/block_program.hpp"
#include "plan/relay_cost.hpp"
#include "plan/tile_sets.hpp"

namespace ricci::planning {

struct RankCount {
  std::int64_t fetched = 0;   // elements of operands that come from others
  std::int64_t partial = 0;   // elements of results that go to others
  std::int64_t touched = 0;   // elements of operands that take part
  std::int64_t messages = 0;  // to fetch them, at least
  int phases = 1;
  FanOut fetches[2], sums;  // in a phase, on average; of operands that are cut anew, straight from their holders
  /// Elements of buffers that are there at a time, those of kernels and of packing among them; the same if it is lean.
  std::int64_t buffers = 0, lean_buffers = 0;
  double blocks = 0;         // products of tiles
  double products = 0;       // multiplications
  double slowdown = 1;       // of the products, for blocks that are small
  double lean_slowdown = 1;  // the same if it is lean
};

/// The first of the ranks that have most products, of up to 1024.
int busiest_rank(const BlockContraction& contraction);

/// `sets`: of the same contraction. Phases are alike: with `looked_at`, no more of them than so many are counted, and
/// taken for all.
RankCount count_for_rank(const BlockContraction& contraction, int rank, TileSets& sets, int looked_at = INT_MAX);
RankCount count_for_rank(const BlockContraction& contraction, int rank);

}  // namespace ricci::planning
