#pragma once
// `ricci bench local`: what one rank does, each row as a ratio to OpenBLAS's dgemm or to memcpy in the same run.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ricci/world.hpp>

#include "bench_baseline.hpp"

namespace cli {

struct BenchArguments {
  std::string suite = "all";
  std::string filter;
  int threads = 1;
  int repeat = 5;
  std::string json;
};

/// One benchmark, measured.
struct Row {
  std::string name;
  std::string group;
  double work = 0;     // of one run: flops against dgemm, bytes read and written against copying
  double bar = 0;      // what the figure should reach; against nothing: what it should not exceed
  double seconds = 0;  // best time of one run
  std::optional<double> seconds_one_thread = {};  // where `seconds` is with more
  double figure = 0;                              // rate over the baseline's; against nothing: microseconds
};

/// A geometric mean of figures.
struct Mean {
  std::string name;
  double figure = 0;
  double bar = 0;
};

/// Rows that are all against one baseline.
struct Suite {
  std::string name;
  std::string about;
  Against against = Against::dgemm;
  std::vector<Row> rows = {};
  std::vector<Mean> means = {};
  double slowest_baseline = 0;  // of the samples taken between the rows: how steady the machine was
  double best_baseline = 0;     // of the whole run: what the figures are against
};

/// What the suites share while they run.
class Bench {
 public:
  Bench(ricci::World& world, const BenchArguments& arguments);

  const ricci::World& world() const { return world_; }
  const BenchArguments& arguments() const { return arguments_; }
  Baseline& baseline() { return baseline_; }

  bool wants(const std::string& name) const { return name.find(arguments_.filter) != std::string::npos; }
  /// Times `run`, with the baseline measured before it, and adds the row to the suite. `runs` is how often `run` does
  /// the work in one call.
  void measure(Suite& suite, Row row, const std::function<void()>& run, int runs = 1);
  /// Measures the baseline once more and computes the figures of all rows from the best of the run.
  void finish(Suite& suite);

 private:
  void set_threads(int threads);
  /// Whether the machine is about as fast as it was at its best.
  bool sample_baseline(Suite& suite);

  ricci::World& world_;
  const BenchArguments& arguments_;
  Baseline baseline_;
};

Suite run_tccg(Bench& bench);
Suite run_seed(Bench& bench);
Suite run_transpose(Bench& bench);
Suite run_small(Bench& bench);

/// The figure reaches the bar or, against nothing, does not exceed it.
bool passes(const Suite& suite, const Row& row);

/// The mean over the rows of a group, or over all where it is empty.
Mean mean_of(const std::vector<Row>& rows, const std::string& group, double bar);

}  // namespace cli
