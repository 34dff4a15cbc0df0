#pragma once
// Runs a RapidCheck property a given number of times as part of a GoogleTest. The seed is random and printed; to repeat
// a run, set RC_PARAMS="seed=..."; RC_PARAMS="max_success=100000" makes every property run that often.
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ricci_test {

template <class Testable>
void check_property(int cases, Testable&& testable) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  if (params.maxSuccess == rc::detail::TestParams{}.maxSuccess) params.maxSuccess = cases;
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
  std::cout << message.str() << " (seed " << params.seed << ")\n";
}

}  // namespace ricci_test
