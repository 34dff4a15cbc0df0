// J and K from quartets that are made once for all of their eight permutations.
#include <algorithm>

#include "integrals/for_each_quartet.hpp"
#include "integrals/on_threads.hpp"
#include "ranks/ranks.hpp"

namespace cc {
namespace {

std::span<double> elements(Eigen::MatrixXd& matrix) { return {matrix.data(), static_cast<std::size_t>(matrix.size())}; }

/// What quartets add to J and K, up to their symmetric part: X + X^T is wanted. With v = (pq|rs) times the number of
/// different quartets among its permutations:
///   J_pq += D_rs v / 4    J_rs += D_pq v / 4
///   K_pr += D_qs v / 8    K_qr += D_ps v / 8    K_ps += D_qr v / 8    K_qs += D_pr v / 8
class Accumulator {
 public:
  Accumulator(const Repulsion& repulsion, const Eigen::MatrixXd& total, std::span<const Eigen::MatrixXd> densities)
      : repulsion_(repulsion), total_(total), densities_(densities), sums_{.coulomb = zero(total), .exchange = {}} {
    sums_.exchange.assign(densities.size(), zero(total));
  }

  void add(const ShellPair& bra, const ShellPair& ket, const double* values) {
    const double different =
        (bra.p == bra.q ? 1 : 2) * (ket.p == ket.q ? 1 : 2) * (bra.p == ket.p && bra.q == ket.q ? 1 : 2);
    const int p0 = repulsion_.first(bra.p), p1 = p0 + repulsion_.size(bra.p);
    const int q0 = repulsion_.first(bra.q), q1 = q0 + repulsion_.size(bra.q);
    const int r0 = repulsion_.first(ket.p), r1 = r0 + repulsion_.size(ket.p);
    const int s0 = repulsion_.first(ket.q), s_count = repulsion_.size(ket.q);
    for (int p = p0; p < p1; ++p) {
      for (int q = q0; q < q1; ++q) {
        for (int r = r0; r < r1; ++r, values += s_count) {
          add_coulomb({p, q, r}, s0, s_count, different / 4, values);
          for (std::size_t d = 0; d < densities_.size(); ++d)
            add_exchange(densities_[d], sums_.exchange[d], {p, q, r}, s0, s_count, different / 8, values);
        }
      }
    }
  }

  CoulombExchange& sums() { return sums_; }

 private:
  struct Indices {
    int p, q, r;
  };

  static Eigen::MatrixXd zero(const Eigen::MatrixXd& like) { return Eigen::MatrixXd::Zero(like.rows(), like.cols()); }

  void add_coulomb(Indices i, int s0, int count, double scale, const double* values) {
    const double* d_r = &total_(s0, i.r);
    double* j_r = &sums_.coulomb(s0, i.r);
    const double d_pq = scale * total_(i.p, i.q);
    double sum = 0;
    for (int s = 0; s < count; ++s) {
      sum += d_r[s] * values[s];
      j_r[s] += d_pq * values[s];
    }
    sums_.coulomb(i.p, i.q) += scale * sum;
  }

  static void add_exchange(const Eigen::MatrixXd& density, Eigen::MatrixXd& k, Indices i, int s0, int count,
                           double scale, const double* values) {
    const double *d_p = &density(s0, i.p), *d_q = &density(s0, i.q);
    double *k_p = &k(s0, i.p), *k_q = &k(s0, i.q);
    const double d_rq = scale * density(i.r, i.q), d_rp = scale * density(i.r, i.p);
    double sum_p = 0, sum_q = 0;
    for (int s = 0; s < count; ++s) {
      sum_p += d_q[s] * values[s];
      sum_q += d_p[s] * values[s];
    }
    for (int s = 0; s < count; ++s) k_p[s] += d_rq * values[s];
    for (int s = 0; s < count; ++s) k_q[s] += d_rp * values[s];
    k(i.r, i.p) += scale * sum_p;
    k(i.r, i.q) += scale * sum_q;
  }

  const Repulsion& repulsion_;
  const Eigen::MatrixXd& total_;
  std::span<const Eigen::MatrixXd> densities_;
  CoulombExchange sums_;
};

}  // namespace

bool TwoElectron::negligible(const ShellPair& bra, const ShellPair& ket, const Eigen::MatrixXd& largest) const {
  const double density = std::max({largest(bra.p, bra.q), largest(ket.p, ket.q), largest(bra.p, ket.p),
                                   largest(bra.p, ket.q), largest(bra.q, ket.p), largest(bra.q, ket.q)});
  return bra.bound * ket.bound * density < pairs_.threshold();
}

Eigen::MatrixXd TwoElectron::largest_densities(std::span<const Eigen::MatrixXd> densities) const {
  Eigen::MatrixXd largest = Eigen::MatrixXd::Zero(repulsion_.shells(), repulsion_.shells());
  for (const Eigen::MatrixXd& density : densities) {
    for (int p = 0; p < repulsion_.shells(); ++p) {
      for (int q = 0; q < repulsion_.shells(); ++q) {
        const double most =
            density.block(repulsion_.first(p), repulsion_.first(q), repulsion_.size(p), repulsion_.size(q))
                .cwiseAbs()
                .maxCoeff();
        largest(p, q) += most;
      }
    }
  }
  return largest;
}

CoulombExchange TwoElectron::coulomb_exchange(std::span<const Eigen::MatrixXd> densities) {
  Eigen::MatrixXd total = Eigen::MatrixXd::Zero(functions(), functions());
  for (const Eigen::MatrixXd& density : densities) total += density;
  const Eigen::MatrixXd largest = largest_densities(densities);
  std::vector<Accumulator> accumulators(static_cast<std::size_t>(threads_), Accumulator(repulsion_, total, densities));
  on_threads(threads_, [&](int thread) {
    const Repulsion::Loan engine(repulsion_);
    Accumulator& accumulator = accumulators[static_cast<std::size_t>(thread)];
    for (Row& row : rows_[static_cast<std::size_t>(thread)]) {
      for_each_quartet(row, *engine, largest, [&](const ShellPair& bra, const ShellPair& ket, const double* values) {
        accumulator.add(bra, ket, values);
      });
    }
  });
  CoulombExchange result = std::move(accumulators[0].sums());
  for (std::size_t thread = 1; thread < accumulators.size(); ++thread) {
    result.coulomb += accumulators[thread].sums().coulomb;
    for (std::size_t d = 0; d < densities.size(); ++d) result.exchange[d] += accumulators[thread].sums().exchange[d];
  }
  const auto finish = [](Eigen::MatrixXd& matrix) {
    matrix = (matrix + matrix.transpose()).eval();
    ranks::sum(elements(matrix));
  };
  finish(result.coulomb);
  for (Eigen::MatrixXd& exchange : result.exchange) finish(exchange);
  return result;
}

}  // namespace cc
