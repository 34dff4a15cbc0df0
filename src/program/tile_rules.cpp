#include "program/tile_rules.hpp"

#include <algorithm>

#include "compile/uses.hpp"

namespace ricci::program {

using compile::Home;
using compile::Operand;
using compile::Operation;

namespace {

/// Nothing where it is not on disk, or has not been written yet.
const compile::Cuts* cuts_on_disk(const ProgramPlan& plan, const OnDisk& on_disk, int array) {
  const auto tiling = on_disk.tilings.find(array);
  return tiling == on_disk.tilings.end() || plan.homes[array] != Home::disk ? nullptr : &tiling->second;
}

}  // namespace

compile::TileRules rules_of_output(const ProgramPlan& plan, const OnDisk& on_disk, const Operation& operation) {
  const Operand& out = operation.out;
  const int tensor = plan.formula.arrays[out.array].tensor;
  compile::TileRules rules{std::vector<std::int64_t>(plan.formula.labels.size(), 0)};
  const bool is_read_again = tensor < 0 || plan.program.tensors[tensor].role != notation::Role::output ||
                             compile::uses_of(plan.formula.operations, out.array).reads > 0;  // a norm needs one block
  if (is_read_again) rules.copies_of_output = on_disk.copies_of_outputs;
  const auto tiling = on_disk.tilings.find(out.array);
  if (on_disk.kept.count(out.array) == 0 || tiling == on_disk.tilings.end()) return rules;
  const compile::Cuts& cuts = tiling->second;
  for (std::size_t m = 0; m < cuts.size(); ++m)
    rules.given[out.labels[m]] = compile::size_of_tiles(plan.formula.labels[out.labels[m]].extent, cuts[m]);
  return rules;
}

compile::TileRules rules_for(const ProgramPlan& plan, const OnDisk& on_disk, const Operation& operation) {
  compile::TileRules rules = rules_of_output(plan, on_disk, operation);
  const std::vector<std::int64_t> fixed = rules.given;
  std::vector<double> largest(plan.formula.labels.size(), 0);
  const auto add = [&](const Operand& operand) {
    const compile::Cuts* const cuts = cuts_on_disk(plan, on_disk, operand.array);
    if (cuts == nullptr) return;
    const compile::Array& array = plan.formula.arrays[operand.array];
    const double bytes =
        static_cast<double>(array.shape->stored_size()) * static_cast<double>(element_size(array.type));
    for (std::size_t m = 0; m < operand.labels.size(); ++m) {
      const int label = operand.labels[m];
      if (fixed[label] != 0 || bytes <= largest[label]) continue;
      largest[label] = bytes;
      rules.given[label] = compile::size_of_tiles(plan.formula.labels[label].extent, (*cuts)[m]);
    }
  };
  add(operation.out);
  for (const compile::Product& term : operation.terms) {
    for (const Operand& factor : term.factors) add(factor);
  }
  return rules;
}

double bytes_to_put_together(const ProgramPlan& plan, const OnDisk& on_disk,
                             const compile::BlockedOperation& operation) {
  double most = 0;
  const auto look = [&](const Operand& operand) {
    const compile::Cuts* const cuts = cuts_on_disk(plan, on_disk, operand.array);
    if (cuts == nullptr) return;
    const double element = static_cast<double>(element_size(plan.formula.arrays[operand.array].type)) / plan.ranks;
    double block = element, box = element;  // unpacked
    bool is_other = false;
    for (std::size_t m = 0; m < operand.labels.size(); ++m) {
      const std::int64_t extent = plan.formula.labels[operand.labels[m]].extent;
      const std::int64_t tile = operation.tile[operand.labels[m]];
      block *= static_cast<double>(compile::largest_tile(extent, (*cuts)[m]));
      box *= static_cast<double>(tile);
      is_other = is_other || compile::size_of_tiles(extent, (*cuts)[m]) != tile;
    }
    // The block as it is stored and unpacked, or two of them; their common part, cut out and on its way; in the end the
    // box once more, packed.
    if (is_other) most = std::max({most, 2 * block + 2 * std::min(block, box), box});
  };
  look(operation.out);
  for (const compile::BlockedTerm& term : operation.terms) {
    for (const Operand& factor : term.product.factors) look(factor);
  }
  return most;
}

}  // namespace ricci::program
