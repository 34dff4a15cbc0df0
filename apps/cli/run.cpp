// ricci run and ricci explain: programs of the language.
#include <fstream>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/ricci.hpp>

#include "program_arguments.hpp"
#include "progress_bar.hpp"
#include "verbs.hpp"

namespace cli {
namespace {

ricci::ProgramRunOptions run_options(const ricci::World& world, const ProgramArguments& arguments) {
  ricci::ProgramRunOptions options{.scratch = arguments.scratch, .keep_scratch = arguments.keep_scratch};
  if (world.rank() != 0 || arguments.plan.quiet) return options;
  const auto bar = std::make_shared<ProgressBar>();
  if (!arguments.plan.no_progress) options.events.progress = [bar](double done) { bar->show(done); };
  options.events.print = [bar](const std::string& text, std::complex<double> value) {
    bar->clear();
    if (value.imag() == 0)
      fmt::print("{} = {:.15g}\n", text, value.real());
    else
      fmt::print("{} = ({:.15g}, {:.15g})\n", text, value.real(), value.imag());
    std::fflush(stdout);
  };
  options.events.output = [bar](const std::string& name, const std::string& description, double norm) {
    bar->clear();
    fmt::print("{}: {}, norm {:.15g}\n", name, description, norm);
  };
  return options;
}

/// The plan and, after a run, what rank 0 has measured. Rank 0 writes, as the last thing that it does: nobody waits for
/// it.
void write_json(const ricci::World& world, const std::string& path, const ricci::PlannedProgram& plan,
                const ricci::ProgramReport* report) {
  if (path.empty() || world.rank() != 0) return;
  nlohmann::ordered_json json{{"plan", nlohmann::ordered_json::parse(plan.json())}};
  if (report != nullptr) {
    json["report"] = {{"seconds", report->seconds},
                      {"predicted_seconds", report->predicted_seconds},
                      {"disk_read_bytes", report->disk_read_bytes},
                      {"predicted_read_bytes", report->predicted_read_bytes},
                      {"disk_written_bytes", report->disk_written_bytes},
                      {"predicted_written_bytes", report->predicted_written_bytes}};
  }
  std::ofstream out(path);
  out << json.dump(2) << '\n';
  if (!out.flush()) throw ricci::InputError(fmt::format("--json {}: cannot be written", path));
}

void run(ricci::World& world, const ProgramArguments& arguments) {
  world.set_options(arguments.plan.to_options());
  const auto program = load(arguments);
  const auto plan = ricci::plan(program, world, world.options());
  const bool speak = arguments.plan.verbose && world.rank() == 0;
  if (speak) std::cerr << plan;
  const auto report = plan.run(world, run_options(world, arguments));
  if (speak) std::cerr << report;
  write_json(world, arguments.json, plan, &report);
}

void explain(ricci::World& world, const ProgramArguments& arguments) {
  world.set_options(arguments.plan.to_options());
  const auto plan = plan_for_target(world, arguments);
  if (world.rank() == 0 && !arguments.plan.quiet) std::cout << plan;
  if (!arguments.analyze) return write_json(world, arguments.json, plan, nullptr);
  const auto report = plan.run(world, run_options(world, arguments));
  if (world.rank() == 0 && !arguments.plan.quiet) std::cout << report;
  write_json(world, arguments.json, plan, &report);
}

}  // namespace

void add_run(const CommandLine& line) {
  auto arguments = std::make_shared<ProgramArguments>();
  auto* const verb = line.app.add_subcommand("run", "Plans and runs a program (.ric).");
  add_program_options(*verb, *arguments);
  add_scratch_options(*verb, *arguments);
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
  add_scratch_options(*verb, *arguments);
  auto* const analyze = verb->add_flag("--analyze", arguments->analyze, "run it, and print what that took");
  for (CLI::Option* const target : add_target_options(*verb, *arguments)) target->excludes(analyze);
  verb->footer(
      "Examples:\n"
      "  ricci explain ao_to_mo.ric --memory 100MB\n"
      "  ricci explain ccd.ric --ranks 1024 --machine bgq.json\n"
      "  ricci explain ccd.ric --grid 4x4x2 --json plan.json");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { explain(world, *arguments); }; });
}

}  // namespace cli
