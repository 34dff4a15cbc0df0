#pragma once
// 'ab,bc->ac': which labels every operand and the output carry.
#include <string>
#include <string_view>
#include <vector>

#include <ricci/io.hpp>

namespace cli {

struct EinsumSpec {
  std::vector<std::string> operands;
  std::string output;
};

/// Labels are letters; blanks are skipped. Without an arrow the output has the labels that stand once, in alphabetical
/// order. InputError for anything else.
EinsumSpec parse_einsum(std::string_view text);

/// One operand of an einsum: where it lies and what is there.
struct EinsumOperand {
  std::string where;
  ricci::FileInfo info;
};

/// The extents of the output. InputError, naming the files, where operands and labels do not fit together: their
/// number, the modes of one, the extents of a label, the element types.
ricci::Extents check_einsum(const EinsumSpec& spec, const std::vector<EinsumOperand>& operands);

}  // namespace cli
