#pragma once
// Blocks that somebody asks for, for measuring.
#include <string>
#include <utility>
#include <vector>

#include "notation/bound_statement.hpp"

namespace ricci::planning {

/// From `i:4 j:4 k:4`: labels of the statement that are spread, and the ranks that each is spread over; nothing where
/// the statement lacks one of the labels. InputError for what is no such text, and where the ranks cannot be dealt out
/// so.
std::vector<std::pair<int, int>> parse_blocks(const std::string& text, const notation::BoundStatement& statement,
                                              int ranks);

}  // namespace ricci::planning
