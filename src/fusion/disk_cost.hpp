#pragma once
// Memory and disk volume of one array under a fusion: the equations of seed 003, section 4, by their names. Numbers of
// elements. The searches compare candidates by them; what a finished loop program takes is counted on the program
// itself (loop_counts.hpp).
#include <vector>

#include "fusion/fusion.hpp"

namespace ricci::fusion {

/// Which two statements a fusion stands between.
enum class Between { read_and_consume, produce_and_consume, produce_and_write };

LabelSet fused_dimens(LabelSet dimens, LabelSet fusion);
LabelSet unfused_dimens(LabelSet dimens, LabelSet fusion);
LabelSet extra_loops(LabelSet dimens, LabelSet fusion);

/// 2 where partial sums are written, which have to be read back. The paper asks for A.dimens ⊂ Set(f); partial sums
/// come about by any extra loop, whether the block that is written covers a dimension or not, so that is the condition
/// here. For A.dimens ⊂ Set(f) the two are the same.
int write_factor(LabelSet dimens, LabelSet fusion, Between between);

/// Tile sizes: one a label. N: extents of the labels of `forest`.
double mem_usage(const Forest& forest, LabelSet dimens, LabelSet fusion, const std::vector<std::int64_t>& tiles);
double disk_cost(const Forest& forest, LabelSet dimens, LabelSet fusion, Between between,
                 const std::vector<std::int64_t>& tiles);

/// For the same tile sizes, whatever they are, the first fusion takes no more memory, or no more disk volume.
bool leq_mem_usage(LabelSet dimens, LabelSet fusion, LabelSet other);
bool leq_disk_cost(LabelSet dimens, LabelSet fusion, LabelSet other);

}  // namespace ricci::fusion
