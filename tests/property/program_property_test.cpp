// Random programs, run in memory and block by block over the disk, against the oracle.
#include <complex>
#include <filesystem>

#include <gtest/gtest.h>

#include "check_property.hpp"
#include "dice.hpp"
#include "disk_case.hpp"
#include "formula_case.hpp"
#include "program/run_blocked.hpp"

namespace {

using namespace ricci::compile;
using namespace ricci_test;
using ricci::program::ArrayStore;

constexpr int cases = 300;

/// Tiles of one size for labels that have to be cut alike, else of any.
std::vector<std::int64_t> random_tiles(Dice& dice, const Formula& formula, const Operation& operation) {
  const LabelClasses classes = label_classes(formula, operation);
  std::vector<std::int64_t> tile(formula.labels.size(), 1);
  for (std::size_t l = 0; l < tile.size(); ++l) {
    const int first = classes.first[l];
    const std::int64_t extent = formula.labels[l].extent;
    if (first < 0 || classes.whole[first])
      tile[l] = std::max<std::int64_t>(1, extent);
    else
      tile[l] = first == static_cast<int>(l) ? dice.between(1, static_cast<int>(std::max<std::int64_t>(1, extent)))
                                             : tile[first];
  }
  return tile;
}

std::vector<std::int64_t> tiles_of_array(Dice& dice, const Array& array) {
  std::vector<std::int64_t> tile;
  for (std::int64_t extent : array.shape->extents())
    tile.push_back(dice.between(1, static_cast<int>(std::max<std::int64_t>(1, extent))));
  for (const auto& group : array.shape->symmetry().groups()) {
    for (int mode : group.modes) tile[mode] = tile[group.modes[0]];
  }
  return tile;
}

TEST(ProgramOnDisk, BlocksOfAnySizesGiveWhatTheOracleGives) {
  const ricci::World world;
  check_property(cases, [&] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    Dice dice(seed);
    Formula formula = random_formula(seed);
    for (Operation& operation : formula.operations) {
      for (Product& term : operation.terms) {
        if (term.factors.size() > 2) term.factors.resize(2);
      }
    }
    const auto before = evaluate({formula.labels, formula.arrays, {}}, seed), expected = evaluate(formula, seed);
    const auto program = declarations(formula);
    std::vector<Home> homes(formula.arrays.size(), Home::disk);
    ArrayStore store(world, program, formula, homes, {}, std::filesystem::temp_directory_path().string(), false);
    for (std::size_t a = 0; a < formula.arrays.size(); ++a)
      put_on_disk(store, static_cast<int>(a), before[a], tiles_of_array(dice, formula.arrays[a]));
    std::ostringstream text;
    for (const Array& array : formula.arrays) text << array.name << ": " << *array.shape << '\n';
    text << formula;
    for (const Operation& operation : formula.operations) {
      const BlockedOperation blocks = blocked(formula, operation, random_tiles(dice, formula, operation));
      print(text, formula, blocks);
      run_blocked(blocks, store);
    }
    for (std::size_t a = 0; a < formula.arrays.size(); ++a) {
      const auto found = from_disk(store, static_cast<int>(a));
      for (std::size_t e = 0; e < found.size(); ++e) {
        const double wanted = static_cast<double>(expected[a][e].real());
        if (std::abs(found[e] - wanted) < 1e-10 * std::max(1.0, std::abs(wanted))) continue;
        RC_LOG() << text.str() << "array " << a << " " << *formula.arrays[a].shape << ", element " << e << ": "
                 << found[e] << " for " << wanted << '\n';
        RC_FAIL("another value than the oracle's");
      }
    }
  });
}

}  // namespace
