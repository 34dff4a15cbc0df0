#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <ricci/error.hpp>
#include <ricci/machine.hpp>

namespace ricci {
namespace {

class MachineFile : public testing::Test {
 protected:
  MachineFile() { std::filesystem::remove_all(directory_); }
  ~MachineFile() override {
    unsetenv("RICCI_MACHINE");
    unsetenv("XDG_CONFIG_HOME");
    std::filesystem::remove_all(directory_);
  }

  std::string put(const std::string& text) const {
    std::filesystem::create_directories(directory_);
    std::ofstream(path()) << text;
    return path();
  }
  std::string path() const { return (directory_ / "machine.json").string(); }

  std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("ricci-machine-" + std::to_string(getpid()));
};

TEST_F(MachineFile, RoundTrip) {
  const MachineModel model{.cpu = "a \"fast\" one",
                           .threads = 4,
                           .gemm_flops = 89.5e9,
                           .gemm_flops_threads = 3e11,
                           .copy_bandwidth = 1.25e10,
                           .copy_bandwidth_threads = 4e10,
                           .network_latency = 1e-6,
                           .network_bandwidth = 2e9,
                           .torus_dimensions = 3,
                           .hop_latency = 4e-8,
                           .message_rates = {{0, 1, 0.5}, {4096, 2, 1}},
                           .disk_read_bandwidth = 3e9,
                           .disk_write_bandwidth = 2.5e9,
                           .disk_latency = 8e-5,
                           .memory_bytes = 24'000'000'000};
  model.save(path());
  EXPECT_EQ(MachineModel::load(path()), model);
}

TEST_F(MachineFile, AFigureThatIsLeftOutKeepsItsDefault) {
  const auto model = MachineModel::load(put(R"({"gemm_flops": 1e9, "of_a_later_version": []})"));
  EXPECT_EQ(model, MachineModel{.gemm_flops = 1e9});
}

TEST_F(MachineFile, DefaultPath) {
  setenv("XDG_CONFIG_HOME", directory_.c_str(), 1);
  EXPECT_EQ(MachineModel::default_path(), (directory_ / "ricci/machine.json").string());
  EXPECT_EQ(MachineModel::load_default(), MachineModel{});
  setenv("RICCI_MACHINE", path().c_str(), 1);
  EXPECT_EQ(MachineModel::default_path(), path());
  EXPECT_THROW(MachineModel::load_default(), InputError);
  put(R"({"threads": 3})");
  EXPECT_EQ(MachineModel::load_default().threads, 3);
}

TEST_F(MachineFile, RejectsWhatMakesNoSense) {
  const auto message = [&](const std::string& text) -> std::string {
    try {
      MachineModel::load(put(text));
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message(R"({"gemm_flops": -1})"), path() + ": `gemm_flops` is -1, but has to be a number above 0");
  EXPECT_EQ(message(R"({"disk_latency": 0})"), path() + ": `disk_latency` is 0, but has to be a number above 0");
  EXPECT_THAT(message(R"({"cpu": 7})"), testing::HasSubstr("must be string"));
  EXPECT_THAT(message(R"({"threads": 0})"), testing::HasSubstr("`threads` is 0; at least 1"));
  EXPECT_THAT(message(R"({"torus_dimensions": -1})"), testing::HasSubstr("have to be 0 or more"));
  EXPECT_THAT(message(R"({"eager_bytes": -1})"), testing::HasSubstr("have to be 0 or more"));
  EXPECT_THAT(message(R"({"message_rates": [{"bytes": 0, "latency": 0, "bandwidth": 1}]})"),
              testing::HasSubstr("increasing sizes and factors above 0"));
  EXPECT_THAT(message(R"({"message_rates": [{"bytes": 0}]})"), testing::HasSubstr("latency"));
  EXPECT_THAT(message("nonsense"), testing::HasSubstr("is no JSON object"));
}

TEST(MachineModel, Prints) {
  std::ostringstream out;
  out << MachineModel{.cpu = "toy", .threads = 2, .gemm_flops_threads = 80e9};
  EXPECT_EQ(out.str(),
            "toy\n"
            "  matrix multiplication     40.0 GF/s with 1 thread,    80.0 GF/s with 2\n"
            "  memory, copying           20.0 GB/s with 1 thread,    20.0 GB/s with 2\n"
            "  network                    5.0 GB/s into a rank, 2 us for a message\n"
            "  disk                       500 MB/s read, 400 MB/s written, 0.1 ms for a transfer\n");
}

TEST(MachineModel, PrintsATorus) {
  std::ostringstream out;
  out << MachineModel{.network_bandwidth = 2e9, .torus_dimensions = 3, .hop_latency = 6e-7};
  EXPECT_THAT(
      out.str(),
      testing::HasSubstr(
          "  network                    2.0 GB/s along a link of a 3D torus, 2 us for a message and 0.6 us a link\n"));
}

TEST(MachineModel, MessagesHaveTheRateOfTheirSize) {
  const MachineModel model{.message_rates = {{100, 2, 0.5}, {1000, 3, 0.9}}};
  EXPECT_EQ(model.rate_of_message(99), MessageRate{});
  EXPECT_EQ(model.rate_of_message(100), (MessageRate{100, 2, 0.5}));
  EXPECT_EQ(model.rate_of_message(1e9), (MessageRate{1000, 3, 0.9}));
}

TEST(MachineModel, ThoseThatComeWithRicciCanBeRead) {
  for (const char* name : {"bluegene-q", "cray-xe6", "fat-tree"}) {
    const MachineModel model =
        MachineModel::load(std::string(RICCI_UNIT_TESTS) + "/../../share/machines/" + name + ".json");
    EXPECT_NE(model.cpu, MachineModel{}.cpu) << name;
    EXPECT_NE(model.network_latency, MachineModel{}.network_latency) << name;
    EXPECT_NE(model.disk_read_bandwidth, MachineModel{}.disk_read_bandwidth) << name;
    EXPECT_GT(model.memory_bytes, 0) << name;
  }
}

}  // namespace
}  // namespace ricci
