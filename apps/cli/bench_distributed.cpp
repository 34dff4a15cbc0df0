// ricci bench distributed: contractions on the ranks that there are: what they receive, against CTF; what they take,
// against as many dgemms at once as there are ranks.
#include "bench_distributed.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <optional>
#include <vector>

#include <cblas.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/mpi.hpp>
#include <ricci/ricci.hpp>

#include "blas.hpp"
#include "ctf_table.hpp"
#include "seed_contractions.hpp"
#include "timing.hpp"

namespace cli {
namespace {

constexpr std::int64_t seed_extent = 48, tiny_extent = 4;

struct Figure {
  std::string name;
  double milliseconds = 0;                       // of the slowest rank
  double megabytes = 0;                          // received by the rank that receives most, as counted
  std::optional<double> most_megabytes = {};     // the bar
  double of_dgemm = 0;                           // dense flops a second, over those of the dgemms; 0: not compared
  double predicted_peak = 0, measured_peak = 0;  // MB of buffers, on the rank that has most
};

template <class T>
T greatest(T value) {
  const MPI_Datatype type = std::is_same_v<T, double> ? MPI_DOUBLE : MPI_INT64_T;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

/// Seconds of the slowest rank.
double seconds_of_all(const std::function<void()>& run) {
  MPI_Barrier(MPI_COMM_WORLD);
  return greatest(seconds_of(run));
}

class Suite {
 public:
  Suite(ricci::World& world, const DistributedArguments& arguments)
      : world_(world), arguments_(arguments), a_(side * side, 1.5), b_(side * side, 0.5), c_(side * side) {
    auto options = world_.options();
    options.threads = 1;
    world_.set_options(options);
    set_blas_threads(1);
    sample_dgemm();
  }

  bool wants(const std::string& name) const { return name.find(arguments_.filter) != std::string::npos; }
  const ricci::World& world() const { return world_; }

  /// From freshly filled tensors in default layouts, made anew each time.
  void contract(Figure figure, const SeedContraction& test, std::int64_t extent) {
    const double flops = 2 * std::pow(static_cast<double>(extent), test.labels);
    for (int i = 0; i <= arguments_.repeat; ++i) {
      const auto c = test.c.make(world_, extent);
      auto a = test.a.make(world_, extent), b = test.b.make(world_, extent);
      a.fill_random(1);
      b.fill_random(2);
      const auto plan = ricci::plan(c[test.c.labels].assign(a[test.a.labels] * b[test.b.labels]));
      std::optional<ricci::Report> report;
      const double seconds = seconds_of_all([&] { report = plan.run(); });
      if (i > 0 && (i == 1 || seconds * 1e3 < figure.milliseconds)) figure.milliseconds = seconds * 1e3;
      figure.megabytes = static_cast<double>(greatest(report->measured().received_bytes)) * 1e-6;
      figure.predicted_peak = static_cast<double>(greatest(report->predicted().peak_bytes)) * 1e-6;
      figure.measured_peak = static_cast<double>(greatest(report->measured().peak_bytes)) * 1e-6;
      sample_dgemm();
    }
    figure.of_dgemm = flops / (figure.milliseconds * 1e-3) / dgemm_rate_;
    figures_.push_back(std::move(figure));
  }

  /// So many times, with the plan found in the cache.
  void repeat(Figure figure, int times, const std::function<void()>& run) {
    run();
    double best = 0;
    for (int i = 0; i < arguments_.repeat; ++i) {
      const double seconds = seconds_of_all([&] {
        for (int k = 0; k < times; ++k) run();
      });
      best = i == 0 ? seconds : std::min(best, seconds);
    }
    figure.milliseconds = best / times * 1e3;
    figures_.push_back(std::move(figure));
  }

  void print() const;
  void write_json() const;

 private:
  static constexpr int side = 1024;

  /// All ranks at once: flops a second, together. The best so far counts.
  void sample_dgemm() {
    const double seconds = seconds_of_all([&] {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1.0, a_.data(), side, b_.data(), side,
                  0.0, c_.data(), side);
    });
    dgemm_rate_ = std::max(dgemm_rate_, 2.0 * side * side * side * world_.size() / seconds);
  }

  ricci::World& world_;
  const DistributedArguments& arguments_;
  std::vector<double> a_, b_, c_;
  double dgemm_rate_ = 0;
  std::vector<Figure> figures_;
};

const char* verdict(bool passes) { return passes ? "pass" : "miss"; }

bool passes(const Figure& row) { return !row.most_megabytes || row.megabytes <= *row.most_megabytes; }

void Suite::print() const {
  fmt::print("{} ranks of one thread; {} dgemms at once: {:.1f} GF/s together\n", world_.size(), world_.size(),
             dgemm_rate_ * 1e-9);
  fmt::print("  {:<38} {:>12} {:>9} {:>9} {:>9} {:>16}\n", "contraction", "time", "MB in", "bar", "of dgemm",
             "MB of buffers");
  for (const Figure& row : figures_) {
    const std::string time = row.milliseconds < 1 ? fmt::format("{:9.2f} us", row.milliseconds * 1e3)
                                                  : fmt::format("{:9.2f} ms", row.milliseconds);
    fmt::print("  {:<38} {:>12} {:9.2f} {:>9} {:>9} {:7.2f} ({:6.2f})  {}\n", row.name, time, row.megabytes,
               row.most_megabytes ? fmt::format("{:.2f}", *row.most_megabytes) : "-",
               row.of_dgemm > 0 ? fmt::format("{:.3f}", row.of_dgemm) : "-", row.measured_peak, row.predicted_peak,
               row.most_megabytes ? verdict(passes(row)) : "");
  }
}

void Suite::write_json() const {
  nlohmann::ordered_json json = {
      {"ranks", world_.size()}, {"dgemm_flops", dgemm_rate_}, {"rows", nlohmann::ordered_json::array()}};
  for (const Figure& row : figures_) {
    nlohmann::ordered_json line = {{"name", row.name},
                                   {"milliseconds", row.milliseconds},
                                   {"megabytes_received", row.megabytes},
                                   {"peak_megabytes_predicted", row.predicted_peak},
                                   {"peak_megabytes_measured", row.measured_peak}};
    if (row.of_dgemm > 0) line["of_dgemm"] = row.of_dgemm;
    if (row.most_megabytes) {
      line["most_megabytes"] = *row.most_megabytes;
      line["pass"] = passes(row);
    }
    json["rows"].push_back(std::move(line));
  }
  std::ofstream file(arguments_.json);
  if (!(file << json.dump(2) << '\n')) throw ricci::InputError(fmt::format("{}: cannot be written", arguments_.json));
}

void run_seed(Suite& suite) {
  int number = 0;
  for (const SeedContraction& test : seed_contractions()) {
    ++number;
    const std::int64_t extent = number == 6 ? 2048 : seed_extent;
    if (!suite.wants(test.name)) continue;
    Figure figure{.name = test.name};
    if (const auto ctf = ctf_megabytes(number, extent, suite.world().size())) figure.most_megabytes = *ctf / 2;
    suite.contract(figure, test, extent);
  }
}

void run_matrices(Suite& suite) {
  const SeedContraction product{"", 3, {"ij", {}}, {"ik", {}}, {"kj", {}}};
  for (const std::int64_t n : {4096, 2048}) {
    Figure figure{.name = fmt::format("matrix product n = {}", n)};
    if (!suite.wants(figure.name)) continue;
    suite.contract(figure, product, n);
  }
}

void run_tiny(Suite& suite) {
  const Figure figure{.name = "C[i,j] = A[i,k] * B[k,j], extent 4"};
  if (!suite.wants(figure.name)) return;
  const ricci::Extents extents{tiny_extent, tiny_extent};
  ricci::Tensor<double> c(suite.world(), extents), a(suite.world(), extents), b(suite.world(), extents);
  a.fill_random(1);
  b.fill_random(2);
  suite.repeat(figure, 1000, [&] { c["ij"] = a["ik"] * b["kj"]; });
}

}  // namespace

void bench_distributed(ricci::World& world, const DistributedArguments& arguments) {
  Suite suite(world, arguments);
  run_seed(suite);
  run_matrices(suite);
  run_tiny(suite);
  if (world.rank() != 0) return;
  suite.print();
  if (!arguments.json.empty()) suite.write_json();
}

}  // namespace cli
