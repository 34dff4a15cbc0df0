#pragma once
// From which ranks the elements of tiles come.
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "layout/tensor_tiles.hpp"

namespace ricci::planning {

/// Amounts of some of the ranks.
class WordsOfRanks {
 public:
  explicit WordsOfRanks(int ranks) : words_(static_cast<std::size_t>(ranks), 0) {}
  void add(int rank, double words) {
    if (words_[rank] == 0) ranks_.push_back(rank);
    words_[rank] += words;
  }
  /// By increasing rank; forgets them.
  std::vector<std::pair<int, double>> take();

 private:
  std::vector<double> words_;
  std::vector<int> ranks_;
};

/// For tiles of one distribution of a tensor that is stored in another (or the same) one. Everything is a product over
/// the units: which elements two tiles have in common, and, as units have grid dimensions of their own, the rank that
/// holds them. Refers to both.
class TileSources {
 public:
  TileSources(const layout::Distribution& stored, const layout::Distribution& tiles);

  const layout::Distribution& stored() const { return stored_; }
  /// Adds the elements of a tile that each rank holds, of the first copy.
  void add(std::int64_t number, WordsOfRanks& words);

 private:
  struct Share {
    int at;  // of the rank that holds them, as far as the unit's grid dimensions go
    double elements;
  };
  const std::vector<Share>& shares(std::size_t unit, std::int64_t rank);

  const layout::Distribution &stored_, &cut_;
  layout::TensorTiles numbers_;
  std::vector<std::unordered_map<std::int64_t, std::vector<Share>>> known_;  // [unit][tile of it]
  std::vector<Share> holders_, next_;                                        // of the tile that is looked at
};

}  // namespace ricci::planning
