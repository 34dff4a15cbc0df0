#include "spin/spin_tensors.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace ricci::spin {

using notation::Program;
using notation::ProgramExpression;
using notation::ProgramStatement;

namespace {

/// Equal extents do not make two spaces one: they may part into alpha and beta elsewhere.
class SpaceChecker {
 public:
  SpaceChecker(const SpinTensors& spins, notation::Diagnostics& diagnostics)
      : spins_(spins), program_(*spins.program), diagnostics_(diagnostics) {}

  void check_groups() {
    for (const auto& tensor : program_.tensors) {
      for (const SymmetryGroup& group : tensor.shape.symmetry().groups()) {
        for (const int mode : group.modes) check(tensor.labels[group.modes[0]], tensor.labels[mode], tensor.place);
      }
    }
  }

  void check(const std::vector<ProgramStatement>& statements) {
    for (const ProgramStatement& statement : statements) {
      if (statement.tensor >= 0) check(statement.tensor, statement.labels, statement.place);
      check(statement.right);
      check(statement.body);
    }
  }

 private:
  void check(const ProgramExpression& expression) {
    if (expression.kind == ProgramExpression::Kind::tensor)
      check(expression.tensor, expression.labels, expression.place);
    for (const ProgramExpression& operand : expression.operands) check(operand);
  }

  void check(int tensor, const std::vector<int>& labels, const notation::Place& place) {
    for (std::size_t mode = 0; mode < labels.size(); ++mode)
      check(program_.tensors[tensor].labels[mode], labels[mode], place);
  }

  void check(int declared, int used, const notation::Place& place) {
    const auto& one = program_.labels[declared];
    const auto& other = program_.labels[used];
    if (!spins_.label_has_spin[declared] && !spins_.label_has_spin[used]) return;
    if (one.space == other.space) return;
    diagnostics_.error(
        {place}, fmt::format("indices `{}` and `{}` are of two spaces", one.name, other.name),
        "spaces of spin orbitals part into alpha and beta, each in its own way: use indices of one space");
  }

  const SpinTensors& spins_;
  const Program& program_;
  notation::Diagnostics& diagnostics_;
};

std::int64_t factorial(std::ptrdiff_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

}  // namespace

Pattern SpinTensors::no_pattern(int tensor) const { return Pattern(program->tensors[tensor].labels.size(), '.'); }

bool SpinTensors::has_spin(int tensor, int mode) const { return label_has_spin[program->tensors[tensor].labels[mode]]; }

bool SpinTensors::has_spin(int tensor) const {
  const auto& labels = program->tensors[tensor].labels;
  return std::any_of(labels.begin(), labels.end(), [&](int label) { return label_has_spin[label]; });
}

SpinTensors find_spins(const Program& program, const SpinOptions& options, notation::Diagnostics& diagnostics) {
  SpinTensors spins{.program = &program, .label_has_spin = {}, .groups = {}};
  for (const auto& label : program.labels) spins.label_has_spin.push_back(options.spaces.contains(label.space));
  SpaceChecker checker(spins, diagnostics);
  checker.check_groups();
  checker.check(program.statements);
  for (std::size_t t = 0; t < program.tensors.size(); ++t) {
    spins.groups.emplace_back();
    for (const SymmetryGroup& group : program.tensors[t].shape.symmetry().groups()) {
      if (spins.has_spin(static_cast<int>(t), group.modes[0])) spins.groups.back().push_back(group);
    }
  }
  return spins;
}

Canonical canonical(const SpinTensors& spins, int tensor, const Pattern& pattern) {
  Canonical result{pattern, std::vector<int>(pattern.size()), 1};
  std::iota(result.from.begin(), result.from.end(), 0);
  for (const SymmetryGroup& group : spins.groups[tensor]) {
    std::vector<int> order(group.modes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int x, int y) { return pattern[group.modes[x]] < pattern[group.modes[y]]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      result.from[group.modes[i]] = group.modes[order[i]];
      result.pattern[group.modes[i]] = pattern[group.modes[order[i]]];
    }
    if (group.kind == SymmetryKind::antisymmetric) result.sign *= sign_of(order);
  }
  return result;
}

std::vector<Pattern> all_patterns(const SpinTensors& spins, int tensor) {
  std::vector<Pattern> all{spins.no_pattern(tensor)};
  for (std::size_t mode = 0; mode < all[0].size(); ++mode) {
    if (!spins.has_spin(tensor, static_cast<int>(mode))) continue;
    std::vector<Pattern> longer;
    for (Pattern& pattern : all) {
      for (const char spin : {'a', 'b'}) {
        pattern[mode] = spin;
        longer.push_back(pattern);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<Pattern> canonical_patterns(const SpinTensors& spins, int tensor) {
  std::vector<Pattern> all = all_patterns(spins, tensor);
  std::erase_if(all, [&](const Pattern& pattern) { return canonical(spins, tensor, pattern).pattern != pattern; });
  return all;
}

std::int64_t multiplicity(const SpinTensors& spins, int tensor, const Pattern& pattern) {
  std::int64_t count = 1;
  for (const SymmetryGroup& group : spins.groups[tensor]) {
    const auto alphas = std::count_if(group.modes.begin(), group.modes.end(), [&](int m) { return pattern[m] == 'a'; });
    const auto all = static_cast<std::ptrdiff_t>(group.modes.size());
    count *= factorial(all) / (factorial(alphas) * factorial(all - alphas));
  }
  return count;
}

std::string letters(const Pattern& pattern) {
  std::string text = pattern;
  std::erase(text, '.');
  return text;
}

std::string block_name(const SpinTensors& spins, int tensor, const Pattern& pattern) {
  const std::string& name = spins.program->tensors[tensor].name;
  return spins.has_spin(tensor) ? fmt::format("{}_{}", name, letters(pattern)) : name;
}

bool is_balanced(const Pattern& pattern) {
  const std::string text = letters(pattern);
  const auto half = text.begin() + static_cast<std::ptrdiff_t>(text.size() / 2);
  return text.size() % 2 == 0 && std::count(text.begin(), half, 'a') == std::count(half, text.end(), 'a');
}

const SymmetryGroup* common_group(const std::vector<SymmetryGroup>& groups, int mode, int other) {
  for (const SymmetryGroup& group : groups) {
    const auto has = [&](int m) { return std::find(group.modes.begin(), group.modes.end(), m) != group.modes.end(); };
    if (has(mode) && has(other)) return &group;
  }
  return nullptr;
}

int sign_of(const std::vector<int>& permutation) {
  int sign = 1;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    for (std::size_t j = i + 1; j < permutation.size(); ++j) sign = permutation[i] > permutation[j] ? -sign : sign;
  }
  return sign;
}

}  // namespace ricci::spin
