#pragma once
// The verbs of the program. Each lives in a file of its own, adds itself to the parser, and says what is to run.
#include <functional>

#include <CLI/CLI.hpp>

#include <ricci/world.hpp>

namespace cli {

/// What a verb does, on every rank.
using Action = std::function<void(ricci::World&)>;

/// The command line while verbs are added to it; the verb that is given sets `action`.
struct CommandLine {
  CLI::App& app;
  Action& action;
  char** arguments;  // as the program was started, for a verb that has to start it again
};

void add_einsum(const CommandLine& line);
void add_machine(const CommandLine& line);
void add_bench(const CommandLine& line);
void add_fmt(const CommandLine& line);
void add_run(const CommandLine& line);
void add_explain(const CommandLine& line);
void add_compile(const CommandLine& line);
void add_cc(const CommandLine& line);

}  // namespace cli
