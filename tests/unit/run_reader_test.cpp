// Many runs of a file in few requests, and the other way.
#include "storage/run_reader.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"

namespace ricci::storage {
namespace {

class FileRuns : public ArrayFileTest {};

std::vector<FileRun> random_runs(std::int64_t elements, std::mt19937& random) {
  const unsigned longest = std::vector{3U, 50U, 3000U, 70000U}[random() % 4],
                 widest = std::vector{1U, 9U, 9000U}[random() % 3];
  std::vector<FileRun> runs;
  for (std::int64_t at = random() % 5;;) {
    const FileRun run{at, 1 + static_cast<std::int64_t>(random() % longest)};
    if (run.end() > elements) return runs;
    runs.push_back(run);
    at = run.end() + static_cast<std::int64_t>(random() % widest);
  }
}

TEST_F(FileRuns, AreReadAndWritten) {
  constexpr std::int64_t elements = 300000, offset = 24;
  std::mt19937 random(5);
  std::vector<double> all(elements);
  for (double& x : all) x = static_cast<double>(random());
  const std::string path = put("runs", std::string(offset, 'x') + bytes_of(all));
  for (int turn = 0; turn < 40; ++turn) {
    const std::vector<FileRun> runs = random_runs(elements, random);
    std::vector<double> expected;
    for (const FileRun& run : runs) expected.insert(expected.end(), all.begin() + run.first, all.begin() + run.end());
    std::vector<double> got(expected.size());
    const File file = File::open_for_reading(path);
    read_runs({file, offset, sizeof(double)}, runs, got.data());
    ASSERT_EQ(got, expected);

    std::size_t at = 0;
    for (double& x : got) x += 1;
    for (const FileRun& run : runs) {
      for (std::int64_t i = run.first; i < run.end(); ++i) all[static_cast<std::size_t>(i)] = got[at++];
    }
    write_runs({File::open_for_writing(path, path), offset, sizeof(double)}, runs, got.data());
    std::vector<double> back(elements);
    const FileRun whole{0, elements};
    read_runs({file, offset, sizeof(double)}, {&whole, 1}, back.data());
    ASSERT_EQ(back, all);
  }
}

TEST_F(FileRuns, BehindTheEndAreAnError) {
  const std::string path = put("short", std::string(100, 'x'));
  const std::vector<FileRun> runs = {{0, 2}, {4, 2}, {12, 1}};
  std::vector<double> got(5);
  const auto message = message_of<InputError>([&] {
    read_runs({File::open_for_reading(path), 0, sizeof(double)}, runs, got.data());
  });
  EXPECT_THAT(message, testing::HasSubstr("the file ends at byte 100, 4 bytes too early"));
}

}  // namespace
}  // namespace ricci::storage
