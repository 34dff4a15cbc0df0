#pragma once
// What statements take of the memory of a rank, all tensors of their world included, and whether there is as much.
#include <memory>
#include <vector>

#include "api/statement.hpp"

namespace ricci::detail {

using Prepared = std::vector<std::shared_ptr<const PreparedStatement>>;

/// Of this rank: tensors of the world that the statement has nothing to do with.
std::int64_t bytes_of_others(const StatementView& statement);

/// Bytes that each statement needs on the rank that needs most, if all are run one after the other and that `runs`
/// times: a run may leave tensors elsewhere than it found them, so that the next one moves others. The statements are
/// of one world. Collective.
std::vector<std::int64_t> bytes_needed(const std::vector<StatementView>& statements, const Prepared& prepared,
                                       const Options& options, int runs);

/// ResourceError: it needs more than the limit. Collective.
[[noreturn]] void refuse(const StatementView& statement, std::int64_t needed, const Options& options);

/// ResourceError where one of them needs more than the limit, if there is one. Statements of several worlds may be
/// mixed. Collective where there is a limit.
void check_memory(const std::vector<StatementView>& statements, const Prepared& prepared, const Options& options);

/// Calls f with the numbers of all statements of a world, for each world: those have nothing to do with each other.
template <class F>
void for_each_world(const std::vector<StatementView>& statements, F f) {
  std::vector<bool> done(statements.size(), false);
  for (std::size_t first = 0; first < statements.size(); ++first) {
    if (done[first]) continue;
    std::vector<std::size_t> numbers;
    for (std::size_t s = first; s < statements.size(); ++s) {
      if (!of_one_world(statements[first], statements[s])) continue;
      done[s] = true;
      numbers.push_back(s);
    }
    f(numbers);
  }
}

}  // namespace ricci::detail
