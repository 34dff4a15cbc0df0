#pragma once
// Statements that are planned together.
#include <memory>
#include <vector>

#include "api/statement.hpp"

namespace ricci::detail {

/// Checks and plans statements that are going to be run in this order, without the cache. ResourceError where no plan
/// fits into the memory limit. Collective where there are several ranks.
std::vector<std::shared_ptr<const PreparedStatement>> prepare(const std::vector<StatementView>& statements,
                                                              const Options& options);

}  // namespace ricci::detail
