// The tests of several ranks: every rank runs every test, in the same order.
#include <cstdint>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <ricci/runtime.hpp>

#include "comm/communicator.hpp"

namespace {

/// Of the other ranks only the failures are worth a line.
class PrintFailures : public testing::EmptyTestEventListener {
 public:
  explicit PrintFailures(int rank) : rank_(rank) {}

  void OnTestStart(const testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + '.' + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult& result) override {  // GoogleTest's lock is held: ask it nothing
    if (!result.failed()) return;
    std::ostringstream line;
    line << "rank " << rank_ << ": " << test_ << ": " << (result.file_name() ? result.file_name() : "?") << ':'
         << result.line_number() << ": " << result.summary() << '\n';
    std::cerr << line.str() << std::flush;
  }

 private:
  int rank_;
  std::string test_;
};

}  // namespace

int main(int argc, char** argv) {
  const ricci::Runtime runtime(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  const ricci::comm::Communicator world = ricci::comm::Communicator::world();
  if (world.rank() > 0) {
    testing::GTEST_FLAG(output) = "";  // one report is enough
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new PrintFailures(world.rank()));
  }
  const std::int64_t failed = RUN_ALL_TESTS() == 0 ? 0 : 1;
  return world.all_reduce(failed, ricci::comm::Operation::max) == 0 ? 0 : 1;
}
