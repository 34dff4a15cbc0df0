#pragma once
#include <algorithm>
#include <utility>

#include "integrals/two_electron.hpp"

namespace cc {

template <class F>
void TwoElectron::for_each_quartet(const Row& row, Repulsion::Engine& engine, F f) const {
  const ShellPair& bra = pairs_[row.pair];
  const double* kept = row.kept.data();
  for (std::size_t j = 0; j < pairs_.partners(row.pair); ++j) {
    const ShellPair& ket = pairs_[j];
    if (!row.kept.empty()) {
      f(bra, ket, kept);
      kept += bra.values * ket.values;
    } else if (const double* values = engine.compute(bra.p, bra.q, ket.p, ket.q)) {
      f(bra, ket, values);
    }
  }
}

template <class F>
void TwoElectron::for_each_quartet(Row& row, Repulsion::Engine& engine, const Eigen::MatrixXd& largest, F f) const {
  if (row.keep && row.kept.empty()) {
    std::vector<double> kept(row.values, 0);
    double* place = kept.data();
    for (std::size_t j = 0; j < pairs_.partners(row.pair); ++j) {
      const ShellPair &bra = pairs_[row.pair], &ket = pairs_[j];
      const std::size_t size = bra.values * ket.values;
      if (const double* values = engine.compute(bra.p, bra.q, ket.p, ket.q)) std::copy_n(values, size, place);
      place += size;
    }
    row.kept = std::move(kept);
  }
  if (row.keep) return for_each_quartet(std::as_const(row), engine, f);
  const ShellPair& bra = pairs_[row.pair];
  for (std::size_t j = 0; j < pairs_.partners(row.pair); ++j) {
    const ShellPair& ket = pairs_[j];
    if (negligible(bra, ket, largest)) continue;
    if (const double* values = engine.compute(bra.p, bra.q, ket.p, ket.q)) f(bra, ket, values);
  }
}

}  // namespace cc
