// ricci bench redistribute: data that moves between ranks, against plain MPI calls that move the same bytes.
#include "bench_redistribute.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/mpi.hpp>
#include <ricci/ricci.hpp>

#include "timing.hpp"

namespace cli {
namespace {

constexpr std::int64_t extent = 48;

struct Figure {
  std::string name;
  double milliseconds;
  double figure, bar;  // at most
  std::string unit;
};

class Measure {
 public:
  Measure(const ricci::World& world, int repeat) : world_(world), repeat_(repeat) {}

  /// Seconds of the slowest rank, the best of several runs.
  template <class F>
  double operator()(F&& run) const {
    double best = 0;
    for (int i = 0; i <= repeat_; ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      double seconds = seconds_of(run);
      MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (i == 1 || seconds < best) best = seconds;  // the first one warms up
    }
    return best;
  }

  const ricci::World& world() const { return world_; }

 private:
  const ricci::World& world_;
  int repeat_;
};

/// MPI_Alltoallv of so many doubles from each rank to each, itself included: all of a tensor, as a redistribution
/// moves it.
double seconds_of_exchange(const Measure& measure, std::int64_t each) {
  const int ranks = measure.world().size();
  std::vector<int> counts(ranks, static_cast<int>(each)), begins(ranks);
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  std::vector<double> send(each * ranks, 1.0), receive(send.size());
  return measure([&] {
    MPI_Alltoallv(send.data(), counts.data(), begins.data(), MPI_DOUBLE, receive.data(), counts.data(), begins.data(),
                  MPI_DOUBLE, MPI_COMM_WORLD);
  });
}

double seconds_of_gather(const Measure& measure, std::int64_t total) {
  const int ranks = measure.world().size();
  std::vector<int> counts(ranks), begins(ranks);
  for (int r = 0; r < ranks; ++r) {
    begins[r] = static_cast<int>(total * r / ranks);
    counts[r] = static_cast<int>(total * (r + 1) / ranks) - begins[r];
  }
  const std::vector<double> mine(counts[measure.world().rank()], 1.0);
  std::vector<double> all(total);
  return measure([&] {
    MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, all.data(), counts.data(), begins.data(),
                   MPI_DOUBLE, MPI_COMM_WORLD);
  });
}

ricci::Layout layout(const char* text, int ranks, int tiles) {
  std::string places;
  for (const char* c = text; *c != 0; ++c) {
    if (*c == '#') {
      if (tiles > 0) places += fmt::format("/{}", tiles);
    } else {
      places += *c;
    }
  }
  return ricci::Layout::parse(places, ricci::Grid{ranks});
}

void run_layouts(const Measure& measure, const std::string& what, const ricci::Symmetry& symmetry,
                 std::vector<Figure>& figures) {
  const int ranks = measure.world().size();
  ricci::Tensor<double> t(measure.world(), ricci::Extents(4, extent), symmetry);
  t.fill_random(1);
  const double plain = seconds_of_exchange(measure, t.stored_size() / ranks / ranks);
  const auto there_and_back = [&](int tiles) {
    // The modes of a pair are cut alike; without symmetry only those that are spread.
    const bool pairs = !symmetry.empty();
    const ricci::Layout first = layout(pairs ? "i:g0# j:*# k:*# l:*#" : "i:g0# j:* k:* l:*#", ranks, tiles);
    const ricci::Layout second = layout(pairs ? "i:*# j:*# k:*# l:g0#" : "i:*# j:* k:* l:g0#", ranks, tiles);
    t.redistribute(first);
    return measure([&] {
             t.redistribute(second);
             t.redistribute(first);
           }) /
           2;
  };
  figures.push_back({what + ", MPI_Alltoallv", plain * 1e3, 1, 1, "of it"});
  const double pieces = there_and_back(0), tiles = there_and_back(symmetry.empty() ? ranks : 2 * ranks);
  figures.push_back({what + ", mapping to mapping", pieces * 1e3, pieces / plain, 2.5, "times"});
  figures.push_back({what + ", by tiles", tiles * 1e3, tiles / plain, 1.3, "times"});
}

/// Every element, by ranks that do not have it.
void run_keys(const Measure& measure, std::vector<Figure>& figures) {
  const int ranks = measure.world().size();
  ricci::Tensor<double> t(measure.world(), ricci::Extents(4, extent));
  t.fill_random(1);
  t.redistribute(layout("i:g0 j:* k:* l:*", ranks, 0));
  const std::int64_t row = t.full_size() / extent;
  std::vector<std::int64_t> keys;
  for (std::int64_t i = 0; i < extent; ++i) {
    if (((i * ranks / extent) + 1) % ranks != measure.world().rank()) continue;
    for (std::int64_t k = 0; k < row; ++k) keys.push_back(i * row + k);
  }
  std::vector<double> values(keys.size(), 1.0);
  const double each = 1e9 / static_cast<double>(t.full_size() / ranks);
  const double write = measure([&] { t.write(keys, values); }), read = measure([&] { values = t.read(keys); });
  figures.push_back({"write by keys, all remote", write * 1e3, write * each, 40, "ns an element and rank"});
  figures.push_back({"read by keys, all remote", read * 1e3, read * each, 40, "ns an element and rank"});
}

void run_dense(const Measure& measure, const std::string& what, const ricci::Symmetry& symmetry,
               std::vector<Figure>& figures) {
  ricci::Tensor<double> t(measure.world(), ricci::Extents(4, extent), symmetry);
  t.fill_random(1);
  const double plain = seconds_of_gather(measure, t.full_size());
  std::vector<double> all;
  const double gather = measure([&] { all = t.gather(); }), assign = measure([&] { t.assign_dense(all); });
  figures.push_back({what + ", MPI_Allgatherv", plain * 1e3, 1, 1, "of it"});
  figures.push_back({what + ", gather", gather * 1e3, gather / plain, 2, "times"});
  figures.push_back({what + ", assign_dense", assign * 1e3, assign / plain, 2, "times"});
}

void write_json(const std::string& path, int ranks, const std::vector<Figure>& figures) {
  nlohmann::ordered_json json = {{"ranks", ranks}, {"rows", nlohmann::ordered_json::array()}};
  for (const Figure& row : figures) {
    json["rows"].push_back({{"name", row.name},
                            {"milliseconds", row.milliseconds},
                            {"figure", row.figure},
                            {"unit", row.unit},
                            {"bar", row.bar},
                            {"pass", row.figure <= row.bar}});
  }
  std::ofstream file(path);
  if (!(file << json.dump(2) << '\n')) throw ricci::InputError(fmt::format("{}: cannot be written", path));
}

}  // namespace

void bench_redistribute(ricci::World& world, const RedistributeArguments& arguments) {
  if (world.size() < 2) {
    throw ricci::InputError(
        "bench redistribute moves data between ranks; run it as mpirun -n 2 ricci bench redistribute");
  }
  const Measure measure(world, arguments.repeat);
  const ricci::Symmetry pairs = ricci::symmetric(0, 1) * ricci::symmetric(2, 3);
  std::vector<Figure> figures;
  run_layouts(measure, "dense 48^4", {}, figures);
  run_layouts(measure, "two symmetric pairs", pairs, figures);
  run_keys(measure, figures);
  run_dense(measure, "dense 48^4", {}, figures);
  run_dense(measure, "two symmetric pairs", pairs, figures);
  if (world.rank() != 0) return;
  fmt::print("{} ranks; a figure is at most the bar\n", world.size());
  for (const Figure& row : figures) {
    fmt::print("  {:<44} {:9.3f} ms  {:8.2f} {:<24} bar {:5.1f}  {}\n", row.name, row.milliseconds, row.figure,
               row.unit, row.bar, row.figure <= row.bar ? "pass" : "above");
  }
  if (!arguments.json.empty()) write_json(arguments.json, world.size(), figures);
}

}  // namespace cli
