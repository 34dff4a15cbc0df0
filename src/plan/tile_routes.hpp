#pragma once
// Who gets which tiles of an operand from whom in a phase, for one rank: the messages of its program.
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "layout/tensor_tiles.hpp"
#include "plan/block_program.hpp"
#include "plan/tile_sets.hpp"

namespace ricci::planning {

/// Of an operand whose tiles are those in which it is stored. Refers to all that it is made of.
class TileRoutes {
 public:
  TileRoutes(const BlockContraction& contraction, TileSets& sets, Operand operand, int rank);

  /// Fills in the messages of the operand. Phases come one after the other.
  void add_phase(int number, Phase& phase);
  /// Where the tiles that came in the last phase begin in its buffer.
  const std::map<std::int64_t, std::int64_t>& fetched() const { return fetched_; }

 private:
  /// Tiles that the same ranks get from the same rank.
  struct Broadcast {
    std::vector<int> places;  // ranks; the first has the tiles
    bool is_rotated;          // it has them since the phase before
    std::vector<std::int64_t> tiles;
  };
  /// Some elements of a tile in a message, in the order in which a message has them: what its sender holds, what came
  /// to it in the phase before, what came in this phase.
  struct Part {
    enum class From { own, before, forwarded } from;
    std::int64_t tile, begin, size;
    auto operator<=>(const Part&) const = default;
  };
  /// Both sides sort their messages alike. A message has all tiles between two ranks in a round; but the pieces of a
  /// chain go by themselves, so that those of a tile can lie together where they arrive.
  struct Key {
    int round, peer;
    std::int64_t first_tile;  // of a chain; else -1
    auto operator<=>(const Key&) const = default;
  };
  using Messages = std::map<Key, std::vector<Part>>;

  int source(std::int64_t number, int receiver, int phase, const std::vector<int>& neighbours);
  bool holds(std::int64_t number, int rank) const { return tiles_.source(tiles_.tile(number), rank) == rank; }
  std::int64_t size(std::int64_t number) const { return tiles_.size(tiles_.tile(number)); }
  /// Those in which the rank takes part.
  std::vector<Broadcast> broadcasts(int phase);
  Relay::Way way_of(const Broadcast& broadcast) const;
  void add(const Broadcast& broadcast, RelayLink link, Part::From from, Messages& messages) const;
  void receive(const std::vector<Broadcast>& broadcasts, Messages& messages, Phase& phase);
  void send(Messages& messages, const std::map<std::int64_t, std::int64_t>& before, Phase& phase) const;
  void place(std::int64_t number, Phase& phase);

  const BlockContraction& contraction_;
  TileSets& sets_;
  Operand operand_;
  int rank_;
  Relay relay_;
  layout::TensorTiles tiles_;
  layout::LocalTiles own_;
  std::map<std::int64_t, std::int64_t> fetched_;
};

}  // namespace ricci::planning
