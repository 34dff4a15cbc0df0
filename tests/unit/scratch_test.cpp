// Scratch directories: made, removed, kept, found after a crash, and never taken from anybody else.
#include "storage/scratch.hpp"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ricci/error.hpp>

#include "array_file_fixture.hpp"
#include "faulty_backend.hpp"
#include "storage/disk_array.hpp"
#include "storage/file_system.hpp"
#include "storage/process_name.hpp"
#include "util/aligned_buffer.hpp"

namespace ricci::storage {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Scratch : public ArrayFileTest {
 protected:
  std::string base() const { return fs::path(path("x")).parent_path(); }
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(base())) names.push_back(entry.path());
    return names;
  }
};

/// A process that has a scratch directory and goes on writing to a disk array in it until it is killed.
class Child {
 public:
  explicit Child(const std::string& base, bool keep = false, IoKind kind = IoKind::threads) {
    int ends[2] = {};
    EXPECT_EQ(pipe(ends), 0);
    process_ = fork();
    if (process_ == 0) run(base, keep, kind, ends[1]);
    close(ends[1]);
    char name[4096] = {};
    const ssize_t got = read(ends[0], name, sizeof name);
    directory_.assign(name, got > 0 ? static_cast<std::size_t>(got) : 0);
    close(ends[0]);
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  const std::string& directory() const { return directory_; }
  void end() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    process_ = 0;
  }

 private:
  [[noreturn]] static void run(const std::string& base, bool keep, IoKind kind, int out) {
    const ScratchDirectory scratch(base, keep);
    BlockIo io({.kind = kind});
    DiskArray array(io, scratch.file("array"), std::vector<std::int64_t>(4, 1 << 20));
    const AlignedBuffer data = AlignedBuffer::zeroed(1 << 20);
    for (std::int64_t i = 0;; ++i) {
      array.write(i % 4, {data.data(), 1 << 20});
      if (i == 4 && write(out, scratch.path().data(), scratch.path().size()) < 0) _exit(1);
    }
  }

  pid_t process_ = 0;
  std::string directory_;
};

