#include "triples/triples_factors.hpp"

#include <algorithm>

#include <ricci/expression.hpp>

#include "triples/alone.hpp"

using ricci::Tensor;
using ricci::World;

namespace cc {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

TriplesFactors::TriplesFactors(const ClosedShellTriples& input, int threads, std::int64_t at_once)
    : input_(input),
      world_(alone(input.t2.world(), threads)),
      o_(std::ssize(input.occupied_energies)),
      v_(std::ssize(input.virtual_energies)),
      at_once_(at_once),
      singles_(at(o_ * v_)),
      t2_(input.t2.gather()),
      exchange_(at(o_ * o_ * v_ * v_)),
      abc_(world_, {v_, v_, v_}),
      acb_(world_, {v_, v_, v_}),
      bca_(world_, {v_, v_, v_}) {
  const std::vector<double> t1 = input.t1.gather(), k = input.k.gather();
  for (std::int64_t a = 0; a < v_; ++a) {
    for (std::int64_t i = 0; i < o_; ++i) singles_[at(i * v_ + a)] = t1[at(a * o_ + i)];
  }
  for (std::int64_t ab = 0; ab < v_ * v_; ++ab) {
    for (std::int64_t ij = 0; ij < o_ * o_; ++ij) exchange_[at(ij * v_ * v_ + ab)] = k[at(ab * o_ * o_ + ij)];
  }
  make_s();
}

std::int64_t TriplesFactors::bytes(std::int64_t o, std::int64_t v, std::int64_t at_once) {
  const std::int64_t doubles = o * o * v * v, s = o * o * v * (v + o);
  const std::int64_t integrals = 3 * at_once * v * v * v, one_g = v * v * (v + o);  // a half, and two gathered wholes
  return static_cast<std::int64_t>(sizeof(double)) *
         (2 * doubles + 3 * v * v * v + std::max(doubles, s + integrals + one_g));
}

void TriplesFactors::make_s() {
  const std::vector<double> m = input_.m.gather();
  std::vector<double> values(at(v_ * (v_ + o_)));
  for (std::int64_t k = 0; k < o_; ++k) {
    for (std::int64_t j = 0; j < o_; ++j) {
      for (std::int64_t c = 0; c < v_; ++c) {
        double* row = &values[at(c * (v_ + o_))];
        for (std::int64_t d = 0; d < v_; ++d) row[d] = t2_[at(((c * v_ + d) * o_ + k) * o_ + j)];
        for (std::int64_t l = 0; l < o_; ++l) row[v_ + l] = m[at(((j * o_ + l) * o_ + k) * v_ + c)];
      }
      s_.emplace_back(world_, ricci::Extents{v_, v_ + o_}).assign_dense(values);
    }
  }
}

const Tensor<double>& TriplesFactors::s(std::int64_t k, std::int64_t j) const { return s_[at(k * o_ + j)]; }

std::vector<Tensor<double>> TriplesFactors::g(std::int64_t lo, std::int64_t hi) const {
  std::vector<Tensor<double>> result;
  std::vector<double> values(at(v_ * v_ * (v_ + o_))), integrals;
  for (std::int64_t i = lo; i < hi; ++i) {
    const std::int64_t nth = (i - lo) % at_once_;
    if (nth == 0) integrals = input_.integrals(i, std::min(i + at_once_, hi));
    for (std::int64_t b = 0; b < v_; ++b) {
      for (std::int64_t a = 0; a < v_; ++a) {
        double* row = &values[at((a * v_ + b) * (v_ + o_))];
        std::copy_n(&integrals[at(((nth * v_ + b) * v_ + a) * v_)], v_, row);
        std::transform(&t2_[at(((a * v_ + b) * o_ + i) * o_)], &t2_[at(((a * v_ + b) * o_ + i) * o_)] + o_, row + v_,
                       std::negate<>());
      }
    }
    result.emplace_back(world_, ricci::Extents{v_, v_, v_ + o_}).assign_dense(values);
  }
  return result;
}

const Tensor<double>& TriplesFactors::compute_w(std::array<const Tensor<double>*, 3> g,
                                                std::array<std::int64_t, 3> ijk) {
  const auto [i, j, k] = ijk;
  const Tensor<double>&gi = *g[0], &gj = *g[1], &gk = *g[2];
  abc_["abc"] = gj["bax"] * s(k, i)["cx"];
  bca_["bca"] = gj["bcx"] * s(i, k)["ax"];
  if (i != j) abc_["abc"] += gi["abx"] * s(k, j)["cx"];
  if (j != k) bca_["bca"] += gk["cbx"] * s(i, j)["ax"];
  abc_["abc"] += bca_["bca"];
  if (i != j && j != k) {
    acb_["acb"] = gi["acx"] * s(j, k)["bx"];
    acb_["acb"] += gk["cax"] * s(j, i)["bx"];
    abc_["abc"] += acb_["acb"];
  }
  return abc_;
}

OccupiedTriple TriplesFactors::triple(std::array<std::int64_t, 3> ijk) const {
  OccupiedTriple result;
  for (std::size_t p = 0; p < 3; ++p) {
    result.singles[p] = &singles_[at(ijk[p] * v_)];
    result.energy += input_.occupied_energies[at(ijk[p])];
    for (std::size_t q = 0; q < 3; ++q) result.exchange[p][q] = &exchange_[at((ijk[p] * o_ + ijk[q]) * v_ * v_)];
  }
  result.first_two_alike = ijk[0] == ijk[1];
  result.last_two_alike = ijk[1] == ijk[2];
  return result;
}

}  // namespace cc
