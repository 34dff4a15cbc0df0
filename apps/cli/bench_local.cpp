#include "bench_local.hpp"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "blas.hpp"
#include "timing.hpp"

namespace cli {
namespace {

/// One line that is written over again, where a person watches.
void show_progress(const std::string& suite, const std::string& name) {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}: {}", suite, name);
}

void clear_progress() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace

Bench::Bench(ricci::World& world, const BenchArguments& arguments)
    : world_(world), arguments_(arguments), baseline_(arguments.threads) {
  set_threads(arguments.threads);
  for (int i = 0; i <= arguments.repeat; ++i) {
    baseline_.sample(Against::dgemm);
    baseline_.sample(Against::copy);
  }
}

void Bench::set_threads(int threads) {
  auto options = world_.options();
  options.threads = threads;
  world_.set_options(options);
  set_blas_threads(threads);
}

void Bench::measure(Suite& suite, Row row, const std::function<void()>& run, int runs) {
  show_progress(suite.name, row.name);
  const auto keep_best = [](double& best, double now) { best = best == 0 ? now : std::min(best, now); };
  double one_thread = 0;
  // A machine shared with others slows down for seconds on end: a row that met such a time is measured again.
  constexpr int most_rounds = 8;
  for (int round = 0; round < most_rounds; ++round) {
    bool steady = sample_baseline(suite);
    if (arguments_.threads > 1) {
      set_threads(1);
      keep_best(one_thread, best_seconds(arguments_.repeat, run) / runs);
      set_threads(arguments_.threads);
    }
    keep_best(row.seconds, best_seconds(arguments_.repeat, run) / runs);
    steady = sample_baseline(suite) && steady;
    if (steady) break;
  }
  if (one_thread > 0) row.seconds_one_thread = one_thread;
  suite.rows.push_back(std::move(row));
}

bool Bench::sample_baseline(Suite& suite) {
  constexpr double nearly = 0.95;
  const double now = baseline_.sample(suite.against);
  if (suite.slowest_baseline == 0 || now < suite.slowest_baseline) suite.slowest_baseline = now;
  return now >= nearly * baseline_.rate(suite.against);
}

void Bench::finish(Suite& suite) {
  sample_baseline(suite);
  suite.best_baseline = baseline_.rate(suite.against);
  for (Row& row : suite.rows) {
    row.figure = suite.against == Against::nothing ? row.seconds * 1e6 : row.work / row.seconds / suite.best_baseline;
  }
  clear_progress();
}

bool passes(const Suite& suite, const Row& row) {
  return suite.against == Against::nothing ? row.figure <= row.bar : row.figure >= row.bar;
}

Mean mean_of(const std::vector<Row>& rows, const std::string& group, double bar) {
  double figures = 0;
  int count = 0;
  for (const Row& row : rows) {
    if (!group.empty() && row.group != group) continue;
    figures += std::log(row.figure);
    ++count;
  }
  return {group.empty() ? "all" : group, std::exp(figures / count), bar};
}

}  // namespace cli
