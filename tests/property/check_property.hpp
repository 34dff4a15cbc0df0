#pragma once
// Runs a RapidCheck property a given number of times as part of a GoogleTest. The seed is random and printed; to repeat
// a run, set RC_PARAMS="seed=..."; RC_PARAMS="max_success=100000" makes every property run that often.
#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "comm/communicator.hpp"

namespace ricci_test {

template <class Testable>
void check_property(int cases, Testable&& testable) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  // Every rank must draw the same cases. Several ranks on few cores take long, so they draw fewer.
  const auto ranks = ricci::comm::Communicator::world();
  ranks.broadcast(std::as_writable_bytes(std::span(&params.seed, 1)), 0);
  if (params.maxSuccess == rc::detail::TestParams{}.maxSuccess) {
    params.maxSuccess = ranks.size() == 1 ? cases : std::max(20, cases / (5 * ranks.size()));
  }
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(info->test_suite_name()) + "/" + info->name();
  metadata.description = info->name();
  const auto result = rc::detail::checkTestable(std::forward<Testable>(testable), metadata, params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  if (!result.template is<rc::detail::SuccessResult>()) {
    FAIL() << message.str() << "\nRepeat with RC_PARAMS=\"seed=" << params.seed << "\"";
  }
  if (ranks.rank() == 0) std::cout << message.str() << " (seed " << params.seed << ")\n";
}

}  // namespace ricci_test
