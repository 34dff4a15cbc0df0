// ricci run and ricci explain: programs of the language.
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include <ricci/ricci.hpp>

#include "plan_options.hpp"
#include "verbs.hpp"

namespace cli {
namespace {

struct ProgramArguments {
  std::string file, scratch, machine;
  std::vector<std::string> sizes;  // NAME=NUMBER
  int ranks = 0;
  bool analyze = false, keep_scratch = false;
  PlanOptions plan;
};

ricci::Program load(const ProgramArguments& arguments) {
  ricci::ProgramOptions options;
  for (const std::string& size : arguments.sizes) {
    const auto equals = size.find('=');
    const std::string number = equals == std::string::npos ? "" : size.substr(equals + 1);
    if (number.empty() || number.size() > 18 || number.find_first_not_of("0123456789") != std::string::npos)
      throw ricci::InputError(fmt::format("--set {}: write NAME=NUMBER, such as n=40", size));
    options.spaces[size.substr(0, equals)] = std::stoll(number);
  }
  return ricci::Program::load(arguments.file, options);
}

ricci::ProgramRunOptions run_options(const ricci::World& world, const ProgramArguments& arguments) {
  ricci::ProgramRunOptions options{.scratch = arguments.scratch, .keep_scratch = arguments.keep_scratch};
  if (world.rank() != 0 || arguments.plan.quiet) return options;
  options.events.print = [](const std::string& text, std::complex<double> value) {
    if (value.imag() == 0)
      fmt::print("{} = {:.15g}\n", text, value.real());
    else
      fmt::print("{} = ({:.15g}, {:.15g})\n", text, value.real(), value.imag());
    std::fflush(stdout);
  };
  options.events.output = [](const std::string& name, const std::string& description, double norm) {
    fmt::print("{}: {}, norm {:.15g}\n", name, description, norm);
  };
  return options;
}

void run(ricci::World& world, const ProgramArguments& arguments) {
  world.set_options(arguments.plan.to_options());
  const auto program = load(arguments);
  const auto plan = ricci::plan(program, world, world.options());
  const bool speak = arguments.plan.verbose && world.rank() == 0;
  if (speak) std::cerr << plan;
  const auto report = plan.run(world, run_options(world, arguments));
  if (speak) std::cerr << report;
}

void explain(ricci::World& world, const ProgramArguments& arguments) {
  world.set_options(arguments.plan.to_options());
  const auto program = load(arguments);
  const auto machine = arguments.machine.empty() ? ricci::MachineModel::load_default()
                                                 : ricci::MachineModel::load(arguments.machine);
  const int ranks = arguments.ranks > 0 ? arguments.ranks : world.size();
  const auto plan = ricci::plan(program, ranks, machine, world.options());
  if (world.rank() == 0) std::cout << plan;
  if (!arguments.analyze) return;
  const auto report = plan.run(world, run_options(world, arguments));
  if (world.rank() == 0) std::cout << report;
}

void add_program_options(CLI::App& verb, ProgramArguments& arguments) {
  verb.add_option("FILE", arguments.file, "a program, such as matmul.ric")->required();
  verb.add_option("--set", arguments.sizes, "another size for a space of the program: n=40")->type_name("NAME=NUMBER");
  verb.add_option("--scratch", arguments.scratch, "where scratch directories are made; else $TMPDIR, else here")
      ->type_name("DIR");
  verb.add_flag("--keep-scratch", arguments.keep_scratch, "leave the scratch directory when the program has ended");
  add_plan_options(verb, arguments.plan);
}

}  // namespace

void add_run(const CommandLine& line) {
  auto arguments = std::make_shared<ProgramArguments>();
  auto* const verb = line.app.add_subcommand("run", "Plans and runs a program (.ric).");
  add_program_options(*verb, *arguments);
  verb->footer(
      "Prints each printed value and, for each output, its norm.\n"
      "Examples:\n"
      "  ricci run ccd.ric\n"
      "  ricci run ao_to_mo.ric --set n=60 --memory 100MB --scratch /scratch");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { run(world, *arguments); }; });
}

void add_explain(const CommandLine& line) {
  auto arguments = std::make_shared<ProgramArguments>();
  auto* const verb = line.app.add_subcommand("explain", "Prints what a program (.ric) would do; runs nothing.");
  add_program_options(*verb, *arguments);
  auto* const analyze = verb->add_flag("--analyze", arguments->analyze, "run it, and print what that took");
  verb->add_option("--ranks", arguments->ranks, "plan for so many ranks")
      ->check(CLI::PositiveNumber)
      ->excludes(analyze)
      ->type_name("P");
  verb->add_option("--machine", arguments->machine, "plan for the machine of this file")->type_name("FILE");
  verb->footer(
      "Examples:\n"
      "  ricci explain ao_to_mo.ric --memory 100MB\n"
      "  ricci explain ccd.ric --ranks 1024 --machine bgq.json");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { explain(world, *arguments); }; });
}

}  // namespace cli
