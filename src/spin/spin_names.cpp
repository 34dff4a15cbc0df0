#include "spin/spin_names.hpp"

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::spin {

using notation::syntax::Name;

namespace {

void take(std::set<std::string>& names, const std::string& name, const std::string& what) {
  if (names.insert(name).second) return;
  throw InputError(
      fmt::format("{} would be called `{}`, which is taken: give one of the two another name", what, name));
}

}  // namespace

SpinNames::SpinNames(const SpinTensors& spins, const SpinOptions& options, const Blocks& blocks,
                     const std::vector<std::string>& spaces)
    : spins_(spins), spaces_(options.spaces) {
  std::set<std::string> taken(spaces.begin(), spaces.end());
  for (auto& [name, space] : spaces_) {
    if (space.alpha.empty()) space.alpha = name + "_a";
    if (space.beta.empty()) space.beta = name + "_b";
    take(taken, space.alpha, fmt::format("the alpha part of space `{}`", name));
    take(taken, space.beta, fmt::format("the beta part of space `{}`", name));
  }
  std::set<std::string> labels;
  for (const auto& label : spins.program->labels) labels.insert(label.name);
  for (const auto& label : spins.program->labels) {
    std::string name = label.name + "'";
    while (!labels.insert(name).second) name += "'";
    beta_names_.push_back(name);
  }
  for (const auto& tensor : spins.program->tensors) tensor_names_.insert(tensor.name);
  for (std::size_t t = 0; t < blocks.of_tensor.size(); ++t) {
    const int tensor = static_cast<int>(t);
    if (!spins.has_spin(tensor)) continue;
    for (const Pattern& block : blocks.of_tensor[t])
      take(tensor_names_, block_name(spins, tensor, block),
           fmt::format("a block of tensor `{}`", spins.program->tensors[t].name));
  }
}

Name SpinNames::label(int spin_label) {
  used_.insert(spin_label);
  const int label = label_of(spin_label);
  return {is_beta(spin_label) ? beta_names_[label] : spins_.program->labels[label].name};
}

std::vector<Name> SpinNames::labels(const std::vector<int>& spin_labels) {
  std::vector<Name> names;
  for (const int label : spin_labels) names.push_back(this->label(label));
  return names;
}

std::vector<Name> SpinNames::declared_labels(int tensor, const Pattern& block) {
  std::vector<Name> names;
  const auto& labels = spins_.program->tensors[tensor].labels;
  for (std::size_t m = 0; m < labels.size(); ++m) names.push_back(label(spin_label(labels[m], block[m])));
  return names;
}

std::string SpinNames::new_tensor(std::string wish) {
  while (!tensor_names_.insert(wish).second) wish += '_';
  return wish;
}

}  // namespace ricci::spin
