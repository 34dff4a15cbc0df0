// Programs whose products are done by each of the parallel disk algorithms, against the same block by block.
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "compile/parallel_disk_choice.hpp"

namespace ricci_test {
namespace {

using namespace ricci::compile::parallel_disk;

/// Modes in orders that need permuting, sums into an array that is there, operands from disk, from memory and made on
/// the spot.
constexpr const char* text = R"(
space n = 9
space m = 5
index i j p : n
index k l : m
input A[i,k,l] random(1)
input F[k,j,l] {type} random(3)
input B[j,l,k] random(2)
tensor D[j,l,k] disk
tensor G[l,p,k] disk
output C[j,i] disk
output E[i,j] disk
output H[p,j,i] disk
D[j,l,k] = 2 * B[j,l,k]
G[l,p,k] = B[p,l,k]
C[j,i] = A[i,k,l] * D[j,l,k]
E[i,j] = C[j,i]
E[i,j] += 0.5 * F[k,j,l] * G[l,i,k]
H[p,j,i] = C[p,j] * E[i,i]
)";

std::string program(const std::string& type) {
  std::string result = text;
  for (auto at = result.find("{type} "); at != std::string::npos; at = result.find("{type} "))
    result.replace(at, 7, "");
  for (const std::string word : {"input", "tensor", "output"}) {
    for (auto at = result.find(word); at != std::string::npos; at = result.find(word, at + 1))
      if (!type.empty()) result.insert(result.find(']', at) + 1, " " + type);
  }
  return result;
}

std::map<std::string, double> run(const ricci::World& world, const std::string& method, const std::string& type,
                                  std::size_t products, bool read_ahead = true) {
  ricci::Options options = world.options();
  options.disk_method = method;
  options.read_ahead = read_ahead;
  const auto plan = ricci::plan(ricci::Program::parse(program(type)), world, options);
  std::map<std::string, double> norms;
  ricci::ProgramRunOptions how{.scratch = std::filesystem::temp_directory_path().string()};
  how.events.output = [&](const std::string& name, const std::string&, double norm) { norms[name] = norm; };
  const auto report = plan.run(world, how);
  EXPECT_EQ(report.parallel_disk.size(), products) << method;
  EXPECT_EQ(report.disk_read_bytes, report.predicted_read_bytes) << method;
  EXPECT_EQ(report.disk_written_bytes, report.predicted_written_bytes) << method;
  for (const ricci::ParallelDiskReport& product : report.parallel_disk) {
    EXPECT_EQ(product.sent_bytes, product.predicted_sent_bytes) << product;
    EXPECT_EQ(product.disk_read_bytes, product.predicted_read_bytes) << product;
    EXPECT_EQ(product.disk_written_bytes, product.predicted_written_bytes) << product;
  }
  return norms;
}

TEST(ParallelDiskProgram, EveryMethodGivesWhatBlocksGive) {
  const ricci::World world;
  for (const std::string type : {"", "single", "complex"}) {
    const auto expected = run(world, "blocks", type, 0);
    for (const ParallelDiskMethod& method : all_methods()) {
      const bool square = ParallelDiskCase{.ranks = world.size()}.grid_side().has_value();
      if (method.order != DiskOrder::abc || (method.algorithm == ParallelAlgorithm::rotation && !square)) continue;
      for (const bool read_ahead : {true, false}) {
        if (!read_ahead && !type.empty()) continue;
        const auto found = run(world, name_of(method), type, world.size() > 1 ? 2 : 0, read_ahead);
        for (const auto& [name, norm] : expected)
          EXPECT_NEAR(found.at(name), norm, (type == "single" ? 1e-4 : 1e-11) * norm) << name << ' ' << method;
      }
    }
  }
}

TEST(ParallelDiskProgram, AMethodThatThereIsNotIsAnError) {
  const ricci::World world;
  if (world.size() == 1) return;  // nothing is parallel
  ricci::Options options = world.options();
  options.disk_method = "sideways rotation";
  EXPECT_THROW(ricci::plan(ricci::Program::parse(program("")), world, options), ricci::InputError);
}

}  // namespace
}  // namespace ricci_test
