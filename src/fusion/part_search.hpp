#pragma once
// The best loops and tiles of one part of a tree: contractions whose intermediates all stay in memory.
#include <limits>
#include <optional>
#include <vector>

#include "fusion/part_placements.hpp"
#include "fusion/search.hpp"

namespace ricci::fusion {

/// Contractions of a part, its root last.
using Members = std::vector<int>;

/// Every part with this root that the homes of arrays allow, small ones first. `may_cut[v]`: whether v may be on disk.
std::vector<Members> parts_with_root(const Forest& forest, const Tree& tree, int root, const std::vector<bool>& may_cut,
                                     int most_fused, bool& exhaustive);

class PartSearch {
 public:
  PartSearch(const Forest& forest, const Tree& tree, double limit_bytes, const SearchOptions& options)
      : forest_(forest), tree_(tree), limit_(limit_bytes), options_(options) {}

  struct Result {
    LoopStructure structure;  // only what the part has to do with
    double seconds = 0;
  };

  /// The best that takes less than `below` seconds. `structure`: what is on disk, and nothing else.
  std::optional<Result> run(const Members& members, const LoopStructure& structure, double below);

  /// The least memory with least tiles.
  double least_memory(const Members& members, const LoopStructure& structure);

  /// Every array of the part once.
  double least_seconds(const Members& members, const LoopStructure& structure) const;

  std::int64_t candidates = 0;
  bool exhaustive = true;

 private:
  /// Fusions of intermediates, from the root down; then the placements of transfers.
  void fuse(std::size_t member, LoopStructure& structure);
  void order_operands(std::size_t member, LoopStructure& skeleton);
  void place_all(const LoopStructure& skeleton);
  void place_next(const LoopStructure& skeleton, std::size_t at, LoopStructure& structure,
                  const std::vector<std::vector<Placement>>& ways);
  TileProblem problem_of(const LoopStructure& structure, const std::vector<int>& undecided) const;
  void look_at(const TileProblem& problem, const LoopStructure& structure, bool complete, bool& promising);
  double moved_bytes(int contraction, const LoopStructure& structure) const;

  const Forest& forest_;
  const Tree& tree_;
  double limit_;
  const SearchOptions& options_;
  Members members_;
  Members order_;  // contractions by what they move, most first
  bool for_memory_ = false;
  double below_ = 0;
  double least_bytes_ = 0;
  std::optional<Result> best_;
};

}  // namespace ricci::fusion
