#pragma once
// What must move for a tensor to get from one distribution to another: who sends which elements to whom, decided alike
// by both sides and with no word about single elements. Pure: no data, no MPI.
//
// Where the tiles of both are the same, whole tiles move. Else the elements of one tile that go to one other tile are a
// *piece*: a box cut by the order of sorted indices. Like everything here it is a product over the units, and within a
// unit over the modes: the rank of sorted indices is a sum of one term an index, so that the place of an element in
// its old tile and in its new one are both sums over nested loops. A piece travels in the order of these loops.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "layout/distribution.hpp"
#include "util/words.hpp"

namespace ricci::layout {

/// Consecutive turns of a loop whose places advance by one step on each side.
struct Segment {
  std::int64_t from, to, count;
};

/// All turns of a loop on one side: first + i · step. Step 0: they follow no line.
struct Line {
  std::int64_t first = 0, step = 0;
};

/// One loop of a piece: places relative to the tiles, from + i · from_step and to + i · to_step.
struct Loop {
  Loop() = default;
  Loop(std::int64_t from_step, std::int64_t to_step, std::vector<Segment> segments);
  std::int64_t from_step = 0, to_step = 0;
  std::vector<Segment> segments;
  std::int64_t turns = 0;
  Line from_line, to_line;
};

/// The elements of one tile of a unit that go to one other tile. Loops: slowest first.
struct UnitPiece {
  TileTuple from, to;
  std::int64_t size = 0;
  std::vector<Loop> loops;
};

/// Some turns of a loop.
struct Turns {
  std::int64_t first, count;
};

/// A piece of the tensor: one UnitPiece for each unit, and the place of its tile on the side of the rank. Or a part of
/// it: `cut` gives the turns of its outermost loops.
struct Piece {
  int peer;
  std::int64_t size;           // elements
  std::int64_t at_buffer = 0;  // where it begins in the buffer of its round
  std::vector<const UnitPiece*> units;
  std::vector<Turns> cut;
  std::int64_t from_begin = 0, to_begin = 0;         // of the tiles, where they are this rank's
  std::vector<std::int64_t> from_stride, to_stride;  // [unit]: of an element of the unit's tile
};

/// Pieces go in rounds, so that what is packed is still in the cache when it is sent, and what has come when it is
/// unpacked. Both sides of a message cut it alike.
struct Round {
  struct Message {
    int peer;
    std::int64_t begin, size;  // in the buffer, in elements
  };
  std::vector<Message> messages;
  std::size_t first = 0, last = 0;  // of its pieces
  std::int64_t size = 0;            // of the buffer, in elements
};

/// How much goes in a round: what suits caches and networks, or little, where memory is short.
enum class Rounds { usual, lean };

/// All pieces that a rank sends, or all that it receives, by rounds and then by peers.
struct Parcels {
  std::vector<Piece> pieces;
  std::vector<Round> rounds;
  std::int64_t largest_round() const;
};

/// A whole tile, where tiles do not change.
struct TileMove {
  int peer;
  std::int64_t begin, size;
};

/// One rank's part.
class Redistribution {
 public:
  /// Both of one shape and as many ranks.
  Redistribution(const Distribution& from, const Distribution& to, int rank, std::size_t element_size);
  /// To every rank the tiles of `to` that it wants (TensorTiles::number, sorted), wherever `to` has them: they are put
  /// one after the other.
  using Wanted = std::function<const std::vector<std::int64_t>&(int rank)>;
  static Redistribution fetch(const Distribution& from, const Distribution& to, const Wanted& wanted, int rank,
                              std::size_t element_size, Rounds rounds = Rounds::usual);
  /// Only what stays on the rank.
  static Redistribution of_stays(const Distribution& from, const Distribution& to, int rank, std::size_t element_size);

  /// Whole tiles move from memory to memory: both have the same tiles, and these are of 64 KiB or more on average over
  /// all ranks (which all ranks find alike).
  bool by_tiles() const { return by_tiles_; }

  /// By pieces.
  const Parcels& sends() const { return sends_; }
  const Parcels& receives() const { return receives_; }
  const std::vector<Piece>& stays() const { return stays_; }
  /// By tiles. Those that stay: from `begin` to `to_begin`.
  const std::vector<TileMove>& tile_sends() const { return tile_sends_; }
  const std::vector<TileMove>& tile_receives() const { return tile_receives_; }
  struct TileStay {
    std::int64_t from_begin, to_begin, size;
  };
  const std::vector<TileStay>& tile_stays() const { return tile_stays_; }

