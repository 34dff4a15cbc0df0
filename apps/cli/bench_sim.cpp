// ricci bench sim: what contractions take on a simulated network, against CTF on the same one.
#include "bench_sim.hpp"

#include <algorithm>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/mpi.hpp>
#include <ricci/ricci.hpp>

#include "ctf_table.hpp"
#include "seed_contractions.hpp"
#include "timing.hpp"

namespace cli {
namespace {

struct Figure {
  std::string name;
  std::int64_t extent;
  double milliseconds = 0;              // of the slowest rank
  double planned = 0;                   // the same as the plan has it, arithmetic included
  std::int64_t received = 0, sent = 0;  // words of the rank with most, as counted
  double seconds_to_plan = 0;           // of this machine's time
  std::optional<double> of_ctf = {};    // milliseconds
  double norm = 0;                      // of the result: the same on any number of ranks, up to rounding
};

template <class T>
T greatest(T value) {
  const MPI_Datatype type = std::is_same_v<T, double> ? MPI_DOUBLE : MPI_INT64_T;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

Figure run(ricci::World& world, const SeedContraction& test, int number, const SimArguments& arguments) {
  Figure figure{.name = test.name, .extent = number == 6 ? arguments.matrix_extent : arguments.extent};
  auto c = test.c.make(world, figure.extent);
  auto a = test.a.make(world, figure.extent);
  auto b = test.b.make(world, figure.extent);
  a.fill_random(1);
  b.fill_random(2);
  std::optional<ricci::Plan> plan;
  figure.seconds_to_plan = seconds_of(
      [&] { plan = ricci::plan(c[test.c.labels].assign(a[test.a.labels] * b[test.b.labels]), world.options()); });
  if (arguments.verbose && world.rank() == 0) fmt::print("{}\n", plan->explain());

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const ricci::Report report = plan->run();
  figure.milliseconds = greatest(MPI_Wtime() - start) * 1e3;

  constexpr std::int64_t word = sizeof(double);
  figure.planned = greatest(report.predicted().seconds) * 1e3;
  figure.received = greatest(report.measured().received_bytes / word);
  figure.sent = greatest(report.measured().network_bytes / word);
  figure.norm = c.norm2();
  // Of CTF only communication was measured.
  if (!arguments.compute) figure.of_ctf = ctf_milliseconds(number, figure.extent, world.size());
  return figure;
}

void print_header(int ranks, bool compute) {
  fmt::print("{} ranks; milliseconds of {} of the slowest rank, words of the rank with most\n", ranks,
             compute ? "communication and arithmetic" : "communication");
  fmt::print("  {:<36} {:>5} {:>9} {:>9} {:>10} {:>10} {:>8} {:>7} {:>9}\n", "contraction", "N", "ms", "planned",
             "received", "sent", "CTF ms", "ratio", "s to plan");
}

void print(const Figure& row) {
  const std::string ctf = row.of_ctf ? fmt::format("{:8.2f} {:7.2f}", *row.of_ctf, row.milliseconds / *row.of_ctf)
                                     : fmt::format("{:>8} {:>7}", "-", "-");
  fmt::print("  {:<36} {:>5} {:>9.3f} {:>9.3f} {:>10} {:>10} {} {:>9.3f}\n", row.name, row.extent, row.milliseconds,
             row.planned, row.received, row.sent, ctf, row.seconds_to_plan);
  std::fflush(stdout);
}

void write_json(const std::string& path, int ranks, bool compute, const std::vector<Figure>& figures) {
  nlohmann::ordered_json json = {{"ranks", ranks}, {"compute", compute}, {"rows", nlohmann::ordered_json::array()}};
  for (const Figure& row : figures) {
    nlohmann::ordered_json line = {{"name", row.name},
                                   {"extent", row.extent},
                                   {"milliseconds", row.milliseconds},
                                   {"milliseconds_planned", row.planned},
                                   {"words_received", row.received},
                                   {"words_sent", row.sent},
                                   {"seconds_to_plan", row.seconds_to_plan},
                                   {"norm", row.norm}};
    if (row.of_ctf) {
      line["milliseconds_of_ctf"] = *row.of_ctf;
      line["ratio"] = row.milliseconds / *row.of_ctf;
    }
    json["rows"].push_back(std::move(line));
  }
  std::ofstream file(path);
  if (!(file << json.dump(2) << '\n')) throw ricci::InputError(fmt::format("{}: cannot be written", path));
}

}  // namespace

void bench_sim(ricci::World& world, const SimArguments& arguments) {
  if (world.size() < 2) {
    throw ricci::InputError("bench sim is about what ranks tell each other, and there is one; run it by bench/sim/run");
  }
  auto options = world.options();
  options.simulate_work = arguments.compute;
  world.set_options(options);
  if (world.rank() == 0) print_header(world.size(), arguments.compute);
  std::vector<Figure> figures;
  int number = 0;
  for (const SeedContraction& test : seed_contractions()) {
    ++number;
    const auto& wanted = arguments.numbers;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), number) == wanted.end()) continue;
    figures.push_back(run(world, test, number, arguments));
    if (world.rank() == 0) print(figures.back());
  }
  if (world.rank() == 0 && !arguments.json.empty()) {
    write_json(arguments.json, world.size(), arguments.compute, figures);
  }
}

}  // namespace cli
