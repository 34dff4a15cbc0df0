// ricci bench sim: what contractions take on a simulated network, against CTF on the same one.
#include "bench_sim.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

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
  double milliseconds = 0;                              // of the slowest rank
  double planned = 0;                                   // the same as the plan has it
  std::int64_t received = 0, sent = 0;                  // words of the rank with most, as counted
  double seconds_to_plan = 0;                           // of this machine's time
  std::optional<double> of_ctf = {};                    // milliseconds
  std::optional<double> cast = {}, desymmetrised = {};  // milliseconds by one strategy alone
  double norm = 0;  // of the result: the same on any number of ranks, up to rounding
};

template <class T>
T greatest(T value) {
  const MPI_Datatype type = std::is_same_v<T, double> ? MPI_DOUBLE : MPI_INT64_T;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

/// A contraction and its tensors.
class Contraction {
 public:
  Contraction(ricci::World& world, const SeedContraction& test, std::int64_t extent)
      : world_(world),
        test_(test),
        c_(test.c.make(world, extent)),
        a_(test.a.make(world, extent)),
        b_(test.b.make(world, extent)) {
    a_.fill_random(1);
    b_.fill_random(2);
  }

  ricci::Plan plan(ricci::Strategy strategy) {
    auto options = world_.options();
    options.strategy = strategy;
    return ricci::plan(c_[test_.c.labels].assign(a_[test_.a.labels] * b_[test_.b.labels]), options);
  }

  /// Milliseconds of the slowest rank, and the report of this one.
  std::pair<double, ricci::Report> run(const ricci::Plan& plan) const {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    ricci::Report report = plan.run();
    const double milliseconds = greatest(MPI_Wtime() - start) * 1e3;
    return {milliseconds, std::move(report)};
  }

  double norm() const { return c_.norm2(); }

 private:
  ricci::World& world_;
  const SeedContraction& test_;
  ricci::Tensor<double> c_, a_, b_;
};

/// Whether two plans do the same, whatever rivals they had.
bool same_plans(const ricci::Plan& x, const ricci::Plan& y) {
  const auto without_rivals = [](const ricci::Plan& plan) {
    auto json = nlohmann::json::parse(plan.json());
    for (auto& statement : json) {
      for (auto& node : statement["nodes"]) {
        if (node.contains("spread")) node["spread"].erase("rivals");
      }
    }
    return json;
  };
  return without_rivals(x) == without_rivals(y);
}

Figure run(ricci::World& world, const SeedContraction& test, int number, const SimArguments& arguments) {
  Figure figure{.name = test.name, .extent = number == 6 ? arguments.matrix_extent : arguments.extent};
  Contraction contraction(world, test, figure.extent);
  std::optional<ricci::Plan> plan;
  figure.seconds_to_plan = seconds_of([&] { plan = contraction.plan(world.options().strategy); });
  if (arguments.verbose && world.rank() == 0) fmt::print("{}\n", plan->explain());
  const auto [milliseconds, report] = contraction.run(*plan);
  figure.milliseconds = milliseconds;
  figure.norm = contraction.norm();

  constexpr std::int64_t word = sizeof(double);
  const ricci::Cost predicted = report.predicted(), measured = report.measured();
  figure.planned = greatest(predicted.seconds) * 1e3;
  if (!arguments.compute) {  // plans count on it
    figure.planned -= greatest(predicted.flops) / ricci::MachineModel::load_default().gemm_flops * 1e3;
  }
  figure.received = greatest(measured.received_bytes / word);
  figure.sent = greatest(measured.network_bytes / word);
  // Of CTF only communication was measured.
  if (!arguments.compute) figure.of_ctf = ctf_milliseconds(number, figure.extent, world.size());
  if (arguments.strategies) {
    for (auto [strategy, result] : {std::pair(ricci::Strategy::cast, &figure.cast),
                                    std::pair(ricci::Strategy::desymmetrise, &figure.desymmetrised)}) {
      Contraction again(world, test, figure.extent);  // from tensors in the same places
      const ricci::Plan forced = again.plan(strategy);
      *result = same_plans(*plan, forced) ? figure.milliseconds : again.run(forced).first;
    }
  }
  return figure;
}

void print_header(int ranks, const SimArguments& arguments) {
  fmt::print("{} ranks; milliseconds of {} of the slowest rank, words of the rank with most\n", ranks,
             arguments.compute ? "communication and arithmetic" : "communication");
  fmt::print("  {:<36} {:>5} {:>9} {:>9} {:>10} {:>10} {:>8} {:>7} {:>6} {:>9}", "contraction", "N", "ms", "planned",
             "received", "sent", "CTF ms", "ratio", "of ms", "s to plan");
  fmt::print("{}\n", arguments.strategies ? fmt::format(" {:>9} {:>9}", "cast", "desym") : "");
}

void print(const Figure& row) {
  const std::string ctf = row.of_ctf ? fmt::format("{:8.2f} {:7.2f}", *row.of_ctf, row.milliseconds / *row.of_ctf)
                                     : fmt::format("{:>8} {:>7}", "-", "-");
  fmt::print("  {:<36} {:>5} {:>9.3f} {:>9.3f} {:>10} {:>10} {} {:>6.2f} {:>9.3f}", row.name, row.extent,
             row.milliseconds, row.planned, row.received, row.sent, ctf, row.planned / row.milliseconds,
             row.seconds_to_plan);
  fmt::print("{}\n", row.cast ? fmt::format(" {:>9.3f} {:>9.3f}", *row.cast, *row.desymmetrised) : "");
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
    if (row.cast) {
      line["milliseconds_of_cast"] = *row.cast;
      line["milliseconds_of_desymmetrise"] = *row.desymmetrised;
    }
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
  options.simulate_work = arguments.compute || arguments.maps;
  world.set_options(options);
  if (arguments.maps) return bench_sim_maps(world, arguments);
  if (world.rank() == 0) print_header(world.size(), arguments);
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
