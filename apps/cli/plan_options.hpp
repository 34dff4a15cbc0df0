#pragma once
// The options of every verb that plans.
#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include <ricci/options.hpp>

namespace cli {

struct PlanOptions {
  std::string memory, machine;
  int threads = 0;
  bool verbose = false;
  bool quiet = false;
  bool no_progress = false;

  /// What the environment sets, overridden by the command line.
  ricci::Options to_options() const;
};

void add_plan_options(CLI::App& verb, PlanOptions& options);

}  // namespace cli
