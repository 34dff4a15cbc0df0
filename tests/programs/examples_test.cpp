// The programs of examples/, from files to files, in memory and under limits, against plain loops.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include <ricci/ricci.hpp>

#include "oracle.hpp"

namespace ricci_test {
namespace {

namespace fs = std::filesystem;

std::string example(const std::string& name) {
  std::stringstream text;
  text << std::ifstream(std::string(RICCI_EXAMPLES "/") + name + ".ric").rdbuf();
  return text.str();
}

void write_npy(const std::string& path, const Dense<double>& array) {
  std::string shape;
  for (const std::int64_t extent : array.extents) shape += std::to_string(extent) + ", ";
  std::string head = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }";
  head.resize((head.size() + 10) / 64 * 64 + 64 - 10, ' ');
  std::ofstream out(path, std::ios::binary);
  out << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(head.size() % 256)
      << static_cast<char>(head.size() / 256) << head;
  out.write(reinterpret_cast<const char*>(array.data.data()),
            static_cast<std::streamsize>(array.data.size() * sizeof(double)));
}

std::vector<double> read_npy(const std::string& path, std::size_t elements) {
  std::ifstream in(path, std::ios::binary);
  std::vector<double> data(elements);
  in.seekg(-static_cast<std::streamoff>(elements * sizeof(double)), std::ios::end);
  in.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(elements * sizeof(double)));
  EXPECT_TRUE(in.good()) << path;
  return data;
}

class Examples : public testing::Test {
 protected:
  Examples() {
    // All ranks use the folder that rank 0 names.
    ricci::Tensor<double> number(world_, {1});
    const std::vector<std::int64_t> keys(world_.rank() == 0 ? 1 : 0, 0);
    number.write(keys, std::vector<double>(keys.size(), static_cast<double>(::getpid())));
    folder_ = fs::temp_directory_path() / ("ricci_examples_" + std::to_string(static_cast<long>(number.gather()[0])));
    if (world_.rank() == 0) fs::create_directories(folder_);
    number.gather();  // waits
  }
  ~Examples() override {
    ricci::Tensor<double>(world_, {1}).gather();
    if (world_.rank() == 0) fs::remove_all(folder_);
  }

  /// Inputs come from files, outputs go to files; `format` is .npy or .h5. With several ranks, all of whom have the
  /// limit, so much fits that arrays are told to live on disk.
  std::string with_files(const Case& what, const std::string& format) const {
    const std::string from = std::regex_replace(what.text, std::regex(R"(random\((\d+)\))"),
                                                "from \"" + folder_.string() + "/" + what.name + "$1.npy\"");
    const std::string end = format == ".h5" ? ".h5:/x\"" : ".npy\"";
    const std::string to = std::regex_replace(from, std::regex(R"(\n(output (\w+)\[[^\n]*))"),
                                              "\n$1 to \"" + folder_.string() + "/out_$2" + end);
    if (!told_to_disk_) return to;
    return std::regex_replace(to, std::regex(R"(\n(input|tensor|output)( +\w+\[[^\]\n]+\]))"), "\n$1$2 disk");
  }

  /// Without a limit, in the least memory that does, and in more, with and without shared loops.
  void check(const Case& what) {
    if (world_.rank() == 0) {
      for (const auto& [seed, array] : what.inputs) write_npy((folder_ / (what.name + seed + ".npy")).string(), array);
    }
    ricci::Tensor<double>(world_, {1}).gather();  // the files are there
    const std::int64_t least = least_limit(what);
    int on_disk = run(what, 0, true, ".npy");
    for (const std::int64_t percent : {100, 110, 130, 170, 250}) {
      for (const bool shares : {true, false})
        on_disk += run(what, least * percent / 100, shares, percent == 250 ? ".h5" : ".npy");
    }
    EXPECT_GE(on_disk, 2) << what.name;
    world_.set_options(ricci::Options::from_environment());
  }

 private:
  /// As a refusal names it.
  std::int64_t least_limit(const Case& what) {
    const auto program = ricci::Program::parse(with_files(what, ".npy"), what.name, {what.sizes});
    ricci::Options options = ricci::Options::from_environment();
    options.memory_limit = 1;
    try {
      ricci::plan(program, world_, options);
    } catch (const ricci::ResourceError& error) {
      std::smatch number;
      const std::string text = error.what();
      if (std::regex_search(text, number, std::regex(R"(needs (\d+) bytes)"))) return std::stoll(number[1]);
    }
    ADD_FAILURE() << what.name << " is not refused with 1 byte";
    return 1;
  }

