// ricci machine: measures this machine for the planner.
#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include <ricci/machine.hpp>
#include <ricci/ricci.hpp>

#include "hardware.hpp"
#include "timing.hpp"
#include "verbs.hpp"

namespace cli {
namespace {

struct MachineArguments {
  std::string output;
  int threads = 0;
  bool show = false;
};

/// The best rate that `run` gives within a time that keeps the whole measurement below 20 seconds.
template <class F>
double best_rate(F&& run) {
  constexpr double budget = 3;  // seconds; there are four measurements
  double best = 0, spent = 0;
  for (int i = 0; i < 10 && spent < budget; ++i) {
    spent += seconds_of([&] { best = std::max(best, run()); });
  }
  return best;
}

/// Flops a second of C = A B, which is what contractions end in.
double gemm_rate(ricci::World& world, int threads) {
  auto options = world.options();
  options.threads = threads;
  world.set_options(options);
  constexpr std::int64_t n = 1536;
  ricci::Tensor<double> a(world, {n, n}), b(world, {n, n}), c(world, {n, n});
  a.fill_random(1);
  b.fill_random(2);
  return best_rate([&] { return 2.0 * n * n * n / seconds_of([&] { c["ij"] = a["ik"] * b["kj"]; }); });
}

ricci::MachineModel measure(ricci::World& world, int threads) {
  ricci::MachineModel model{.cpu = cpu_name(), .threads = threads, .memory_bytes = memory_bytes()};
  model.gemm_flops = gemm_rate(world, 1);
  model.gemm_flops_threads = gemm_rate(world, threads);
  MemoryCopy copy(200'000'000);
  model.copy_bandwidth = best_rate([&] { return copy.rate(1); });
  model.copy_bandwidth_threads = std::max(model.copy_bandwidth, best_rate([&] { return copy.rate(threads); }));
  return model;
}

void show(const ricci::World& world, const std::string& path) {
  const auto model = path.empty() ? ricci::MachineModel::load_default() : ricci::MachineModel::load(path);
  if (world.rank() == 0) std::cout << model;
}

void machine(ricci::World& world, const MachineArguments& arguments) {
  if (arguments.show) return show(world, arguments.output);
  const auto model = measure(world, arguments.threads > 0 ? arguments.threads : processor_count());
  if (world.rank() != 0) return;
  const auto path = arguments.output.empty() ? ricci::MachineModel::default_path() : arguments.output;
  model.save(path);
  std::cout << model;
  fmt::print(stderr, "ricci: written to {}\n", path);
}

}  // namespace

void add_machine(const CommandLine& line) {
  auto arguments = std::make_shared<MachineArguments>();
  auto* const verb = line.app.add_subcommand("machine", "Measures this machine and writes the machine file.");
  verb->add_flag("--show", arguments->show, "print the machine file (or the defaults); measure nothing");
  verb->add_option("-o,--output", arguments->output, "the machine file")->type_name("FILE");
  verb->add_option("--threads", arguments->threads, "threads of one rank; else all processors")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  verb->footer(
      "Takes less than 20 seconds; let nothing else run meanwhile. The file is $RICCI_MACHINE, else\n"
      "$XDG_CONFIG_HOME/ricci/machine.json, else ~/.config/ricci/machine.json.\n"
      "Examples:\n"
      "  ricci machine\n"
      "  ricci machine --show\n"
      "  ricci machine -o laptop.json --threads 4");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { machine(world, *arguments); }; });
}

}  // namespace cli
