#include "spin/write_declarations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "notation/parse_declaration.hpp"
#include "spin/write_terms.hpp"

namespace ricci::spin {

using notation::syntax::Attribute;
using notation::syntax::Expression;
using notation::syntax::IndexDeclaration;
using notation::syntax::Item;
using notation::syntax::Name;
using notation::syntax::SpaceDeclaration;
using notation::syntax::TensorDeclaration;

namespace {

/// Blocks need sequences of random numbers of their own.
constexpr std::uint64_t seed_step = 1'000'003;

/// `A.h5:/T` for a block: `A.h5:/T_abab`; `A.npy`: `A_abab.npy`.
std::string block_file(const std::string& file, const std::string& spins) {
  const std::string_view ending = ".npy";
  if (file.ends_with(ending)) return fmt::format("{}_{}.npy", file.substr(0, file.size() - ending.size()), spins);
  return fmt::format("{}_{}", file, spins);
}

int find(const notation::Program& program, const std::string& name) {
  const auto found = std::ranges::find(program.tensors, name, &notation::ProgramTensor::name);
  return static_cast<int>(found - program.tensors.begin());
}

}  // namespace

std::vector<Item> DeclarationWriter::tensors(const Item& item, const std::vector<SavedBlock>& saved) const {
  const auto* tensor = std::get_if<TensorDeclaration>(&item.what);
  if (!tensor) return {};
  const int number = find(*spins_.program, tensor->name.text);
  if (!spins_.has_spin(number)) return {item};
  std::vector<Item> items;
  for (const Pattern& block : blocks_.of_tensor[number]) {
    items.push_back({.what = block_of(*tensor, number, block)});
    for (const SavedBlock& other : saved) {
      if (other.tensor != number || other.block != block) continue;
      TensorDeclaration copy = block_of(*tensor, number, block);
      copy.role = notation::Role::temporary;
      copy.name.text = other.name;
      copy.file.clear();
      items.push_back({.what = std::move(copy)});
    }
  }
  if (!items.empty()) items[0].comment = item.comment;
  return items;
}

TensorDeclaration DeclarationWriter::block_of(const TensorDeclaration& tensor, int number, const Pattern& block) const {
  TensorDeclaration result = tensor;
  result.name.text = block_name(spins_, number, block);
  result.labels = names_.declared_labels(number, block);
  result.attributes = attributes(tensor, block, result.labels);
  if (!tensor.file.empty()) result.file = block_file(tensor.file, letters(block));
  if (tensor.origin == notation::Origin::random) {
    const auto all = canonical_patterns(spins_, number);
    const auto place = static_cast<std::uint64_t>(std::ranges::find(all, block) - all.begin());
    result.seed = fmt::format("{}", spins_.program->tensors[number].seed + seed_step * place);
  }
  return result;
}

/// Of a group over spin orbitals each spin keeps the symmetry of its own modes.
std::vector<Attribute> DeclarationWriter::attributes(const TensorDeclaration& tensor, const Pattern& block,
                                                     const std::vector<Name>& labels) const {
  std::vector<Attribute> result;
  for (const Attribute& attribute : tensor.attributes) {
    if (!notation::is_symmetry(attribute.kind)) {
      result.push_back(attribute);
      continue;
    }
    for (const char spin : {'.', 'a', 'b'}) {
      Attribute part{.kind = attribute.kind};
      for (const Name& name : attribute.labels) {
        const auto mode = std::ranges::find(tensor.labels, name.text, &Name::text) - tensor.labels.begin();
        if (block[static_cast<std::size_t>(mode)] == spin)
          part.labels.push_back(labels[static_cast<std::size_t>(mode)]);
      }
      if (part.labels.size() > 1) result.push_back(std::move(part));
    }
  }
  return result;
}

std::vector<Item> DeclarationWriter::spaces_and_indices(const Item& item) const {
  if (const auto* index = std::get_if<IndexDeclaration>(&item.what)) {
    std::vector<Item> items = indices(*index);
    if (!items.empty()) items[0].comment = item.comment;
    return items;
  }
  const auto* space = std::get_if<SpaceDeclaration>(&item.what);
  if (!space) return {};
  if (!names_.is_split(space->name.text))
    return {{.what = SpaceDeclaration{space->name, size(space->value)}, .comment = item.comment}};
  const SpinSpace& parts = names_.space(space->name.text);
  const auto declared = [](const std::string& name, std::int64_t extent) {
    Expression value{.kind = Expression::Kind::number};
    value.name.text = fmt::format("{}", extent);
    return SpaceDeclaration{{name}, std::move(value)};
  };
  return {{.what = declared(parts.alpha, parts.alpha_extent), .comment = item.comment},
          {.what = declared(parts.beta, parts.beta_extent)}};
}

std::vector<Item> DeclarationWriter::indices(const IndexDeclaration& index) const {
  const bool is_split = index.range.kind == Expression::Kind::tensor && names_.is_split(index.range.name.text);
  if (!is_split) return {{.what = IndexDeclaration{index.names, size(index.range)}}};
  const SpinSpace& parts = names_.space(index.range.name.text);
  std::vector<Item> items;
  for (const char spin : {'a', 'b'}) {
    IndexDeclaration part{{}, tensor_expression(spin == 'a' ? parts.alpha : parts.beta, {})};
    for (const Name& name : index.names) {
      const auto& labels = spins_.program->labels;
      const auto number = std::ranges::find(labels, name.text, &notation::ProgramLabel::name) - labels.begin();
      const int label = spin_label(static_cast<int>(number), spin);
      if (names_.is_used(label)) part.names.push_back(names_.label(label));
    }
    if (!part.names.empty()) items.push_back({.what = std::move(part)});
  }
  return items;
}

Expression DeclarationWriter::size(const Expression& expression) const {
  if (expression.kind == Expression::Kind::tensor && names_.is_split(expression.name.text)) {
    const SpinSpace& parts = names_.space(expression.name.text);
    return sum_expression({{tensor_expression(parts.alpha, {})}, {tensor_expression(parts.beta, {})}});
  }
  Expression result = expression;
  for (Expression& operand : result.operands) {
    const char join = operand.join;
    operand = size(operand);
    operand.join = join;
  }
  return result;
}

}  // namespace ricci::spin
