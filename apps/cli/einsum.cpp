// ricci einsum: one contraction on files.
#include <complex>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/ricci.hpp>

#include "einsum_spec.hpp"
#include "plan_options.hpp"
#include "verbs.hpp"

namespace cli {
namespace {

struct EinsumArguments {
  std::string spec;
  std::vector<std::string> operands;
  std::string output;
  PlanOptions plan;
};

template <class T>
ricci::Expression product_of(const std::vector<ricci::Tensor<T>>& tensors, const EinsumSpec& spec) {
  ricci::Expression product = tensors[0][spec.operands[0]];
  for (std::size_t i = 1; i < tensors.size(); ++i) product = product * tensors[i][spec.operands[i]];
  return product;
}

template <class T>
void print_result(const ricci::Tensor<T>& result, const EinsumArguments& arguments, const std::string& element_type) {
  const double norm = result.norm2();
  const auto value = result.order() == 0 ? result.gather() : std::vector<T>();
  if (result.world().rank() != 0 || arguments.plan.quiet) return;
  if (!arguments.output.empty()) fmt::print("{}: ", arguments.output);
  if (value.empty()) {
    fmt::print("{} {}, norm {:.15g}\n", element_type, fmt::streamed(result.extents()), norm);
  } else {
    fmt::print("{} scalar, value {}, norm {:.15g}\n", element_type, fmt::streamed(value[0]), norm);
  }
}

template <class T>
void contract(const ricci::World& world, const EinsumSpec& spec, const std::vector<EinsumOperand>& operands,
              const EinsumArguments& arguments) {
  const auto extents = check_einsum(spec, operands);
  std::vector<ricci::Tensor<T>> tensors;
  for (const auto& operand : operands) {
    tensors.emplace_back(world, operand.info.extents, operand.info.symmetry);
  }
  const ricci::Tensor<T> result(world, extents);
  // What does not fit is refused before anything is read.
  const auto decided = ricci::plan(result[spec.output].assign(product_of(tensors, spec)), world.options());
  for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].load(operands[i].where);
  const bool speak = arguments.plan.verbose && world.rank() == 0;
  if (speak) std::cerr << decided << '\n';
  const auto report = decided.run();
  if (speak) std::cerr << report << '\n';
  if (!arguments.output.empty()) result.save(arguments.output);
  print_result(result, arguments, operands[0].info.element_type);
}

void einsum(ricci::World& world, const EinsumArguments& arguments) {
  world.set_options(arguments.plan.to_options());
  const auto spec = parse_einsum(arguments.spec);
  std::vector<EinsumOperand> operands;
  for (const auto& where : arguments.operands) operands.push_back({where, ricci::inspect(where)});
  const auto& type = operands[0].info.element_type;
  if (type == "float") return contract<float>(world, spec, operands, arguments);
  if (type == "double") return contract<double>(world, spec, operands, arguments);
  if (type == "complex<float>") return contract<std::complex<float>>(world, spec, operands, arguments);
  return contract<std::complex<double>>(world, spec, operands, arguments);
}

}  // namespace

void add_einsum(const CommandLine& line) {
  auto arguments = std::make_shared<EinsumArguments>();
  auto* const verb = line.app.add_subcommand("einsum", "One contraction on files: NumPy's .npy, or datasets of HDF5.");
  verb->add_option("LABELS", arguments->spec, "'ab,bc->ac'; without the arrow, the labels that stand once")->required();
  verb->add_option("FILES", arguments->operands, "one for each operand: A.npy, or A.h5:/name")->required();
  verb->add_option("-o,--output", arguments->output,
                   "where the result goes: C.npy, or C.h5:/name; else only its norm is printed")
      ->type_name("FILE");
  add_plan_options(*verb, arguments->plan);
  verb->footer(
      "Examples:\n"
      "  ricci einsum 'ab,bc->ac' A.npy B.npy -o C.npy\n"
      "  ricci einsum 'pqrs,pa,qb->abrs' eri.h5:/ao C.npy C.npy -o half.h5:/mo --memory 2GB\n"
      "  ricci einsum 'ii->' A.npy                # the trace\n"
      "Operands have one element type: float, double, complex of float, or complex of double.");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { einsum(world, *arguments); }; });
}

}  // namespace cli