  /// What is not sent by tiles goes in messages of at most so many bytes, about.
  static std::int64_t longest_message(int ranks, Rounds rounds = Rounds::usual);

  /// [rank]: elements that this rank sends to and receives from each other one; nothing to itself.
  const std::vector<std::int64_t>& sent() const { return sent_; }
  const std::vector<std::int64_t>& received() const { return received_; }
  std::int64_t total_sent() const;
  std::int64_t total_received() const;
  /// What it takes in memory by itself, about: with small pieces that is not little beside what moves.
  std::int64_t table_bytes() const;

  /// What fetch() made as numbers, and back.
  void write(WordWriter& to) const;
  static Redistribution read(WordReader& from);

 private:
  enum class Role { sender, receiver, stays, fetches };
  Redistribution(const Distribution& from, const Distribution& to, int rank, std::size_t element_size, Role only,
                 Rounds rounds);
  void make_pieces(Role role);
  void add_piece(Role role, const std::vector<const UnitPiece*>& units, int from_rank, int to_rank);
  /// [unit]: by old and new tile.
  using KnownPieces = std::vector<std::map<std::pair<TileTuple, TileTuple>, const UnitPiece*>>;
  void fetch_pieces(const Wanted& wanted, int receiver, KnownPieces& known);
  void add_cut(Piece piece, std::vector<Piece>& pieces) const;
  /// `total`: [peer].
  void cut_at_ends_of_rounds(const std::vector<std::int64_t>& total, std::vector<Piece>& pieces) const;
  void make_rounds(Parcels& parcels) const;
  bool tiles_are_small() const;

  void forget();
  Redistribution() = default;  // for read()
  template <class Archive, class Self>
  static void visit(Archive& archive, Self& self);

  std::unique_ptr<const Distribution> from_, to_;  // while it is made
  int rank_ = 0;
  std::int64_t element_size_ = 0;
  std::int64_t longest_ = 0;  // message, in elements
  bool by_tiles_ = false;
  std::unique_ptr<const LocalTiles> own_from_, own_to_;  // while it is made
  std::vector<std::vector<std::unique_ptr<UnitPiece>>> unit_pieces_;
  Parcels sends_, receives_;
  std::vector<Piece> stays_;
  std::vector<TileMove> tile_sends_, tile_receives_;
  std::vector<TileStay> tile_stays_;
  std::vector<std::int64_t> sent_, received_;
};

/// Parts of at most `largest` elements, in the order in which the piece travels.
void cut_piece(const Piece& piece, std::int64_t largest, std::vector<Piece>& parts);
/// The first `at` elements and the others, each as few parts, in the order in which the piece travels. Where one side
/// would have `slack` elements or fewer they stay with the other.
void split_piece(Piece piece, std::int64_t at, std::int64_t slack, std::vector<Piece>& parts);

/// What a rank takes out of an array of all elements of the unpacked tensor, row-major: each tile is a piece.
struct DensePieces {
  DensePieces(const Distribution& distribution, int rank);
  std::vector<std::unique_ptr<UnitPiece>> unit_pieces;
  std::vector<Piece> pieces;  // from the array to the tiles
};

/// The pieces of tiles of a unit that go to tiles of the same unit in another distribution (or, with `backwards`, that
/// come to `tiles` from there), sorted by old tile and new tile.
std::vector<std::unique_ptr<UnitPiece>> unit_pieces(const Unit& from, const Unit& to,
                                                    const std::vector<TileTuple>& tiles, bool backwards);
std::unique_ptr<UnitPiece> unit_piece(const Unit& from, const Unit& to, const TileTuple& from_tile,
                                      const TileTuple& to_tile);
/// The tiles of one tiling of a unit that share indices with a tile of another, in lexicographic order.
std::vector<TileTuple> overlapping(const Unit& unit, const TileTuple& tile, const Unit& other);
/// How many elements two tiles of a unit, each of its own tiling, have in common.
std::int64_t common_elements(const Unit& unit, const TileTuple& tile, const Unit& other, const TileTuple& other_tile);
/// How many elements a rank has in both distributions.
std::int64_t common_elements(const Distribution& distribution, const Distribution& other, int rank);
/// All of a tile, from an array in which the index of mode m counts strides[m].
std::unique_ptr<UnitPiece> dense_unit_piece(const Unit& to, const TileTuple& tile,
                                            std::span<const std::int64_t> strides);

}  // namespace ricci::layout
