#pragma once
// The options of every verb that takes a program of the language.
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <ricci/program.hpp>

#include "plan_options.hpp"

namespace cli {

struct ProgramArguments {
  std::string file, scratch, json, grid;
  std::vector<std::string> sizes;  // NAME=NUMBER
  int ranks = 0;
  bool analyze = false, keep_scratch = false;
  PlanOptions plan;
};

/// Reads the program, with the sizes that were given. InputError where those are none.
ricci::Program load(const ProgramArguments& arguments);

/// FILE, --set and those of all that plan.
void add_program_options(CLI::App& verb, ProgramArguments& arguments);
/// Where scratch files go, --json and --no-progress, for verbs that run it.
void add_scratch_options(CLI::App& verb, ProgramArguments& arguments);
/// --ranks and --grid, which are returned, for verbs that plan without running.
std::vector<CLI::Option*> add_target_options(CLI::App& verb, ProgramArguments& arguments);
/// As those say.
ricci::PlannedProgram plan_for_target(const ricci::World& world, const ProgramArguments& arguments);

}  // namespace cli
