// Random programs, run in memory and block by block over the disk, against the oracle.
#include <complex>
#include <filesystem>

#include <gtest/gtest.h>

#include "check_property.hpp"
#include "dice.hpp"
#include "formula_case.hpp"
#include "program/array_store.hpp"
#include "program/run_blocked.hpp"

namespace {

using namespace ricci::compile;
using namespace ricci_test;
using ricci::program::ArrayStore;

constexpr int cases = 300;

/// A program that declares the arrays of a formula, as inputs that are zero: a test fills them.
ricci::notation::Program declarations(const Formula& formula) {
  ricci::notation::Program program;
  for (const Array& array : formula.arrays)
    program.tensors.push_back({.name = array.name, .labels = {}, .shape = *array.shape, .type = array.type});
  return program;
}

/// Puts an array on disk in blocks of these tiles.
void put_on_disk(ArrayStore& store, int array, const DenseTensor& values, const std::vector<std::int64_t>& tile) {
  const auto& shape = *store.formula().arrays[array].shape;
  auto tensor = store.new_disk(array, {shape, tile});
  ricci::Tensor<double> whole(store.world(), shape.extents(), shape.symmetry());
  std::vector<double> dense;
  for (const Number& value : values) dense.push_back(static_cast<double>(value.real()));
  whole.assign_dense(dense);
  for (std::int64_t n = 0; n < tensor->catalog().blocks(); ++n) {
    const Box box = tensor->catalog().box(tensor->catalog().tiles_of(n));
    ricci::program::AnyTensor block =
        ricci::program::make_tensor(store.world(), ricci::ElementType::f64, tensor->catalog().block_shape(n));
    auto& typed = std::get<ricci::Tensor<double>>(block);
    typed.assign_slice(std::vector<std::int64_t>(box.lo.size(), 0), typed.extents(), whole.slice(box.lo, box.hi));
    tensor->start_write(n, block).wait();
  }
  store.put(array, std::move(tensor));
}

std::vector<double> from_disk(ArrayStore& store, int array) {
  const auto& shape = *store.formula().arrays[array].shape;
  const std::vector<std::int64_t> whole(shape.extents().begin(), shape.extents().end());
  const auto block = store.source(array, whole)->start({std::vector<std::int64_t>(whole.size(), 0), whole});
  return std::get<ricci::Tensor<double>>(block->get()).gather();
}

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
    ArrayStore store(world, program, formula, homes, std::filesystem::temp_directory_path().string(), false);
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
