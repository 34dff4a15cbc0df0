#include "methods/spin_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace cc {

using ricci::Tensor;

SpinBlocks::SpinBlocks(const ScfResult& scf, const Tensor<double>& ao, int frozen_core) : world_(ao.world()) {
  const int fewest = std::min(scf.alpha_electrons, scf.beta_electrons);
  if (frozen_core < 0 || frozen_core > fewest)
    throw ricci::InputError(fmt::format(
        "{} orbitals cannot be left out of the correlation: there are {} electrons of one spin", frozen_core, fewest));
  const auto active = [&](const Eigen::VectorXd& energies, int electrons) {
    return Orbitals{energies.tail(energies.size() - frozen_core), electrons - frozen_core};
  };
  alpha_ = active(scf.alpha_energies, scf.alpha_electrons);
  beta_ = active(scf.beta_energies, scf.beta_electrons);
  const Eigen::MatrixXd alpha = scf.alpha.rightCols(alpha_.energies.size());
  const Eigen::MatrixXd beta = scf.beta.rightCols(beta_.energies.size());
  alpha_alpha_ = transformed(ao, alpha, alpha);
  alpha_beta_ = transformed(ao, alpha, beta);
  beta_beta_ = transformed(ao, beta, beta);
}

ricci::SpinOptions SpinBlocks::spaces() const {
  const auto virtuals = [](const Orbitals& orbitals) { return orbitals.energies.size() - orbitals.occupied; };
  return {.spaces = {{"no", {.alpha_extent = alpha_.occupied, .beta_extent = beta_.occupied}},
                     {"nv", {.alpha_extent = virtuals(alpha_), .beta_extent = virtuals(beta_)}}}};
}

Tensor<double> SpinBlocks::make(const ricci::GivenDeclaration& block) const {
  const std::size_t cut = block.name.rfind('_');
  const std::string what = block.name.substr(0, cut), spins = block.name.substr(cut + 1);
  if (what == "e" || what == "f") {
    const OrbitalRange at = range({what == "e" ? 'o' : 'v', spins[0]});
    return as_tensor(world_, Eigen::VectorXd(of(spins[0]).energies.segment(at.first, at.count())));
  }
  std::array<Mode, 4> modes{};
  for (std::size_t m = 0; m < spins.size(); ++m) modes.at(m) = {what.at(m + 1), spins[m]};
  if (what[0] == 'f') return fock(modes[0], modes[1]);
  if (what[0] == 'V') return antisymmetrised(modes, block);
  throw ricci::InternalError("no integrals are called " + block.name);
}

OrbitalRange SpinBlocks::range(Mode mode) const {
  const Orbitals& orbitals = of(mode.spin);
  if (mode.space == 'o') return {0, orbitals.occupied};
  return {orbitals.occupied, orbitals.energies.size()};
}

/// Of canonical orbitals.
Tensor<double> SpinBlocks::fock(Mode p, Mode q) const {
  const OrbitalRange rows = range(p), columns = range(q);
  if (p.space != q.space) return {world_, {rows.count(), columns.count()}};
  return as_tensor(world_, Eigen::MatrixXd(of(p.spin).energies.segment(rows.first, rows.count()).asDiagonal()));
}

/// <pq||rs> = (pr|qs) - (ps|qr), each where the spins of its pairs are alike.
Tensor<double> SpinBlocks::antisymmetrised(const std::array<Mode, 4>& modes,
                                           const ricci::GivenDeclaration& block) const {
  const auto [p, q, r, s] = modes;
  Tensor<double> result(world_, block.extents, block.symmetry);
  const bool direct = p.spin == r.spin && q.spin == s.spin, exchange = p.spin == s.spin && q.spin == r.spin;
  if (direct) {
    // Each antisymmetric pair of the result adds the exchange. Two of them do so twice: (pr|qs) is (qs|pr).
    const double factor = block.symmetry.groups().size() == 2 ? 0.5 : 1;
    const Box pairs = box({p, r, q, s}, "prqs");
    result["pqrs"] = factor * pairs.tensor[pairs.labels];
  }
  if (exchange && block.symmetry.empty()) {
    const Box pairs = box({p, s, q, r}, "psqr");
    result["pqrs"] -= pairs.tensor[pairs.labels];
  }
  return result;
}

SpinBlocks::Box SpinBlocks::box(const std::array<Mode, 4>& modes, const std::string& labels) const {
  const auto [p, q, r, s] = modes;
  if (p.spin == 'b' && r.spin == 'a') return box({r, s, p, q}, labels.substr(2) + labels.substr(0, 2));
  const Tensor<double>& all = p.spin != r.spin ? alpha_beta_ : p.spin == 'a' ? alpha_alpha_ : beta_beta_;
  return {block_of(all, range(p), range(q), range(r), range(s)), labels};
}

}  // namespace cc
