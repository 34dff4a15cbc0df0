#pragma once
// Suites as a table and as JSON.
#include <string>
#include <vector>

#include "bench_local.hpp"

namespace cli {

/// The machine and the baselines; what every figure has to be read with.
struct BenchHeader {
  std::string cpu;
  int threads = 1;
  std::string blas_core;
  std::string blas_core_setting;  // OPENBLAS_CORETYPE, or empty
  double dgemm_rate = 0;
  double copy_rate = 0;
};

BenchHeader header_of(Bench& bench);

void print(const BenchHeader& header);
void print(const Suite& suite);

/// InputError where the file cannot be written.
void write_json(const std::string& path, const BenchHeader& header, const std::vector<Suite>& suites);

}  // namespace cli
