// ricci bench disk: Table 9 of seed 004, run for real.
#include "bench_disk.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/mpi.hpp>
#include <ricci/ricci.hpp>

#include "disk_speed.hpp"
#include "timing.hpp"

namespace cli {
namespace {

/// In the order of Table 9, with its predicted and measured seconds.
struct Method {
  const char* name;
  double paper_predicted, paper_measured;
};
constexpr Method methods[] = {{"inside rotation", 25.28, 28.8827},          {"outside rotation", 75.42, 70.1237},
                              {"inside replication of A", 24.718, 23.5525}, {"outside replication of A", 56.9, 63.1590},
                              {"inside accumulation", 53.792, 54.7575},     {"outside accumulation", 73.792, 78.6768}};

constexpr const char* text = R"(
space n = 1
space m = 1
index i j : n
index k : m
input A[i,k] random(1)
input B[j,k] random(2)
output C[i,j] disk
C[i,j] = A[i,k] * B[j,k]
)";

struct Figure {
  Method method;
  double predicted = 0, measured = 0, network = 0, all = 0, moves = 0;  // seconds, of the slowest rank
  double read = 0, written = 0, sent = 0;                               // bytes, of the rank that has most
  bool exact = true;                                                    // all ranks' bytes are the predicted ones
};

double reduced(double value, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
  return value;
}

/// Bytes a second of messages from memory that no cache holds, from each rank to the next: in the mean, as ranks share
/// what there is.
double message_rate(const ricci::World& world) {
  constexpr int piece = 4'000'000, pieces = 16, turns = 4;
  const int next = (world.rank() + 1) % world.size(), before = (world.rank() + world.size() - 1) % world.size();
  std::vector<char> out(static_cast<std::size_t>(piece) * pieces, 1), in(static_cast<std::size_t>(piece));
  double seconds = 0;
  for (int turn = 0; turn <= turns; ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double once = seconds_of([&] {
      for (int n = 0; n < pieces; ++n) {
        char* const place = out.data() + static_cast<std::size_t>(n) * piece;
        MPI_Sendrecv(place, piece, MPI_BYTE, next, 0, in.data(), piece, MPI_BYTE, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        std::copy(in.begin(), in.end(), place);
      }
    });
    if (turn > 0) seconds += once;  // the first one touches memory
  }
  return turns * static_cast<double>(pieces) * piece / reduced(seconds, MPI_MAX);
}

/// All ranks at once, as they share what there is; the best of some times, as of the methods.
ricci::MachineModel measure(const ricci::World& world, const DiskArguments& arguments) {
  ricci::MachineModel machine;
  machine.network_bandwidth = machine.disk_read_bandwidth = machine.disk_write_bandwidth = 0;
  machine.disk_latency = 1;
  for (int n = 0; n < arguments.repeat; ++n) {
    machine.network_bandwidth = std::max(machine.network_bandwidth, message_rate(world));
    MPI_Barrier(MPI_COMM_WORLD);
    // One tile after the other, as the methods do without reading ahead.
    const DiskSpeed disk =
        speed_of_disk(scratch_place(arguments.scratch), {.block = 2 << 20, .blocks = 128, .at_once = 1});
    const double read = reduced(disk.read_bandwidth, MPI_SUM), written = reduced(disk.write_bandwidth, MPI_SUM);
    machine.disk_read_bandwidth = std::max(machine.disk_read_bandwidth, read / world.size());
    machine.disk_write_bandwidth = std::max(machine.disk_write_bandwidth, written / world.size());
    machine.disk_latency = std::min(machine.disk_latency, reduced(disk.latency, MPI_MAX));
  }
  return machine;
}

bool exact(const ricci::ParallelDiskReport& report) {
  return report.sent_bytes == report.predicted_sent_bytes && report.disk_read_bytes == report.predicted_read_bytes &&
         report.disk_written_bytes == report.predicted_written_bytes;
}

void run(ricci::World& world, const DiskArguments& arguments, const ricci::MachineModel& machine, Figure& figure) {
  ricci::Options options = world.options();
  options.memory_limit = ricci::parse_bytes(arguments.memory, "--memory");
  options.threads = 1;
  options.read_ahead = false;  // the paper's methods overlap nothing, and nor do its formulas
  options.disk_method = figure.method.name;
  world.set_options(options);
  const auto program =
      ricci::Program::parse(text, "bench disk", {.spaces = {{"n", arguments.extent}, {"m", arguments.depth}}});
  const auto plan = ricci::plan(program, world.size(), machine, options);
  MPI_Barrier(MPI_COMM_WORLD);
  const auto report = plan.run(world, {.scratch = arguments.scratch});
  if (report.parallel_disk.empty()) {
    throw ricci::InputError(fmt::format("{} does not fit into {} for matrices of {} x {}; give --memory more",
                                        figure.method.name, arguments.memory, arguments.extent, arguments.depth));
  }
  const ricci::ParallelDiskReport& product = report.parallel_disk.front();
  const double overhead = reduced(product.disk_seconds + product.network_seconds, MPI_MAX);
  if (figure.measured == 0 || overhead < figure.measured) {
    figure.measured = overhead;
    figure.all = reduced(product.seconds, MPI_MAX);
    figure.moves = reduced(product.move_seconds, MPI_MAX);
    figure.network = reduced(product.network_seconds, MPI_MAX);
  } else {
    reduced(0, MPI_MAX);
    reduced(0, MPI_MAX);
    reduced(0, MPI_MAX);
  }
  figure.predicted = product.predicted_seconds;
  figure.read = reduced(static_cast<double>(product.disk_read_bytes), MPI_MAX);
  figure.written = reduced(static_cast<double>(product.disk_written_bytes), MPI_MAX);
  figure.sent = reduced(static_cast<double>(product.sent_bytes), MPI_MAX);
  const bool whole = report.disk_read_bytes == report.predicted_read_bytes &&
                     report.disk_written_bytes == report.predicted_written_bytes;
  figure.exact = reduced(exact(product) && whole ? 1 : 0, MPI_MIN) == 1 && figure.exact;
}

/// [place]: the method that comes there, fastest first.
template <class F>
std::vector<int> order(const std::vector<Figure>& figures, F seconds) {
  std::vector<int> numbers(figures.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](int x, int y) { return seconds(figures[x]) < seconds(figures[y]); });
  return numbers;
}

std::string names(const std::vector<Figure>& figures, const std::vector<int>& order) {
  std::string all;
  for (const int n : order) all += fmt::format("{}{}", all.empty() ? "" : " < ", figures[n].method.name);
  return all;
}

void print(const ricci::MachineModel& machine, const std::vector<Figure>& figures, bool same) {
  fmt::print("a rank, with all at work: disk {:.0f} MB/s read, {:.0f} MB/s written; network {:.0f} MB/s\n",
             machine.disk_read_bandwidth / 1e6, machine.disk_write_bandwidth / 1e6, machine.network_bandwidth / 1e6);
  fmt::print("{:<26} {:>9} {:>9} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}  {}\n", "", "predicted", "measured", "ratio",
             "network s", "all s", "moves s", "MB read", "written", "sent", "bytes");
  for (const Figure& f : figures) {
    fmt::print("{:<26} {:>9.3f} {:>9.3f} {:>6.2f} {:>9.3f} {:>8.2f} {:>8.2f} {:>8.1f} {:>8.1f} {:>8.1f}  {}\n",
               f.method.name, f.predicted, f.measured, f.measured / f.predicted, f.network, f.all, f.moves,
               f.read / 1e6, f.written / 1e6, f.sent / 1e6, f.exact ? "as predicted" : "NOT as predicted");
  }
  const auto predicted = order(figures, [](const Figure& f) { return f.predicted; });
  const auto measured = order(figures, [](const Figure& f) { return f.measured; });
  fmt::print("predicted: {}\n", names(figures, predicted));
  fmt::print("measured:  {}\n", names(figures, measured));
  fmt::print("Table 9:   {}\n",
             names(figures, order(figures, [](const Figure& f) { return f.method.paper_measured; })));
  fmt::print("the measured order is {}\n", same ? "the predicted one" : "NOT the predicted one");
}

void write_json(const std::string& path, const std::vector<Figure>& figures, bool same) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Figure& f : figures) {
    rows.push_back({{"method", f.method.name},
                    {"predicted_seconds", f.predicted},
                    {"measured_seconds", f.measured},
                    {"all_seconds", f.all},
                    {"read_bytes", f.read},
                    {"written_bytes", f.written},
                    {"sent_bytes", f.sent},
                    {"bytes_as_predicted", f.exact},
                    {"paper_predicted_seconds", f.method.paper_predicted},
                    {"paper_measured_seconds", f.method.paper_measured}});
  }
  std::ofstream file(path);
  file << nlohmann::json{{"rows", rows}, {"same_order", same}}.dump(2) << '\n';
  if (!file) throw ricci::InputError(fmt::format("cannot write {}", path));
}

}  // namespace

void bench_disk(ricci::World& world, const DiskArguments& arguments) {
  const ricci::MachineModel machine = measure(world, arguments);
  std::vector<Figure> figures;
  for (const Method& method : methods) figures.push_back({method});
  for (int n = 0; n < arguments.repeat; ++n) {
    for (Figure& figure : figures) run(world, arguments, machine, figure);
  }
  const bool same = order(figures, [](const Figure& f) { return f.predicted; }) ==
                    order(figures, [](const Figure& f) { return f.measured; });
  if (world.rank() != 0) return;
  print(machine, figures, same);
  if (!arguments.json.empty()) write_json(arguments.json, figures, same);
}

}  // namespace cli
