#include "notation/binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "notation/nearest_name.hpp"

namespace ricci::notation {

namespace {

template <class Known>
std::vector<std::string> names_of(const std::map<std::string, Known>& known) {
  std::vector<std::string> names;
  for (const auto& [name, value] : known) names.push_back(name);
  return names;
}

/// What to do about a name that is not known: `otherwise` where it is like none, and comes nowhere later.
std::string advice(const syntax::Name& name, const std::vector<std::string>& known,
                   const std::map<std::string, int>& lines, const std::string& otherwise) {
  if (const auto later = lines.find(name.text); later != lines.end() && later->second > name.where.line) {
    return fmt::format("it comes only on line {}; that must stand before its first use", later->second);
  }
  const std::string near = nearest_name(name.text, known);
  return near.empty() ? otherwise : fmt::format("did you mean `{}`?", near);
}

}  // namespace

Binding::Binding(const syntax::Program& tree, std::string name, Diagnostics& reports) : diagnostics(reports) {
  program.name = std::move(name);
  look_ahead(tree.items);
}

void Binding::look_ahead(const std::vector<syntax::Item>& items) {
  for (const syntax::Item& item : items) {
    if (const auto* space = std::get_if<syntax::SpaceDeclaration>(&item.what)) {
      space_lines.try_emplace(space->name.text, item.where.line);
    } else if (const auto* index = std::get_if<syntax::IndexDeclaration>(&item.what)) {
      for (const auto& label : index->names) label_lines.try_emplace(label.text, item.where.line);
    } else if (const auto* tensor = std::get_if<syntax::TensorDeclaration>(&item.what)) {
      tensor_lines.try_emplace(tensor->name.text, item.where.line);
    } else if (const auto* assignment = std::get_if<syntax::Assignment>(&item.what)) {
      tensor_lines.try_emplace(assignment->target.name.text, item.where.line);
    } else if (const auto* repeat = std::get_if<syntax::Repeat>(&item.what)) {
      look_ahead(repeat->body);
    } else if (const auto* broken = std::get_if<syntax::Broken>(&item.what)) {
      obscure.insert(broken->names.begin(), broken->names.end());
    }
  }
}

KnownSpace* Binding::find_space(const syntax::Name& name) {
  const auto found = spaces.find(name.text);
  if (found != spaces.end()) {
    found->second.used = true;
    return &found->second;
  }
  if (!obscure.contains(name.text)) {
    diagnostics.error(name.where, fmt::format("unknown space `{}`", name.text),
                      advice(name, names_of(spaces), space_lines, fmt::format("declare it: space {} = 80", name.text)));
  }
  return nullptr;
}

int Binding::find_label(const syntax::Name& name) {
  const auto found = label_numbers.find(name.text);
  if (found != label_numbers.end()) {
    labels[found->second].used = true;
    return found->second;
  }
  if (!obscure.contains(name.text)) {
    diagnostics.error(
        name.where, fmt::format("unknown index `{}`", name.text),
        advice(name, names_of(label_numbers), label_lines, fmt::format("declare it: index {} : SPACE", name.text)));
  }
  return -1;
}

std::vector<int> Binding::find_labels(const std::vector<syntax::Name>& names) {
  std::vector<int> numbers;
  for (const syntax::Name& name : names) numbers.push_back(find_label(name));
  return numbers;
}

int Binding::find_tensor(const syntax::Name& name) {
  const auto found = tensor_numbers.find(name.text);
  if (found != tensor_numbers.end()) return found->second;
  if (!obscure.contains(name.text)) {
    diagnostics.error(
        name.where, fmt::format("unknown tensor `{}`", name.text),
        advice(name, names_of(tensor_numbers), tensor_lines, "declare it as an input, or assign to it before"));
  }
  return -1;
}

int Binding::find_set_tensor(const syntax::Name& name) {
  const int number = find_tensor(name);
  if (number < 0) return number;
  KnownTensor& known = tensors[number];
  known.read = true;
  if (!known.set && !known.broken && !obscure.contains(name.text)) {
    diagnostics.error(name.where, fmt::format("`{}` is used before it is set", name.text),
                      "assign to it on a line above; in a loop, that line must come before, or stand above the loop");
    known.set = true;  // once is enough
  }
  return number;
}

int Binding::add_label(ProgramLabel label, KnownLabel known) {
  const int number = static_cast<int>(labels.size());
  label_numbers.emplace(label.name, number);
  program.labels.push_back(std::move(label));
  labels.push_back(known);
  return number;
}

int Binding::add_tensor(ProgramTensor tensor, KnownTensor known) {
  const int number = static_cast<int>(tensors.size());
  tensor_numbers.emplace(tensor.name, number);
  program.tensors.push_back(std::move(tensor));
  tensors.push_back(known);
  return number;
}

bool Binding::labels_fit(int tensor, const std::vector<syntax::Name>& names, const std::vector<int>& numbers,
                         Where where) {
  if (tensors[tensor].broken) return false;
  const ProgramTensor& declared = program.tensors[tensor];
  const std::size_t order = declared.labels.size();
  if (names.size() != order) {
    const std::string given = names.empty()
                                  ? "no index is given"
                                  : fmt::format("{} {} given", names.size(), names.size() == 1 ? "is" : "are");
    const std::string taken = order == 0 ? "no index" : order == 1 ? "1 index" : fmt::format("{} indices", order);
    diagnostics.error(where, fmt::format("`{}` takes {}, but {}", declared.name, taken, given), declaration_of(tensor));
    return false;
  }
  bool fit = true;
  for (std::size_t mode = 0; mode < order; ++mode) {
    if (numbers[mode] < 0 || labels[numbers[mode]].broken) {
      fit = false;
      continue;
    }
    const ProgramLabel& used = program.labels[numbers[mode]];
    const ProgramLabel& meant = program.labels[declared.labels[mode]];
    if (used.extent != meant.extent) {
      fit = false;
      diagnostics.error(names[mode].where,
                        fmt::format("index `{}` of extent {} stands for `{}` of `{}`, whose extent is {}", used.name,
                                    used.extent, meant.name, written(tensor), meant.extent),
                        declaration_of(tensor));
    } else if (used.space != meant.space && !used.space.empty() && !meant.space.empty()) {
      diagnostics.note(names[mode].where,
                       fmt::format("index `{}` of space {} stands for `{}` of space {}; both are {} now", used.name,
                                   used.space, meant.name, meant.space, used.extent));
    }
  }
  return fit;
}

std::string Binding::written(int tensor) const {
  const ProgramTensor& declared = program.tensors[tensor];
  std::vector<std::string> names;
  for (const int label : declared.labels) names.push_back(program.labels[label].name);
  return names.empty() ? declared.name : fmt::format("{}[{}]", declared.name, fmt::join(names, ","));
}

std::string Binding::declaration_of(int tensor) const {
  const KnownTensor& known = tensors[tensor];
  return fmt::format("`{}` is {} on line {}", written(tensor), known.declared ? "declared" : "first set",
                     known.where.line);
}

}  // namespace ricci::notation
