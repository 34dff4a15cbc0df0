// ricci machine: measures this machine for the planner.
#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <ricci/machine.hpp>
#include <ricci/mpi.hpp>
#include <ricci/ricci.hpp>

#include "disk_speed.hpp"
#include "hardware.hpp"
#include "timing.hpp"
#include "verbs.hpp"

namespace cli {
namespace {

struct MachineArguments {
  std::string output, scratch;
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

/// Seconds of a message of so many bytes from each rank to the next, all at once, there and back: the best of some.
double seconds_of_message(const ricci::World& world, int bytes) {
  const int next = (world.rank() + 1) % world.size(), before = (world.rank() + world.size() - 1) % world.size();
  std::vector<char> out(static_cast<std::size_t>(bytes), 1), in(out.size());
  constexpr int turns = 10;
  double best = 1e9;
  for (int i = 0; i < 50; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = seconds_of([&] {
      for (int turn = 0; turn < turns; ++turn) {
        MPI_Sendrecv(out.data(), bytes, MPI_BYTE, next, 0, in.data(), bytes, MPI_BYTE, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
      }
    });
    best = std::min(best, seconds / turns);
  }
  MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return best;
}

void measure_network(const ricci::World& world, ricci::MachineModel& model) {
  constexpr int large = 4'000'000;
  model.network_latency = seconds_of_message(world, 8);
  model.network_bandwidth = large / std::max(1e-9, seconds_of_message(world, large) - model.network_latency);
}

/// All ranks at once: those of a node share its disk.
void measure_disk(const ricci::World& world, const std::string& directory, ricci::MachineModel& model) {
  MPI_Barrier(MPI_COMM_WORLD);
  try {
    const DiskSpeed speed = speed_of_disk(directory);
    model.disk_read_bandwidth = speed.read_bandwidth;
    model.disk_write_bandwidth = speed.write_bandwidth;
    model.disk_latency = speed.latency;
  } catch (const ricci::Error& error) {
    if (world.rank() == 0) fmt::print(stderr, "ricci: the disk keeps the figures of a modest one: {}\n", error.what());
  }
}

ricci::MachineModel measure(ricci::World& world, int threads, const std::string& scratch) {
  ricci::MachineModel model{.cpu = cpu_name(), .threads = threads, .memory_bytes = memory_bytes()};
  ricci::World alone = world.split(world.rank());  // what a rank does by itself, while the others do the same
  model.gemm_flops = gemm_rate(alone, 1);
  model.gemm_flops_threads = gemm_rate(alone, threads);
  MemoryCopy copy(200'000'000);
  model.copy_bandwidth = best_rate([&] { return copy.rate(1); });
  model.copy_bandwidth_threads = std::max(model.copy_bandwidth, best_rate([&] { return copy.rate(threads); }));
  if (world.size() > 1) measure_network(world, model);
  measure_disk(world, scratch, model);
  return model;
}

void show(const ricci::World& world, const std::string& path) {
  const auto model = path.empty() ? ricci::MachineModel::load_default() : ricci::MachineModel::load(path);
  if (world.rank() == 0) std::cout << model;
}

void machine(ricci::World& world, const MachineArguments& arguments) {
  if (arguments.show) return show(world, arguments.output);
  const auto model =
      measure(world, arguments.threads > 0 ? arguments.threads : processor_count(), scratch_place(arguments.scratch));
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
  verb->add_option("--scratch", arguments->scratch, "directory on the disk to measure; else $TMPDIR, else this one")
      ->type_name("DIR");
  verb->footer(
      "Takes less than 20 seconds; let nothing else run meanwhile. Under mpirun it measures the network between the\n"
      "ranks, too. The disk is measured with up to 1 GiB that nobody else sees. The file is $RICCI_MACHINE, else\n"
      "$XDG_CONFIG_HOME/ricci/machine.json, else ~/.config/ricci/machine.json.\n"
      "Examples:\n"
      "  ricci machine\n"
      "  ricci machine --show\n"
      "  mpirun -n 4 ricci machine\n"
      "  ricci machine -o laptop.json --threads 4\n"
      "  ricci machine --scratch /local/disk");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { machine(world, *arguments); }; });
}

}  // namespace cli
