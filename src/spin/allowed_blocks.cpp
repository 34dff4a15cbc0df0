#include "spin/allowed_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::spin {

namespace {

std::set<Pattern> fitting(const SpinTensors& spins, int tensor, const std::string& wanted) {
  const std::string& name = spins.program->tensors[tensor].name;
  const std::size_t count = static_cast<std::size_t>(
      std::ranges::count_if(spins.program->tensors[tensor].labels, [&](int l) { return spins.label_has_spin[l]; }));
  if (wanted.size() != count || wanted.find_first_not_of("ab*") != std::string::npos) {
    throw InputError(
        fmt::format("the pattern `{}` does not fit tensor `{}`: give one letter, `a`, `b` or `*`, for each "
                    "of its {} modes of spin orbitals",
                    wanted, name, count));
  }
  std::vector<Pattern> all{spins.no_pattern(tensor)};
  std::size_t next = 0;
  for (std::size_t mode = 0; mode < all[0].size(); ++mode) {
    if (!spins.has_spin(tensor, static_cast<int>(mode))) continue;
    const char letter = wanted[next++];
    const std::size_t before = all.size();
    for (std::size_t i = 0; i < before; ++i) {
      all[i][mode] = letter == '*' ? 'a' : letter;
      if (letter != '*') continue;
      all.push_back(all[i]);
      all.back()[mode] = 'b';
    }
  }
  std::set<Pattern> result;
  for (const Pattern& pattern : all) result.insert(canonical(spins, tensor, pattern).pattern);
  return result;
}

int find_tensor(const SpinTensors& spins, const std::string& name) {
  const auto& tensors = spins.program->tensors;
  const auto found = std::ranges::find(tensors, name, &notation::ProgramTensor::name);
  if (found == tensors.end())
    throw InputError(fmt::format("there is no tensor `{}` in {} to give patterns of spins", name, spins.program->name));
  return static_cast<int>(found - tensors.begin());
}

}  // namespace

std::vector<std::optional<std::set<Pattern>>> allowed_blocks(const SpinTensors& spins, const SpinOptions& options,
                                                             notation::Diagnostics& diagnostics) {
  const auto& tensors = spins.program->tensors;
  std::vector<std::optional<std::set<Pattern>>> allowed(tensors.size());
  for (const auto& [name, patterns] : options.patterns) {
    auto& set = allowed[find_tensor(spins, name)].emplace();
    for (const std::string& pattern : patterns) set.merge(fitting(spins, find_tensor(spins, name), pattern));
  }
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const int tensor = static_cast<int>(t);
    if (allowed[t] || tensors[t].role == notation::Role::temporary) continue;
    auto& set = allowed[t].emplace();
    for (const Pattern& pattern : all_patterns(spins, tensor)) {
      if (letters(pattern).size() == 1 || is_balanced(pattern)) set.insert(canonical(spins, tensor, pattern).pattern);
    }
    if (!set.empty()) continue;
    diagnostics.error({tensors[t].place},
                      fmt::format("`{}` has an odd number of modes of spin orbitals", tensors[t].name),
                      "say in SpinOptions::patterns which spins they can have");
  }
  return allowed;
}

}  // namespace ricci::spin
