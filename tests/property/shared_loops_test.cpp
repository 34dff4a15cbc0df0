// Random trees of contractions, run in loops that they share over the disk, against the oracle.
#include <filesystem>

#include <gtest/gtest.h>

#include "check_property.hpp"
#include "dice.hpp"
#include "disk_case.hpp"
#include "program/predict_traffic.hpp"
#include "program/run_loops.hpp"

namespace {

using namespace ricci::compile;
using namespace ricci_test;
using ricci::program::ArrayStore;
using ricci::program::FusedNest;
using ricci::program::FusedTree;
using ricci::program::may_share_loops;
using ricci::program::tree_below;

constexpr int cases = 120;

/// Contractions, each of which uses the result of one before it or two of them, under other labels than it was made
/// with. The last one may add to what is there.
class RandomTree {
 public:
  explicit RandomTree(std::uint64_t seed) : dice_(seed) {
    for (int l = 0; l <= last_label; ++l) formula.labels.push_back({"x" + std::to_string(l), 4 - l / 5});
    const int products = dice_.between(1, 4);
    for (int n = 0; n < products; ++n) add_product(n + 1 == products);
  }

  Formula formula;

 private:
  int new_array(const std::vector<int>& labels) {
    ricci::Extents extents;
    for (int label : labels) extents.push_back(formula.labels[label].extent);
    const int number = static_cast<int>(formula.arrays.size());
    formula.arrays.push_back({"A" + std::to_string(number), labels,
                              std::make_shared<const ricci::symmetry::Shape>(extents, ricci::Symmetry{}),
                              ricci::ElementType::f64, number});
    return number;
  }

  /// Labels of the right extents, none twice, in any order.
  std::vector<int> labels_for(const ricci::Extents& extents) {
    std::vector<int> labels;
    for (std::int64_t extent : extents) {
      int label = 0;
      do {
        label = dice_.between(0, last_label);
      } while (formula.labels[label].extent != extent || std::count(labels.begin(), labels.end(), label) > 0);
      labels.push_back(label);
    }
    return labels;
  }

  Operand operand() {
    if (!unused_.empty() && dice_.chance(75)) {
      const int array = unused_.back();
      unused_.pop_back();
      return {array, labels_for(formula.arrays[array].shape->extents())};
    }
    std::vector<int> labels;
    for (int n = dice_.between(2, 3); n > 0; --n) {
      const int label = dice_.between(0, last_label);
      if (std::count(labels.begin(), labels.end(), label) == 0) labels.push_back(label);
    }
    return {new_array(labels), labels};
  }

  void add_product(bool is_last) {
    for (int tries = 0;; ++tries) {
      const Formula before = formula;
      const std::vector<int> unused = unused_;
      Operation operation;
      operation.terms = {{dice_.chance(50) ? 1.0 : -0.5, {operand(), operand()}}};
      std::vector<int> labels = operation.terms[0].factors[0].labels;
      for (int label : operation.terms[0].factors[1].labels) {
        if (std::count(labels.begin(), labels.end(), label) == 0) labels.push_back(label);
      }
      dice_.shuffle(labels);
      while (labels.size() > 4 || (labels.size() > 2 && dice_.chance(40))) labels.pop_back();
      operation.out = {new_array(labels), labels};
      if (is_last && dice_.chance(30)) operation.kind = Operation::Kind::add;
      const bool uses_last = unused.empty() || unused_.size() < unused.size();
      if (uses_last && may_share_loops(formula, operation, std::vector<Home>(formula.arrays.size(), Home::disk))) {
        unused_.push_back(operation.out.array);
        formula.operations.push_back(std::move(operation));
        return;
      }
      formula = before;
      unused_ = unused;
      if (tries > 200) RC_DISCARD("no such product was found");
    }
  }

