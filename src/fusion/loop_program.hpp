#pragma once
// A loop program: what an out-of-core evaluation reads, computes and writes, in order, as data. It is printed in the
// notation of the figures of seed 003, counted (loop_counts.hpp), checked (verify_loops.hpp) and run as it stands.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "fusion/expression_tree.hpp"

namespace ricci::fusion {

/// A tile loop: `label` in steps of `tile`, the last one shorter.
struct TileLoop {
  int label = 0;
  std::int64_t tile = 1;
  bool operator==(const TileLoop&) const = default;
};

/// A block of an array in memory. Mode by mode it has either the tile of a loop's iteration or the whole range.
struct Buffer {
  int array = 0;            // into LoopProgram::arrays
  std::vector<int> labels;  // one a mode
  std::vector<int> loops;   // one a mode: into LoopProgram::loops, or -1 for the whole range
  /// There is a second one where it is filled or emptied more than once, so that disk and arithmetic overlap.
  bool doubled = false;
  /// The whole array, which is in memory before and after the program.
  bool resident = false;
  bool operator==(const Buffer&) const = default;
};

struct Statement;

struct Loop {
  int loop = 0;  // into LoopProgram::loops
  std::vector<Statement> body;
  bool operator==(const Loop&) const;
};

struct Clear {
  int buffer = 0;
  bool operator==(const Clear&) const = default;
};

/// Fills a buffer with its block. Partial sums (`unless_first` not empty) are read back unless all those loops are in
/// their first iteration: then the buffer is cleared.
struct Read {
  int buffer = 0;
  std::vector<int> unless_first;  // into LoopProgram::loops
  bool operator==(const Read&) const = default;
};

/// Writes a buffer to its block.
struct Write {
  int buffer = 0;
  bool operator==(const Write&) const = default;
};

/// out (+)= a (* b) over the current tiles of the loops around, and over the whole range of all other labels.
struct Contract {
  int out = 0, a = 0, b = -1;  // buffers; b: -1 for a sum of one operand
  bool accumulate = false;
  bool operator==(const Contract&) const = default;
};

struct Statement {
  std::variant<Loop, Clear, Read, Write, Contract> what;
  bool operator==(const Statement&) const = default;
};

inline bool Loop::operator==(const Loop& other) const { return loop == other.loop && body == other.body; }

struct LoopProgram {
  std::vector<Label> labels;
  std::vector<Array> arrays;
  std::vector<TileLoop> loops;
  std::vector<Buffer> buffers;
  std::vector<Statement> body;

  std::int64_t extent(int label) const { return labels[static_cast<std::size_t>(label)].extent; }
  std::int64_t trips(int loop) const;
  bool operator==(const LoopProgram&) const = default;
};

/// Puts a program after another one of the same forest.
void append(LoopProgram& program, LoopProgram next);

/// As pseudocode: "FOR rT by 10, sT by 1", "A[p,q,rI,sI] = Read A[p,q,r,s]", …
std::string to_string(const LoopProgram& program);

}  // namespace ricci::fusion
