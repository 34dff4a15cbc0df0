#include <fmt/format.h>

#include <ricci/error.hpp>
#include <ricci/spin.hpp>

#include "notation/bind_program.hpp"
#include "notation/format_program.hpp"
#include "notation/parser.hpp"
#include "spin/find_blocks.hpp"
#include "spin/write_program.hpp"

namespace ricci {

namespace {

/// What is said of the parts of a space must be possible; that the program has the space is checked when it is bound.
notation::SpaceSizes sizes_of(const SpinOptions& options) {
  notation::SpaceSizes sizes;
  for (const auto& [name, space] : options.spaces) {
    if (space.alpha_extent < 0 || space.beta_extent < 0)
      throw InputError(fmt::format("space `{}` was given {} alpha and {} beta orbitals; sizes are 0 or more", name,
                                   space.alpha_extent, space.beta_extent));
    sizes[name] = space.alpha_extent + space.beta_extent;
  }
  return sizes;
}

std::vector<std::string> names_of_spaces(const notation::syntax::Program& tree) {
  std::vector<std::string> names;
  for (const auto& item : tree.items) {
    if (const auto* space = std::get_if<notation::syntax::SpaceDeclaration>(&item.what))
      names.push_back(space->name.text);
  }
  return names;
}

}  // namespace

std::string spin_integrated(std::string_view text, const std::string& name, const SpinOptions& options) {
  const notation::Source source(name, std::string(text));
  notation::Diagnostics diagnostics(source);
  const auto tree = notation::parse_program(source, diagnostics);
  const auto program = notation::bind_program(tree, name, sizes_of(options), diagnostics);
  diagnostics.throw_errors();
  const spin::SpinTensors spins = spin::find_spins(program, options, diagnostics);
  diagnostics.throw_errors();
  const spin::Blocks blocks = spin::find_blocks(spins, options, diagnostics);
  diagnostics.throw_errors();
  spin::SpinNames names(spins, options, blocks, names_of_spaces(tree));
  auto result = spin::write_program(tree, spins, blocks, names);
  const std::string comment = fmt::format(
      "# Made from {} by spin integration: in names of tensors a is alpha, b is beta; primed indices are beta.", name);
  if (!result.items.empty()) result.items[0].blank_before = true;
  result.items.insert(result.items.begin(), {.what = notation::syntax::Comment{comment}});
  return notation::format_program(result);
}

}  // namespace ricci