  /// 1 where the program goes by blocks.
  int run(const Case& what, std::int64_t limit, bool shares, const std::string& format) {
    SCOPED_TRACE(what.name + " with " + std::to_string(limit) + " on " + std::to_string(world_.size()) + " ranks, " +
                 (shares ? "shared loops" : "one operation after the other"));
    const auto program = ricci::Program::parse(with_files(what, format), what.name, {what.sizes});
    ricci::Options options = ricci::Options::from_environment();
    options.memory_limit = limit;
    options.share_loops = shares;
    world_.set_options(options);
    std::map<std::string, double> printed;
    ricci::ProgramRunOptions how{.scratch = folder_.string()};
    how.events.print = [&](const std::string& text, std::complex<double> value) { printed[text] = value.real(); };
    try {
      const auto plan = ricci::plan(program, world_, options);
      const auto report = plan.run(world_, how);
      EXPECT_EQ(report.disk_read_bytes, report.predicted_read_bytes);
      EXPECT_EQ(report.disk_written_bytes, report.predicted_written_bytes);
      compare(what, format, printed);
      return plan.explain().find("block by block") != std::string::npos ? 1 : 0;
    } catch (const ricci::ResourceError& error) {
      EXPECT_FALSE(shares) << error.what();  // the least is that of shared loops
      return 0;
    }
  }

  void compare(const Case& what, const std::string& format, std::map<std::string, double>& printed) const {
    for (const auto& [name, value] : what.printed) EXPECT_NEAR(printed[name], value, 1e-10 * std::abs(value)) << name;
    for (const auto& [name, array] : what.outputs) {
      std::string file = (folder_ / ("out_" + name + format)).string();
      if (format == ".h5") {  // packed there
        const auto info = ricci::inspect(file + ":/x");
        ricci::Tensor<double> tensor(world_, info.extents, info.symmetry);
        tensor.load(file + ":/x");
        file += ".npy";
        tensor.save(file);
      }
      if (world_.rank() != 0) continue;
      const auto found = read_npy(file, array.data.size());
      double largest = 0, worst = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        largest = std::max(largest, std::abs(array.data[i]));
        worst = std::max(worst, std::abs(found[i] - array.data[i]));
      }
      EXPECT_LE(worst, 1e-11 * largest) << name;
    }
  }

 protected:
  ricci::World world_;
  fs::path folder_;
  bool told_to_disk_ = world_.size() > 1;
};

TEST_F(Examples, MatrixProduct) { check(matmul_case(example("matmul"), world_.size() == 1 ? 500 : 300)); }
TEST_F(Examples, FourIndexTransform) {
  const bool alone = world_.size() == 1;
  check(ao_to_mo_case(example("ao_to_mo"), alone ? 26 : 16, alone ? 22 : 14));
}
TEST_F(Examples, PerturbationTheory) {
  const bool alone = world_.size() == 1;
  check(mp2_case(example("mp2"), alone ? 16 : 8, alone ? 70 : 30));
}
TEST_F(Examples, CoupledCluster) {
  const bool alone = world_.size() == 1;
  check(ccd_case(example("ccd"), alone ? 12 : 6, alone ? 36 : 16));
}
TEST_F(Examples, SinglesAndDoubles) {
  told_to_disk_ = true;  // plain loops take long where the arrays do not fit by themselves
  check(ccsd_case(example("ccsd"), 4, 12));
}

// Whatever the limit, planning takes seconds, and no operation is cut into crumbs for which arrays that stay in memory
// leave too little.
TEST(Planning, OfSinglesAndDoublesForTheDisk) {
  const ricci::World world;
  const auto program = ricci::Program::parse(example("ccsd"), "ccsd", {{{"no", 20}, {"nv", 80}}});
  ricci::Options options = ricci::Options::from_environment();
  for (const std::int64_t megabytes : {80, 150}) {
    options.memory_limit = megabytes * 1'000'000;
    const auto plan = ricci::plan(program, 1, ricci::MachineModel(), options);
    EXPECT_LE(plan.seconds(), 600) << megabytes;
  }
}

}  // namespace
}  // namespace ricci_test
