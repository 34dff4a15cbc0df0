#include "notation/bind_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "notation/bind_declaration.hpp"
#include "notation/bind_statement.hpp"
#include "notation/binding.hpp"
#include "notation/parser.hpp"

namespace ricci::notation {

namespace {

using syntax::Item;

class ProgramBinder {
 public:
  explicit ProgramBinder(Binding& binding) : binding_(binding) {}

  void bind_block(const std::vector<Item>& items, std::vector<ProgramStatement>& statements) {
    for (const Item& item : items) {
      std::visit([&](const auto& what) { bind(what, item, statements); }, item.what);
    }
  }

 private:
  using Statements = std::vector<ProgramStatement>;

  void bind(const syntax::Comment&, const Item&, Statements&) {}
  void bind(const syntax::Broken&, const Item&, Statements&) {}

  void bind(const syntax::SpaceDeclaration& space, const Item& item, Statements&) {
    check_outside(item);
    bind_space(binding_, space);
  }
  void bind(const syntax::IndexDeclaration& index, const Item& item, Statements&) {
    check_outside(item);
    bind_index(binding_, index);
  }
  void bind(const syntax::TensorDeclaration& tensor, const Item& item, Statements&) {
    check_outside(item);
    bind_tensor(binding_, tensor);
  }

  void bind(const syntax::Assignment& assignment, const Item&, Statements& statements) {
    statements.push_back(bind_assignment(binding_, assignment));
  }
  void bind(const syntax::Print& print, const Item& item, Statements& statements) {
    statements.push_back(bind_print(binding_, print));
    statements.back().place = item.where;
  }
  void bind(const syntax::Repeat& repeat, const Item& item, Statements& statements) {
    ProgramStatement statement;
    statement.kind = ProgramStatement::Kind::repeat;
    statement.place = item.where;
    ++depth_;
    bind_block(repeat.body, statement.body);
    --depth_;
    bind_repeat(binding_, repeat, statement);
    statements.push_back(std::move(statement));
  }

  void check_outside(const Item& item) {
    if (depth_ > 0) {
      binding_.diagnostics.error(item.where, "a declaration cannot stand in a loop", "move it above the loop");
    }
  }

  Binding& binding_;
  int depth_ = 0;
};

void report_outputs_never_set(Binding& binding) {
  for (std::size_t i = 0; i < binding.tensors.size(); ++i) {
    const ProgramTensor& tensor = binding.program.tensors[i];
    const KnownTensor& known = binding.tensors[i];
    if (tensor.role != Role::output || known.set || known.broken || binding.obscure.contains(tensor.name)) continue;
    binding.diagnostics.error(known.where, fmt::format("output `{}` is never set", tensor.name),
                              fmt::format("assign to it: {} = ...", binding.written(static_cast<int>(i))));
  }
}

void note_unused(Binding& binding) {
  for (const auto& [name, space] : binding.spaces) {
    if (!space.used) binding.diagnostics.note(space.where, fmt::format("space `{}` is not used", name));
  }
  for (std::size_t i = 0; i < binding.labels.size(); ++i) {
    if (binding.labels[i].used) continue;
    binding.diagnostics.note(binding.labels[i].where,
                             fmt::format("index `{}` is not used", binding.program.labels[i].name));
  }
  for (std::size_t i = 0; i < binding.tensors.size(); ++i) {
    const KnownTensor& known = binding.tensors[i];
    const ProgramTensor& tensor = binding.program.tensors[i];
    if (known.read || tensor.role == Role::output) continue;
    const char* const what = tensor.role == Role::input ? "input `{}` is not used"
                             : known.set                ? "`{}` is set, but not used"
                                                        : "`{}` is declared, but not used";
    binding.diagnostics.note(known.where, fmt::format(fmt::runtime(what), tensor.name));
  }
}

/// Sizes for spaces that the program does not have are mistakes of the caller, and stand nowhere in the program.
void check_sizes(const Binding& binding, const SpaceSizes& sizes) {
  for (const auto& [name, size] : sizes) {
    if (size < 0)
      throw InputError(fmt::format("the size {} was asked for space `{}`; sizes are 0 or more", size, name));
    if (binding.spaces.contains(name) || binding.obscure.contains(name)) continue;
    std::vector<std::string> names;
    for (const auto& [known, space] : binding.spaces) names.push_back(known);
    throw InputError(
        fmt::format("{}: there is no space `{}` to set; {}", binding.program.name, name,
                    names.empty() ? "the program has none" : fmt::format("give one of: {}", fmt::join(names, ", "))));
  }
}

}  // namespace

Program bind_program(const syntax::Program& tree, const std::string& name, const SpaceSizes& sizes,
                     Diagnostics& diagnostics) {
  Binding binding(tree, name, diagnostics);
  binding.overrides = sizes;
  std::vector<ProgramStatement> statements;
  ProgramBinder(binding).bind_block(tree.items, statements);
  check_sizes(binding, sizes);
  report_outputs_never_set(binding);
  note_unused(binding);
  binding.program.statements = std::move(statements);
  return std::move(binding.program);
}

ReadProgram read_program(const Source& source, const SpaceSizes& sizes) {
  Diagnostics diagnostics(source);
  const syntax::Program tree = parse_program(source, diagnostics);
  Program program = bind_program(tree, source.name(), sizes, diagnostics);
  diagnostics.throw_errors();
  return {std::move(program), diagnostics.notes()};
}

}  // namespace ricci::notation
