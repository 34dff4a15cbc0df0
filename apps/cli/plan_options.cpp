#include "plan_options.hpp"

#include <cstdlib>

namespace cli {
ricci::Options PlanOptions::to_options() const {
  auto options = ricci::Options::from_environment();
  if (!memory.empty()) options.memory_limit = ricci::parse_bytes(memory, "--memory");
  if (threads > 0) options.threads = threads;
  return options;
}

void add_plan_options(CLI::App& verb, PlanOptions& options) {
  verb.add_option("--memory", options.memory, "what one rank may use: 100MB (10^6), 2GiB (2^30)")->type_name("SIZE");
  verb.add_option("--threads", options.threads, "threads of one rank")->check(CLI::PositiveNumber)->type_name("N");
  // Worlds look for the variable when they are made.
  verb.add_option("--machine", options.machine, "plan with this machine file; else $RICCI_MACHINE, else the usual one")
      ->each([](const std::string& file) { ::setenv("RICCI_MACHINE", file.c_str(), 1); })
      ->type_name("FILE");
  auto* const verbose = verb.add_flag("-v,--verbose", options.verbose, "print the plan, and what it took");
  verb.add_flag("--quiet", options.quiet, "print nothing but errors")->excludes(verbose);
}

}  // namespace cli
