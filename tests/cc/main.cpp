// The tests of apps/cc: every rank runs every test, in the same order.
#include <iostream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <ricci/runtime.hpp>

#include "ranks/ranks.hpp"

namespace {

/// Of the other ranks only the failures are worth a line.
class PrintFailures : public testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::ostringstream line;
    line << "rank " << cc::ranks::rank() << ": " << (result.file_name() ? result.file_name() : "?") << ':'
         << result.line_number() << ": " << result.summary() << '\n';
    std::cerr << line.str() << std::flush;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const ricci::Runtime runtime(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  if (cc::ranks::rank() > 0) {
    testing::GTEST_FLAG(output) = "";  // one report is enough
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new PrintFailures);
  }
  return static_cast<int>(cc::ranks::max(RUN_ALL_TESTS()));
}
