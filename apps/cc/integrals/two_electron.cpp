#include "integrals/two_electron.hpp"

#include <algorithm>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#include "ranks/ranks.hpp"

namespace cc {
namespace {

/// Ranks may all be on one machine.
std::int64_t memory_to_keep(std::int64_t asked) {
  if (asked > 0) return asked;
  return std::int64_t{sysconf(_SC_PHYS_PAGES)} * std::int64_t{sysconf(_SC_PAGESIZE)} / 2 / ranks::size();
}

}  // namespace

TwoElectron::TwoElectron(const Molecule& molecule, const BasisSet& basis, const TwoElectronOptions& options)
    : threads_(std::max(1, options.threads)),
      repulsion_(molecule, basis),
      pairs_(repulsion_, threads_, options.threshold) {
  const std::vector<std::vector<std::size_t>> shares = pairs_.deal(ranks::size() * threads_);
  for (int thread = 0; thread < threads_; ++thread) {
    std::int64_t room = memory_to_keep(options.memory_bytes) / threads_;
    std::vector<Row>& rows = rows_.emplace_back();
    for (const std::size_t i : shares[static_cast<std::size_t>(ranks::rank() * threads_ + thread)]) {
      Row row{.pair = i};
      for (std::size_t j = 0; j < pairs_.partners(i); ++j) row.values += pairs_[i].values * pairs_[j].values;
      const auto bytes = static_cast<std::int64_t>(row.values * sizeof(double));
      row.keep = bytes <= room;
      if (row.keep) room -= bytes;
      rows.push_back(std::move(row));
    }
  }
}

void TwoElectron::forget() {
  for (std::vector<Row>& rows : rows_) {
    for (Row& row : rows) std::vector<double>().swap(row.kept);  // `= {}` would keep the memory
  }
#ifdef __GLIBC__
  malloc_trim(0);  // many small pieces: the heap would keep them, and a memory limit be passed by what others take
#endif
}

std::int64_t TwoElectron::kept_bytes() const {
  std::size_t bytes = 0;
  for (const std::vector<Row>& rows : rows_) {
    for (const Row& row : rows) bytes += row.kept.size() * sizeof(double);
  }
  return static_cast<std::int64_t>(bytes);
}

}  // namespace cc
