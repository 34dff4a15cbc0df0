// Shapes that cannot be: symmetry groups, extents, sizes, memory, layouts.
#include <cctype>
#include <cstdint>

#include "expect_error.hpp"

namespace ricci_test {
namespace {

using ricci::antisymmetric;
using ricci::hollow;
using ricci::Options;
using ricci::ResourceError;
using ricci::symmetric;
using ricci::Tensor;

void expect_no_tensor(ricci::Extents extents, const ricci::Symmetry& symmetry, const std::vector<std::string>& parts) {
  expect_input_error([&] { Tensor<double>(shared_world(), extents, symmetry); }, parts);
}

TEST(SymmetryError, GroupsAreOfTwoOrMoreDifferentModes) {
  expect_input_error([] { symmetric(0); }, {"0", "two|2", "mode"});
  expect_input_error([] { antisymmetric(std::vector<int>{}); }, {"two|2", "mode"});
  expect_input_error([] { symmetric(0, 0); }, {"mode 0|0 0", "twice|different|once"});
  expect_input_error([] { hollow(3, 1, 3); }, {"mode 3|3", "twice|different|once"});
  expect_input_error([] { symmetric(-7, 1); }, {"-7", remedy});
}

TEST(SymmetryError, GroupsDoNotOverlap) {
  expect_input_error([] { symmetric(0, 1) * antisymmetric(1, 2); }, {"mode 1", "0 1|0, 1|0,1", "1 2|1, 2|1,2", remedy});
  expect_input_error([] { symmetric(0, 1) * symmetric(0, 1); }, {"mode 0|mode 1"});
}

TEST(SymmetryError, ModesAreThoseOfTheTensor) {
  expect_no_tensor({3, 3, 3}, symmetric(0, 5), {"mode 5|5", "order 3|3 modes", remedy});
  expect_no_tensor({}, symmetric(0, 1), {"order 0|scalar|0 modes"});
}

TEST(SymmetryError, ModesOfAGroupHaveOneExtent) {
  expect_no_tensor({41, 3, 53}, symmetric(0, 2), {"41", "53", "mode 0|0 2", "mode 2|0 2", remedy});
  expect_no_tensor({4, 4, 4, 57}, antisymmetric(0, 1, 3), {"4", "57", "mode 3"});
  expect_no_tensor({0, 31}, hollow(0, 1), {"0", "31"});
}

TEST(SizeError, ExtentsAreNotNegative) { expect_no_tensor({3, -17}, {}, {"-17", "mode 1|1", remedy}); }

TEST(SizeError, SizesThatOverflow64Bits) {
  const std::int64_t large = std::int64_t{1} << 31;
  expect_no_tensor({large, large, large}, {}, {"64 bit|64-bit", "2147483648", remedy});
  expect_no_tensor({INT64_MAX, 2}, {}, {"64 bit|64-bit", "9223372036854775807"});
  expect_no_tensor({large, large, large, large}, symmetric(0, 1, 2, 3), {"64 bit|64-bit"});
}

TEST(SizeError, AllocationFailureTellsTheBytes) {
  const std::int64_t side = std::int64_t{1} << 25;
  expect_error<ResourceError>([&] { Tensor<double>(shared_world(), {side, side}); }, {"9007199254740992", "byte"});
}

// The integers in a text.
std::vector<std::int64_t> numbers_in(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    std::size_t length = 0;
    numbers.push_back(std::stoll(text.substr(i), &length));
    i += length;
  }
  return numbers;
}

TEST(MemoryLimit, RefusalNamesTheLimitAndTheBytesThatWouldDo) {
  const auto a = filled({60, 70}), b = filled({70, 80});
  auto c = filled({60, 80});
  const auto before = c.gather();
  const auto statement = c["ij"].assign(a["ik"] * b["kj"]);
  const std::string message = message_of<ResourceError>([&] { ricci::plan(statement, Options{.memory_limit = 1234}); });
  expect_names(message, {"1234", "byte", remedy});
  bool enough = false;
  for (const std::int64_t bytes : numbers_in(message)) {
    if (bytes <= 1234) continue;
    try {
      ricci::plan(statement, Options{.memory_limit = bytes});
      enough = true;
    } catch (const ResourceError&) {
    }
  }
  EXPECT_TRUE(enough) << "no number in the message is a limit that suffices: " << message;
  EXPECT_EQ(c.gather(), before);
}

TEST(MemoryLimit, OperatorKeepsToTheWorldsLimit) {
  ricci::World world;
  Tensor<double> a(world, {60, 60}), b(world, {60, 60});
  a.fill(1.0);
  world.set_options(Options{.memory_limit = 1234});
  expect_error<ResourceError>([&] { b["ij"] = a["ik"] * a["kj"]; }, {"1234", "byte"});
  world.set_options(Options{});
  EXPECT_EQ(b.max_abs(), 0) << "unchanged after an error";
  b["ij"] = a["ik"] * a["kj"];
  EXPECT_EQ(b.max_abs(), 60);
}

TEST(LayoutError, WordsAndGrids) {
  const ricci::Grid grid{1, 1};
  expect_input_error([&] { ricci::Layout::parse("a:g5 b:*", grid); }, {"g5", "2|1x1"});
  expect_input_error([&] { ricci::Layout::parse("a:somewhere", grid); }, {"somewhere"});
  expect_input_error([&] { ricci::Layout::parse("a b", grid); }, {"a", remedy});
  expect_input_error([] { ricci::Grid({2, -19}); }, {"-19"});
}

TEST(LayoutError, RedistributeChecksOrderAndRanks) {
  auto tensor = filled({4, 4});
  const auto before = tensor.gather();
  expect_input_error([&] { tensor.redistribute(ricci::Layout::parse("a:g0", ricci::Grid{1})); }, {"1|one", "2|two"});
  expect_input_error(
      [&] {
        tensor.redistribute(ricci::Layout::parse("a:g0 b:g1", ricci::Grid{5, 7}));
      },
      {"35|5x7", "1"});
  EXPECT_EQ(tensor.gather(), before);
}

}  // namespace
}  // namespace ricci_test
