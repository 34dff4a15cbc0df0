#pragma once
// What one rank does in a contraction that is spread over ranks: which tiles it gets from whom, what it multiplies in
// which order, and where the results go. Data: made once, printed, counted, and run as it stands.
//
// The blocks of a rank run in phases. A phase first gets the tiles that it needs from the ranks that hold them, or from
// a neighbour that had them in the phase before, each once, straight or by way of others (relay.hpp); then come its
// steps, one for each combination of tiles of the summed labels. Results go straight into the rank's own tiles of C, or
// into partial sums that are sent to their owners in the end and added up in a fixed order, there or on the way.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "layout/redistribution.hpp"
#include "plan/block_mapping.hpp"
#include "plan/relay.hpp"
#include "plan/tile_terms.hpp"

namespace ricci::planning {

/// A statement on tiles, with labels of the statement.
struct LocalOperation {
  symmetry::Shape out_shape, a_shape, b_shape;
  std::vector<int> out_labels, a_labels, b_labels;
  std::vector<std::int64_t> extents;  // of each label
  bool has_b = false;
  bool contract = false;  // by a matrix product; else element by element
  bool covers = false;    // may overwrite
  double products = 0;
};

/// Where the elements of a tile are.
struct TilePlace {
  enum class Where { own, fetched, summed, partial } where = Where::own;
  std::int64_t begin = 0;  // in elements, of that buffer
};

/// out (+)= factor · a (· b)
struct TileOperation {
  int operation;  // number in BlockProgram::operations
  int operand;    // whose tile `a` is: 0 for A; 1 where it is B, which is summed up
  TilePlace out, a, b;
  double factor;
  bool accumulate;
};

/// Elements begin … begin + size - 1.
struct Range {
  std::int64_t begin, size;
};

/// Ranges that follow one another become one.
inline void append(std::vector<Range>& ranges, Range range) {
  if (!ranges.empty() && ranges.back().begin + ranges.back().size == range.begin) {
    ranges.back().size += range.size;
  } else {
    ranges.push_back(range);
  }
}

/// Tiles between this rank and another one.
struct TileMessage {
  int peer;
  std::int64_t size = 0;  // elements
  std::int64_t at = 0;    // where it begins in the buffer of what is fetched or received
  /// Of operands that it sends, in this order: elements that it holds, that came in the phase before, and that came in
  /// earlier rounds of this phase. Of partial sums that it sends, `ranges` of them; of those that it receives, what
  /// they are added to: its own elements of C in `ranges`, then its partial sums, which go on from there, in
  /// `forwarded`.
  std::vector<Range> ranges;
  std::vector<Range> passed_on = {}, forwarded = {};
  /// Messages of a round are sent when those of earlier rounds have come.
  int round = 0;

  /// Whether its elements have to be put together before it is sent.
  bool is_packed() const { return ranges.size() + passed_on.size() + forwarded.size() > 1; }
};

struct Phase {
  /// Of A and of B: to others; from others, into the buffer of the phase. By round.
  std::vector<TileMessage> sends[2], receives[2];
  std::int64_t fetched[2] = {0, 0};  // elements of the buffer
  /// Of an operand that is cut anew: all tiles of the phase go into the buffer, and there are no messages above.
  std::shared_ptr<const layout::Redistribution> cut_anew[2];
  /// Sums of several readings of an operand, and products, in order.
  std::vector<TileOperation> operations;

  /// Whether some of its messages pass on what the phase before has got.
  bool passes_on() const;
  /// Whether it is got only when the phase before is done and gone: cutting anew is packing, sending and unpacking in
  /// turn, and nothing is computed meanwhile.
  bool comes_alone() const { return (cut_anew[0] || cut_anew[1]) && !passes_on(); }
  std::int64_t elements_sent() const;
  std::int64_t elements_received() const;
  /// What it takes in memory by itself, about.
  std::int64_t table_bytes() const;
};

struct BlockProgram {
  std::vector<LocalOperation> operations;
  std::vector<Phase> phases;
  std::vector<Range> cleared;                           // of C's own elements, before anything else
  std::vector<Range> partial_cleared;                   // of the partial sums
  std::int64_t sums = 0;                                // elements of the buffer for sums of readings
  std::int64_t partial = 0;                             // elements of the partial sums
  std::vector<TileMessage> partials_to, partials_from;  // by round
  std::int64_t partials_received = 0;
  bool lean = false;  // kernels take as little memory as they can

  double products() const;
  double products(const Phase& phase) const;
  std::int64_t elements_sent() const;
  std::int64_t partials_sent() const;  // elements
  std::int64_t elements_received() const;
  std::int64_t messages_sent() const;
  /// What it takes in memory by itself, about, the phases not included.
  std::int64_t table_bytes() const;
};

struct BlockContraction {
  TileTerms terms;
  BlockMapping mapping;
  std::vector<std::int64_t> extents;  // of each label of the statement
  int phases = 1;
  bool accumulate = true;
  std::size_t element_size = 8;
  Relay fetch[2] = {};                   // of A and B; what is cut anew comes straight
  Relay::Way sums = Relay::Way::direct;  // of partial sums; no chain
  bool lean = false;                     // messages and kernels take as little memory as they can
};

BlockProgram make_program(const BlockContraction& contraction, int rank);
/// The same without its phases, which are handed over as they are made, from the first to the last.
BlockProgram make_program(const BlockContraction& contraction, int rank, const std::function<void(Phase)>& take);

}  // namespace ricci::planning
