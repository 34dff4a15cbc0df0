#include "program_arguments.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include <ricci/ricci.hpp>

namespace cli {

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

void add_program_options(CLI::App& verb, ProgramArguments& arguments) {
  verb.add_option("FILE", arguments.file, "a program, such as matmul.ric")->required();
  verb.add_option("--set", arguments.sizes, "another size for a space of the program: n=40")->type_name("NAME=NUMBER");
  add_plan_options(verb, arguments.plan);
}

void add_scratch_options(CLI::App& verb, ProgramArguments& arguments) {
  verb.add_option("--scratch", arguments.scratch, "where scratch directories are made; else $TMPDIR, else here")
      ->type_name("DIR");
  verb.add_flag("--keep-scratch", arguments.keep_scratch, "leave the scratch directory when the program has ended");
  verb.add_option("--json", arguments.json, "write the plan, and what a run took, to this file")->type_name("FILE");
  verb.add_flag("--no-progress", arguments.plan.no_progress, "do not tell how far a long run has got");
}

std::vector<CLI::Option*> add_target_options(CLI::App& verb, ProgramArguments& arguments) {
  CLI::Option* const ranks =
      verb.add_option("--ranks", arguments.ranks, "plan for so many ranks")->check(CLI::PositiveNumber)->type_name("P");
  CLI::Option* const grid =
      verb.add_option("--grid", arguments.grid,
                      "plan for a machine whose ranks form such a grid: 4x4x2; of a torus, with so many dimensions")
          ->excludes(ranks)
          ->type_name("GRID");
  return {ranks, grid};
}

namespace {

/// `4x4x2`: how many ranks that are.
int ranks_of_grid(const std::string& grid) {
  std::int64_t ranks = 1;
  std::istringstream parts(grid + "x");
  for (std::string part; std::getline(parts, part, 'x');) {
    const bool is_number =
        !part.empty() && part.size() <= 6 && part.find_first_not_of("0123456789") == std::string::npos;
    ranks *= is_number ? std::stoll(part) : 0;
    if (ranks < 1 || ranks > 1'000'000'000)
      throw ricci::InputError(fmt::format("--grid {}: write numbers of ranks, such as 4x4x2", grid));
  }
  return static_cast<int>(ranks);
}

}  // namespace

ricci::PlannedProgram plan_for_target(const ricci::World& world, const ProgramArguments& arguments) {
  const auto program = load(arguments);
  auto machine = ricci::MachineModel::load_default();
  int ranks = arguments.ranks > 0 ? arguments.ranks : world.size();
  if (!arguments.grid.empty()) {
    ranks = ranks_of_grid(arguments.grid);
    if (machine.torus_dimensions > 0)
      machine.torus_dimensions = 1 + static_cast<int>(std::count(arguments.grid.begin(), arguments.grid.end(), 'x'));
  }
  return ricci::plan(program, ranks, machine, world.options());
}

}  // namespace cli
