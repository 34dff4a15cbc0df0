#include "store/algebra.hpp"

#include <cmath>
#include <complex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/expression.hpp>

namespace cc {
namespace {

std::string all_modes(const Held& tensor) { return std::string("abcdefghijklmnop").substr(0, tensor.extents().size()); }

/// The text of a program on tensors of one shape, and those tensors.
class Alike {
 public:
  explicit Alike(const Held& model) : model_(model) {
    for (std::size_t mode = 0; mode < model.extents().size(); ++mode) {
      labels_.push_back(fmt::format("x{}", mode));
      text_ += fmt::format("index x{} : {}\n", mode, model.extents()[mode]);
    }
  }

  void declare(const std::string& role, const std::string& name, const std::string& origin = "given") {
    text_ += fmt::format("{} {}\n", declaration(role, name, labels_, model_.symmetry()), origin);
  }
  void declare(const std::string& role, const std::string& name, Held& tensor) {
    declare(role, name);
    given_.emplace(name, tensor.given());
  }
  std::string at(const std::string& name) const { return fmt::format("{}[{}]", name, fmt::join(labels_, ",")); }
  void add(const std::string& statement) { statements_ += statement + '\n'; }

  std::map<std::string, double> run(const Store& store) const {
    std::map<std::string, double> printed;
    const auto program = ricci::Program::parse(text_ + statements_, "tensors");
    const auto planned = ricci::plan(program, store.world(), store.plan_options(), given_);
    ricci::ProgramRunOptions how{.tensors = given_, .scratch = store.scratch()};
    how.events.print = [&](const std::string& text, std::complex<double> value) { printed[text] = value.real(); };
    planned.run(store.world(), how);
    return printed;
  }

 private:
  const Held& model_;
  std::vector<std::string> labels_;
  std::string text_, statements_;
  ricci::GivenTensors given_;
};

}  // namespace

std::string declaration(const std::string& role, const std::string& name, const std::vector<std::string>& labels,
                        const ricci::Symmetry& symmetry) {
  std::string text = fmt::format("{} {}[{}]", role, name, fmt::join(labels, ","));
  for (const ricci::SymmetryGroup& group : symmetry.groups()) {
    std::vector<std::string> of;
    for (const int mode : group.modes) of.push_back(labels[static_cast<std::size_t>(mode)]);
    const char* const kind = group.kind == ricci::SymmetryKind::antisymmetric ? "antisymmetric"
                             : group.kind == ricci::SymmetryKind::hollow      ? "hollow"
                                                                              : "symmetric";
    text += fmt::format(" {}({})", kind, fmt::join(of, ","));
  }
  return text;
}

void assign_sum(const Store& store, Held& out, const std::vector<Scaled>& terms) {
  if (!out.is_on_disk()) {
    // Term by term: as fast as at once, and only two plans for any number of terms.
    const std::string modes = all_modes(out);
    for (std::size_t n = 0; n < terms.size(); ++n) {
      const ricci::Expression term = terms[n].factor * terms[n].tensor->in_memory()[modes];
      if (n == 0)
        out.in_memory()[modes] = term;
      else
        out.in_memory()[modes] += term;
    }
    return;
  }
  Alike program(out);
  program.declare("output", "S", out);
  std::string sum;
  for (std::size_t n = 0; n < terms.size(); ++n) {
    const std::string name = fmt::format("X{}", n);
    program.declare("input", name, *terms[n].tensor);
    sum += fmt::format("{} {:.17g} * {}",
                       terms[n].factor < 0 ? " -"
                       : n == 0            ? ""
                                           : " +",
                       std::abs(terms[n].factor), program.at(name));
  }
  program.add(program.at("S") + " = " + sum);
  program.run(store);
}

std::vector<double> dots(const Store& store, Held& one, const std::vector<Held*>& others) {
  std::vector<double> result;
  if (!one.is_on_disk()) {
    for (const Held* other : others) result.push_back(one.in_memory().dot(other->in_memory()));
    return result;
  }
  Alike program(one);
  program.declare("input", "A", one);
  for (std::size_t n = 0; n < others.size(); ++n) {
    if (others[n] != &one) program.declare("input", fmt::format("X{}", n), *others[n]);
    program.add(fmt::format("d{} = {} * {}\nprint d{}", n, program.at("A"),
                            program.at(others[n] == &one ? "A" : fmt::format("X{}", n)), n));
  }
  const std::map<std::string, double> printed = program.run(store);
  for (std::size_t n = 0; n < others.size(); ++n) result.push_back(printed.at(fmt::format("d{}", n)));
  return result;
}

void load(const Store& store, Held& out, const std::string& where) {
  if (!out.is_on_disk()) {
    out.in_memory().load(where);
    return;
  }
  Alike program(out);
  program.declare("output", "S", out);
  program.declare("input", "X", fmt::format("from \"{}\"", where));
  program.add(program.at("S") + " = " + program.at("X"));
  program.run(store);
}

}  // namespace cc
