// ricci bench: the benchmark suites.
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "bench_disk.hpp"
#include "bench_distributed.hpp"
#include "bench_local.hpp"
#include "bench_redistribute.hpp"
#include "bench_report.hpp"
#include "bench_sim.hpp"
#include "blas.hpp"
#include "verbs.hpp"

namespace cli {
namespace {

constexpr std::pair<const char*, Suite (*)(Bench&)> suites[] = {
    {"tccg", run_tccg}, {"seed", run_seed}, {"transpose", run_transpose}, {"small", run_small}};

void bench_local(ricci::World& world, const BenchArguments& arguments) {
  if (world.size() > 1) {
    throw ricci::InputError(
        fmt::format("bench local measures one rank, but there are {}; run it without mpirun", world.size()));
  }
  Bench bench(world, arguments);
  print(header_of(bench));
  std::vector<Suite> results;
  for (const auto& [name, run] : suites) {
    if (arguments.suite != "all" && arguments.suite != name) continue;
    auto suite = run(bench);
    if (suite.rows.empty()) continue;  // the filter left nothing
    print(suite);
    results.push_back(std::move(suite));
  }
  if (results.empty()) throw ricci::InputError(fmt::format("no benchmark has \"{}\" in its name", arguments.filter));
  if (!arguments.json.empty()) write_json(arguments.json, header_of(bench), results);
}

void add_redistribute(CLI::App& verb, const CommandLine& line) {
  auto arguments = std::make_shared<RedistributeArguments>();
  auto* const redistribute =
      verb.add_subcommand("redistribute", "Several ranks: moving tensors against plain MPI calls of the same bytes.");
  redistribute->add_option("--repeat", arguments->repeat, "the best of so many runs")
      ->check(CLI::PositiveNumber)
      ->type_name("R")
      ->capture_default_str();
  redistribute->add_option("--json", arguments->json, "write the figures to a file, too")->type_name("FILE");
  redistribute->footer(
      "MPI_Alltoallv moves all of the tensor, each rank's share for itself included. Times are those of the slowest "
      "rank.\n"
      "Example:\n"
      "  mpirun -n 4 ricci bench redistribute");
  redistribute->callback(
      [line, arguments] { line.action = [arguments](ricci::World& world) { bench_redistribute(world, *arguments); }; });
}

void add_distributed(CLI::App& verb, const CommandLine& line) {
  auto arguments = std::make_shared<DistributedArguments>();
  auto* const distributed = verb.add_subcommand(
      "distributed", "Several ranks: contractions against what CTF receives and as many dgemms at once.");
  distributed->add_option("--filter", arguments->filter, "only rows with this text in their name")->type_name("TEXT");
  distributed->add_option("--repeat", arguments->repeat, "the best of so many runs")
      ->check(CLI::PositiveNumber)
      ->type_name("R")
      ->capture_default_str();
  distributed->add_option("--json", arguments->json, "write the figures to a file, too")->type_name("FILE");
  distributed->footer(
      "Each run is of freshly filled tensors in default layouts; planning is not in the time. MB in: what the rank "
      "that\n"
      "receives most receives, counted, beside half of what CTF receives there. Of dgemm: the dense flops a second "
      "over\n"
      "those of one dgemm of one thread on each rank at once, in the same run. MB of buffers: measured (predicted).\n"
      "Example:\n"
      "  mpirun -n 2 ricci bench distributed");
  distributed->callback([line, arguments] {
    restart_with_fitting_blas_core(line.arguments);
    line.action = [arguments](ricci::World& world) { bench_distributed(world, *arguments); };
  });
}

void add_disk(CLI::App& verb, const CommandLine& line) {
  auto arguments = std::make_shared<DiskArguments>();
  auto* const disk = verb.add_subcommand(
      "disk", "Several ranks with a scratch directory each: the six parallel disk methods of seed 004's Table 9.");
  disk->add_option("--extent", arguments->extent, "of i and j")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->capture_default_str();
  disk->add_option("--depth", arguments->depth, "of k, which is summed over")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->capture_default_str();
  disk->add_option("--memory", arguments->memory, "what one rank may use")->type_name("SIZE")->capture_default_str();
  disk->add_option("--repeat", arguments->repeat, "the best of so many runs")
      ->check(CLI::PositiveNumber)
      ->type_name("R")
      ->capture_default_str();
  disk->add_option("--scratch", arguments->scratch, "where scratch directories are made; else $TMPDIR, else here")
      ->type_name("DIR");
  disk->add_option("--json", arguments->json, "write the figures to a file, too")->type_name("FILE");
  disk->footer(
      "C[i,j] = A[i,k] * B[j,k], with the arrays on disk where each method wants them. The disk and the network are\n"
      "measured first, by all ranks at once; predicted are the seconds that reading, writing and sending take at "
      "those\n"
      "rates, measured those that the slowest rank took for them, without waiting for others. Files are read and\n"
      "written past the system's cache. Each rank's bytes are counted, too, and have to be those that were predicted.\n"
      "Example:\n"
      "  mpirun -n 4 ricci bench disk --scratch /scratch");
  disk->callback(
      [line, arguments] { line.action = [arguments](ricci::World& world) { bench_disk(world, *arguments); }; });
}

void add_sim(CLI::App& verb, const CommandLine& line) {
  auto arguments = std::make_shared<SimArguments>();
  auto* const sim = verb.add_subcommand("sim", "Simulated ranks: seven symmetric contractions, against CTF.");
  sim->add_option("--extent", arguments->extent, "of every mode")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->capture_default_str();
  sim->add_option("--matrix-extent", arguments->matrix_extent, "of the modes of number 6")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->capture_default_str();
  sim->add_option("--only", arguments->numbers, "contractions by number: 2,5")
      ->check(CLI::Range(1, 7))
      ->delimiter(',')
      ->type_name("LIST");
  sim->add_flag("--compute", arguments->compute, "arithmetic takes time, too: that of its flops on a simulated host");
  sim->add_flag("--strategies", arguments->strategies, "each contraction by each strategy alone, too");
  sim->add_flag("--maps", arguments->maps, "instead, three mappings of one contraction onto a cubic torus");
  sim->add_flag("-v,--verbose", arguments->verbose, "print the plans");
  sim->add_option("--json", arguments->json, "write the figures to a file, too")->type_name("FILE");
  sim->footer(
      "Each contraction runs once, from freshly filled tensors in default layouts. `of ms` is what was planned over "
      "what\n"
      "it took; a ratio is our time over that of CTF on the same network; cast and desym are milliseconds by one\n"
      "strategy alone. The time is MPI's: with real ranks it holds all that a rank does, and is nothing to\n"
      "compare. bench/sim/run starts it with simulated ranks (cmake --preset sim).");
  sim->callback(
      [line, arguments] { line.action = [arguments](ricci::World& world) { bench_sim(world, *arguments); }; });
}

}  // namespace

void add_bench(const CommandLine& line) {
  auto* const verb = line.app.add_subcommand("bench", "The benchmark suites, each row as a ratio to its baseline.");
  verb->require_subcommand(0, 1);
  verb->callback([verb] {
    if (verb->get_subcommands().empty()) throw CLI::RequiredError("A suite, as in `ricci bench local`,");
  });
  add_redistribute(*verb, line);
  add_distributed(*verb, line);
  add_disk(*verb, line);
  add_sim(*verb, line);
  auto arguments = std::make_shared<BenchArguments>();
  auto* const local = verb->add_subcommand("local",
                                           "One rank: contractions against OpenBLAS's dgemm, permutations "
                                           "against memcpy, in the same run.");
  local->add_option("--suite", arguments->suite, "tccg, seed, transpose, small or all")
      ->check(CLI::IsMember({"tccg", "seed", "transpose", "small", "all"}))
      ->type_name("NAME");
  local->add_option("--filter", arguments->filter, "only rows with this text in their name")->type_name("TEXT");
  local->add_option("--threads", arguments->threads, "of ricci and of the baselines; above 1 also the speed-up")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  local->add_option("--repeat", arguments->repeat, "the best of so many runs")
      ->check(CLI::PositiveNumber)
      ->type_name("R")
      ->capture_default_str();
  local->add_option("--json", arguments->json, "write the figures to a file, too")->type_name("FILE");
  local->footer(
      "A figure is a rate over the baseline's, so 1 is as fast as dgemm or memcpy; the baseline is the best of\n"
      "measurements between the rows. Where OpenBLAS does not know the processor and leaves AVX2 or AVX-512\n"
      "unused, the program starts itself again with OPENBLAS_CORETYPE set.\n"
      "Examples:\n"
      "  ricci bench local --suite seed\n"
      "  ricci bench local --suite tccg --filter ccsd_t --threads 2 --json tccg.json");
  local->callback([line, arguments] {
    restart_with_fitting_blas_core(line.arguments);
    line.action = [arguments](ricci::World& world) { bench_local(world, *arguments); };
  });
}

}  // namespace cli