  static constexpr int last_label = 14;
  Dice dice_;
  std::vector<int> unused_;  // results that nobody has read yet
};

/// Some inputs and perhaps the root in memory, all else on disk.
std::vector<Home> random_homes(Dice& dice, const Formula& formula) {
  std::vector<Home> homes(formula.arrays.size(), Home::disk);
  const int root = formula.operations.back().out.array;
  for (std::size_t a = 0; a < homes.size(); ++a) {
    const bool is_made = std::any_of(formula.operations.begin(), formula.operations.end(),
                                     [&](const Operation& o) { return o.out.array == static_cast<int>(a); });
    if ((!is_made || static_cast<int>(a) == root) && dice.chance(20)) homes[a] = Home::memory;
  }
  return homes;
}

std::string text_of(const FusedNest& nest, const Formula& formula) {
  std::ostringstream text;
  for (const Array& array : formula.arrays) text << array.name << ": " << *array.shape << '\n';
  text << formula << to_string(nest);
  return text.str();
}

std::vector<double> value_of(ArrayStore& store, int array) {
  if (store.home(array) == Home::disk) return from_disk(store, array);
  return std::get<ricci::Tensor<double>>(store.tensor(array)).gather();
}

void fill(ArrayStore& store, Dice& dice, int array, const DenseTensor& values) {
  if (store.home(array) == Home::disk) {
    std::vector<std::int64_t> tile;
    for (std::int64_t extent : store.formula().arrays[array].shape->extents())
      tile.push_back(dice.between(1, static_cast<int>(extent)));
    put_on_disk(store, array, values, tile);
    return;
  }
  std::vector<double> dense;
  for (const Number& value : values) dense.push_back(static_cast<double>(value.real()));
  std::get<ricci::Tensor<double>>(store.tensor(array)).assign_dense(dense);
}

/// Plans the tree of a seed, runs it if there are loops for it, and compares values and bytes. What it ran, or nothing.
std::shared_ptr<const FusedNest> check_tree(const ricci::World& world, std::uint64_t seed) {
  Dice dice(seed);
  const Formula formula = RandomTree(seed).formula;
  const std::vector<Home> homes = random_homes(dice, formula);
  const FusedTree tree = tree_below(formula, formula.operations, formula.operations.size() - 1, homes,
                                    std::vector<bool>(formula.arrays.size(), true));
  ricci::MachineModel machine;
  machine.disk_read_bandwidth = dice.chance(50) ? 1e6 : 1e9;
  const ricci::program::NestBudget budget{
      .bytes = dice.between(80, 5000), .ranks = world.size(), .bytes_a_block = 0};  // blocks are tiny here
  const std::shared_ptr<const FusedNest> nest = plan_nest(tree, budget, machine);
  if (!nest) return nest;
  RC_ASSERT(nest->peak_bytes <= budget.bytes);

  const auto before = evaluate({formula.labels, formula.arrays, {}}, seed), expected = evaluate(formula, seed);
  const auto program = declarations(formula);
  ArrayStore store(world, program, formula, homes, {}, std::filesystem::temp_directory_path().string(), false);
  ricci::program::Tilings tilings;
  for (int array : tree.arrays) {
    const bool is_made = std::any_of(tree.operations.begin(), tree.operations.end() - 1,
                                     [&](const Operation* o) { return o->out.array == array; });
    if (is_made) continue;
    fill(store, dice, array, before[static_cast<std::size_t>(array)]);
    if (homes[static_cast<std::size_t>(array)] == Home::disk) tilings[array] = store.disk(array).catalog().cuts();
  }
  const auto already = store.traffic();
  run_loops(*nest, store);
  const auto counted = store.traffic();
  const auto predicted = predict_traffic(formula, *nest, homes, tilings, world.size(), world.rank());
  RC_LOG() << text_of(*nest, formula);
  RC_ASSERT(counted.read_bytes - already.read_bytes == predicted.read);
  RC_ASSERT(counted.written_bytes - already.written_bytes == predicted.written);
  const int root = tree.root().out.array;
  const std::vector<double> found = value_of(store, root);
  for (std::size_t e = 0; e < found.size(); ++e) {
    const double wanted = static_cast<double>(expected[static_cast<std::size_t>(root)][e].real());
    if (std::abs(found[e] - wanted) < 1e-10 * std::max(1.0, std::abs(wanted))) continue;
    RC_LOG() << "element " << e << ": " << found[e] << " for " << wanted << '\n';
    RC_FAIL("another value than the oracle's");
  }
  return nest;
}

TEST(SharedLoops, GiveWhatTheOracleGives) {
  const ricci::World world;
  check_property(cases, [&] { check_tree(world, *rc::gen::arbitrary<std::uint64_t>()); });
}

// Seeds that do not change from run to run: how often loops are found, and how often they keep an array on disk between
// two contractions, must not be a matter of luck.
TEST(SharedLoops, KeepArraysOnDiskBetweenContractions) {
  const ricci::World world;
  int planned = 0, with_disk_between = 0;
  check_property(1, [&] {
    const std::uint64_t last = world.size() == 1 ? cases : 20;
    for (std::uint64_t seed = 1; seed <= last; ++seed) {
      const auto nest = check_tree(world, seed);
      planned += nest ? 1 : 0;
      with_disk_between += nest && nest->cuts.size() > 1 ? 1 : 0;
    }
  });
  if (world.size() > 1) return;  // the counts are those of the budget of one rank
  EXPECT_GT(planned, cases / 3);
  EXPECT_GT(with_disk_between, 2);
}

}  // namespace
