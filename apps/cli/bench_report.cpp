#include "bench_report.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/error.hpp>

#include "blas.hpp"

namespace cli {
namespace {

const char* verdict(bool passes) { return passes ? "pass" : "below"; }

const char* unit_of(const Suite& suite) { return suite.against == Against::dgemm ? "GF/s" : "GB/s"; }

std::string rate_of(const Suite& suite, const Row& row) {
  if (suite.against == Against::nothing) return fmt::format("{:>13}", "");
  return fmt::format("{:8.1f} {}", row.work / row.seconds * 1e-9, unit_of(suite));
}

std::string speedup_of(const Row& row) {
  return row.seconds_one_thread ? fmt::format("  speed-up {:.2f}", *row.seconds_one_thread / row.seconds) : "";
}

nlohmann::ordered_json json_of(const Suite& suite, const Row& row) {
  nlohmann::ordered_json json = {{"name", row.name},     {"group", row.group}, {"seconds", row.seconds},
                                 {"figure", row.figure}, {"bar", row.bar},     {"pass", passes(suite, row)}};
  if (suite.against != Against::nothing) json["rate"] = row.work / row.seconds;
  if (row.seconds_one_thread) json["seconds_one_thread"] = *row.seconds_one_thread;
  return json;
}

nlohmann::ordered_json json_of(const Suite& suite) {
  nlohmann::ordered_json json = {{"name", suite.name}, {"about", suite.about}};
  if (suite.against != Against::nothing) {
    json["baseline_best"] = suite.best_baseline;
    json["baseline_slowest"] = suite.slowest_baseline;
  }
  json["rows"] = nlohmann::ordered_json::array();
  json["geometric_means"] = nlohmann::ordered_json::array();
  for (const Row& row : suite.rows) json["rows"].push_back(json_of(suite, row));
  for (const Mean& mean : suite.means) {
    json["geometric_means"].push_back({{"name", mean.name}, {"figure", mean.figure}, {"bar", mean.bar}});
  }
  return json;
}

}  // namespace

BenchHeader header_of(Bench& bench) {
  const char* const setting = std::getenv("OPENBLAS_CORETYPE");
  return {cpu_name(),
          bench.arguments().threads,
          blas_core(),
          setting == nullptr ? "" : setting,
          bench.baseline().rate(Against::dgemm),
          bench.baseline().rate(Against::copy)};
}

void print(const BenchHeader& header) {
  const auto setting =
      header.blas_core_setting.empty() ? "" : fmt::format(" (OPENBLAS_CORETYPE={})", header.blas_core_setting);
  fmt::print("{}, {} thread{}\n", header.cpu, header.threads, header.threads == 1 ? "" : "s");
  fmt::print("OpenBLAS kernels {}{}; dgemm {:.1f} GF/s at n = 2048; copy {:.1f} GB/s read and written\n",
             header.blas_core, setting, header.dgemm_rate * 1e-9, header.copy_rate * 1e-9);
}

void print(const Suite& suite) {
  fmt::print("\n{}: {}\n", suite.name, suite.about);
  if (suite.against != Against::nothing) {
    fmt::print("  baseline {:.1f} {}, the best of this run; the slowest between these rows {:.1f}\n",
               suite.best_baseline * 1e-9, unit_of(suite), suite.slowest_baseline * 1e-9);
  }
  std::size_t width = 20;
  for (const Row& row : suite.rows) width = std::max(width, row.name.size());
  for (const Row& row : suite.rows) {
    fmt::print("  {:<{}}  {:10.3f} ms  {}  {:6.3f}  bar {:6.3f}  {:5}{}\n", row.name, width, row.seconds * 1e3,
               rate_of(suite, row), row.figure, row.bar, verdict(passes(suite, row)), speedup_of(row));
  }
  for (const Mean& mean : suite.means) {
    fmt::print("  {:<{}}  {:>28}  {:6.3f}  bar {:6.3f}  {}\n", mean.name, width, "geometric mean", mean.figure,
               mean.bar, verdict(mean.figure >= mean.bar));
  }
  const auto passed =
      std::count_if(suite.rows.begin(), suite.rows.end(), [&](const Row& row) { return passes(suite, row); });
  fmt::print("  {} of {} rows pass\n", passed, suite.rows.size());
  std::fflush(stdout);
}

void write_json(const std::string& path, const BenchHeader& header, const std::vector<Suite>& suites) {
  nlohmann::ordered_json json = {{"cpu", header.cpu},
                                 {"threads", header.threads},
                                 {"openblas_core", header.blas_core},
                                 {"openblas_coretype", header.blas_core_setting},
                                 {"dgemm_flops", header.dgemm_rate},
                                 {"copy_bandwidth", header.copy_rate}};
  json["suites"] = nlohmann::ordered_json::array();
  for (const Suite& suite : suites) json["suites"].push_back(json_of(suite));
  std::ofstream out(path);
  out << json.dump(2) << '\n';
  out.close();
  if (!out) throw ricci::InputError(fmt::format("{}: cannot write it", path));
}

}  // namespace cli
