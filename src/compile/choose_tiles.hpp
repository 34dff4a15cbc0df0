#pragma once
// The sizes of blocks: least disk time within the memory.
#include <cstdint>
#include <vector>

#include "compile/blocked_operation.hpp"

namespace ricci::compile {

/// Where an array is, as far as blocks of it go.
enum class Home {
  memory,   // all of it; a part is copied out where only a part is wanted
  disk,     // reading and writing a block takes time
  file,     // of the user's: reading a block takes time
  formula,  // made when it is read
  loops     // in the loops that make and use it, a part at a time, and nowhere else
};

/// What other operations ask of the tiles of this one.
struct TileRules {
  /// [label]: the size that an array on disk is cut by already; 0: free. Boxes of other sizes would have to be put
  /// together from several blocks.
  std::vector<std::int64_t> given = {};
  /// So many blocks of the output have to fit: whoever reads it has room for one and the next, for another factor like
  /// it, and for what it makes of them.
  double copies_of_output = 1;
};

struct BlockBudget {
  std::int64_t bytes = 0;       // of one rank, for blocks
  int ranks = 1;                // that share every block
  double read_bandwidth = 1e9;  // of one rank, bytes a second
  double write_bandwidth = 1e9;
  bool reads_ahead = true;         // two buffers for every block that is read, so that the next one comes meanwhile
  double step_seconds = 2e-4;      // what a product of blocks takes however small they are: requests, plans, messages
  double making_seconds = 3e-9;    // of an element of an input that is made when it is read
  std::int64_t bytes_a_block = 0;  // of the table of an output on disk, on every rank
};

struct BlockCost {
  double read_bytes = 0, written_bytes = 0;  // of one rank, about: edges and diagonals are not looked at
  double peak_bytes = 0;
  double steps = 0;          // products of blocks, about
  double made_elements = 0;  // of inputs that are made when they are read, on one rank
  double seconds = 0;
};

struct TileChoice {
  BlockedOperation operation;
  BlockCost cost;
  bool fits = false;  // else this is the leanest that there is
};

TileChoice choose_tiles(const Formula& formula, const Operation& operation, const std::vector<Home>& homes,
                        const BlockBudget& budget, const TileRules& rules = {});

}  // namespace ricci::compile