TEST_F(Scratch, IsThereWhileItLives) {
  {
    const ScratchDirectory scratch(base());
    EXPECT_THAT(scratch.path(),
                testing::StartsWith(base() + "/ricci-scratch-" + host_name() + "-" + std::to_string(getpid()) + "-"));
    EXPECT_TRUE(fs::is_directory(scratch.path()));
    std::ofstream(scratch.file("data")) << "1";
    fs::create_directories(scratch.file("a/b"));
    const ScratchDirectory another(base());
    EXPECT_NE(another.path(), scratch.path());
    EXPECT_THAT(another.removed(), IsEmpty());
    EXPECT_EQ(entries().size(), 2U);
  }
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(Scratch, IsRemovedOnExceptions) {
  try {
    const ScratchDirectory scratch(base());
    std::ofstream(scratch.file("data")) << "1";
    throw 1;
  } catch (int) {
  }
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(Scratch, IsKeptOnDemand) {
  std::string kept;
  {
    const ScratchDirectory scratch(base(), true);
    EXPECT_TRUE(scratch.kept());
    kept = scratch.path();
  }
  const ScratchDirectory next(base());
  EXPECT_THAT(next.removed(), IsEmpty());
  EXPECT_TRUE(fs::is_directory(kept));
}

TEST_F(Scratch, WhatKilledProcessesLeaveIsRemovedAndWhatOthersHaveStays) {
  Child killed(base()), kept(base(), true);
  const Child alive(base());
  killed.end();
  kept.end();
  ASSERT_TRUE(fs::exists(killed.directory() + "/array"));
  {
    const ScratchDirectory scratch(base());
    EXPECT_THAT(scratch.removed(), ElementsAre(killed.directory()));
    EXPECT_FALSE(fs::exists(killed.directory()));
    EXPECT_TRUE(fs::exists(alive.directory() + "/array"));
    EXPECT_TRUE(fs::exists(kept.directory() + "/array"));
  }
  EXPECT_THAT(entries(), testing::UnorderedElementsAre(alive.directory(), kept.directory()));
}

TEST_F(Scratch, IsRemovedHoweverItsProcessWasReadingAndWriting) {
  for (const IoKind kind : kinds_of_this_system()) {
    Child killed(base(), false, kind);
    killed.end();
    ASSERT_TRUE(fs::exists(killed.directory() + "/array"));
    EXPECT_THAT(remove_stale_scratch(base()), ElementsAre(killed.directory()));
    EXPECT_THAT(entries(), IsEmpty());
  }
}

TEST_F(Scratch, AForkedChildDoesNotRemoveItsParentsDirectory) {
  auto scratch = std::make_unique<ScratchDirectory>(base());
  const std::string directory = scratch->path();
  const pid_t child = fork();
  if (child == 0) {
    scratch.reset();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::is_directory(directory));
  EXPECT_THAT(remove_stale_scratch(base()), IsEmpty());
}

TEST_F(Scratch, OneThatWasKilledBeforeItsMarkIsRemoved) {
  const std::string before = "ricci-scratch-" + host_name() + "-";
  const std::string ended = std::to_string(ended_process()), alive = std::to_string(getppid());
  for (const auto& process : {ended, alive}) {
    fs::create_directory(path(before + process + "-1"));
    fs::create_directory(path(before + process + "-2"));
    put(before + process + "-2/ricci-scratch.lock", "");
  }
  remove_stale_scratch(base());
  EXPECT_THAT(entries(), testing::UnorderedElementsAre(path(before + alive + "-1"), path(before + alive + "-2")));
}

TEST_F(Scratch, ForeignDirectoriesAreLeftAlone) {
  const std::string good = "ricci scratch directory, version 1\nhost " + host_name() + "\nremoved at the end\n";
  const std::string elsewhere = "ricci scratch directory, version 1\nhost elsewhere\nremoved at the end\n";
  const std::string ended = "ricci-scratch-" + host_name() + "-" + std::to_string(ended_process());
  put("precious", "data");
  fs::create_directory(path(ended + "-1"));  // no mark, but data
  put(ended + "-1/data", "mine");
  fs::create_directory(path(ended + "-2"));  // another file of that name
  put(ended + "-2/ricci-scratch.lock", "to do: buy milk\n");
  fs::create_directory(path(ended + "-3"));
  put(ended + "-3/ricci-scratch.lock", elsewhere);
  fs::create_directory(path("target"));
  put("target/ricci-scratch.lock", good);
  fs::create_directory_symlink(path("target"), path(ended + "-4"));
  put(ended + "-5", good);  // no directory
  fs::create_directory(path(ended + "-6"));
  fs::create_symlink(path("target/ricci-scratch.lock"), path(ended + "-6/ricci-scratch.lock"));
  fs::create_directory(path("other-name"));
  put("other-name/ricci-scratch.lock", good);
  fs::create_directory(path(ended + "-7"));
  ASSERT_EQ(mkfifo(path(ended + "-7/ricci-scratch.lock").c_str(), 0600), 0);
  const auto before = entries();
  EXPECT_THAT(remove_stale_scratch(base()), IsEmpty());
  EXPECT_THAT(entries(), testing::UnorderedElementsAreArray(before));
  EXPECT_TRUE(fs::exists(path("target/ricci-scratch.lock")));
  EXPECT_TRUE(fs::exists(path(ended + "-1/data")));
}

TEST_F(Scratch, LinksInItAreRemovedAndWhatTheyPointToStays) {
  put("precious", "data");
  fs::create_directory(path("folder"));
  put("folder/precious", "data");
  {
    const ScratchDirectory scratch(base());
    fs::create_symlink(path("precious"), scratch.file("link"));
    fs::create_directory_symlink(path("folder"), scratch.file("folder"));
  }
  EXPECT_TRUE(fs::exists(path("precious")));
  EXPECT_TRUE(fs::exists(path("folder/precious")));
  EXPECT_EQ(entries().size(), 2U);
}

TEST_F(Scratch, UnusableDirectoriesAreInputErrors) {
  const auto message = [](const std::string& base) {
    return message_of<InputError>([&] { const ScratchDirectory scratch(base); });
  };
  EXPECT_EQ(message(path("none")), "scratch directory " + path("none") + ": is not there; choose another one");
  put("file", "");
  EXPECT_EQ(message(path("file")), "scratch directory " + path("file") + ": is no directory; choose another one");
  EXPECT_EQ(message(path("file/below")),
            "scratch directory " + path("file/below") + ": Not a directory; choose another one");
  EXPECT_THAT(message("/proc"), HasSubstr("scratch directory /proc: cannot be written to: "));
}

/// As a user that may not write there; permissions do not bind root.
TEST_F(Scratch, AReadOnlyDirectoryIsAnInputError) {
  fs::create_directory(path("locked"));
  fs::permissions(path("locked"),
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t nobody = 65'534;
    if (geteuid() == 0 && setuid(nobody) != 0) _exit(2);
    const auto message = message_of<InputError>([&] { const ScratchDirectory scratch(path("locked")); });
    _exit(message == "scratch directory " + path("locked") +
                         ": cannot be written to: Permission denied; choose another "
                         "one"
              ? 0
              : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(Scratch, LiesOnAFileSystemWithRoom) {
  const FileSystem system = file_system_of(base());
  EXPECT_GT(system.free_bytes, 0);
  EXPECT_EQ(system.name, file_system_of(fs::path(base()).parent_path()).name);
  EXPECT_NE(system.name, file_system_of("/proc").name);
  EXPECT_THAT(message_of<InputError>([&] { file_system_of(base() + "/none"); }), HasSubstr("No such file"));
}

TEST(ScratchBase, IsGivenOrOfTheBatchSystemOrHere) {
  const char* const old = std::getenv("TMPDIR");
  const std::string before = old != nullptr ? old : "";
  setenv("TMPDIR", "/node/disk", 1);
  EXPECT_EQ(scratch_base("/given"), "/given");
  EXPECT_EQ(scratch_base(""), "/node/disk");
  setenv("TMPDIR", "", 1);
  EXPECT_EQ(scratch_base(""), ".");
  unsetenv("TMPDIR");
  EXPECT_EQ(scratch_base(""), ".");
  if (old != nullptr) setenv("TMPDIR", before.c_str(), 1);
}

}  // namespace
}  // namespace ricci::storage
