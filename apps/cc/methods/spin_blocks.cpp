#include "methods/spin_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace cc {

using ricci::Tensor;

SpinBlocks::SpinBlocks(const ricci::World& world, const ScfResult& scf, int frozen_core) : world_(world) {
  const int fewest = std::min(scf.alpha_electrons, scf.beta_electrons);
  if (frozen_core < 0 || frozen_core > fewest)
    throw ricci::InputError(fmt::format(
        "{} orbitals cannot be left out of the correlation: there are {} electrons of one spin", frozen_core, fewest));
  const auto active = [&](const Eigen::MatrixXd& coefficients, const Eigen::VectorXd& energies, int electrons) {
    const Eigen::Index count = energies.size() - frozen_core;
    return Orbitals{coefficients.rightCols(count), energies.tail(count), electrons - frozen_core};
  };
  alpha_ = active(scf.alpha, scf.alpha_energies, scf.alpha_electrons);
  beta_ = active(scf.beta, scf.beta_energies, scf.beta_electrons);
}

ricci::SpinOptions SpinBlocks::spaces() const {
  const auto virtuals = [](const Orbitals& orbitals) { return orbitals.energies.size() - orbitals.occupied; };
  return {.spaces = {{"no", {.alpha_extent = alpha_.occupied, .beta_extent = beta_.occupied}},
                     {"nv", {.alpha_extent = virtuals(alpha_), .beta_extent = virtuals(beta_)}}}};
}

std::vector<OrbitalSet> SpinBlocks::sets() const {
  std::vector<OrbitalSet> result;
  for (const char spin : {'a', 'b'}) {
    const Orbitals& orbitals = of(spin);
    result.push_back({std::string("o") + spin, orbitals.coefficients.leftCols(orbitals.occupied)});
    result.push_back(
        {std::string("v") + spin, orbitals.coefficients.rightCols(orbitals.coefficients.cols() - orbitals.occupied)});
  }
  return result;
}

std::array<SpinBlocks::Mode, 4> SpinBlocks::modes_of(const std::string& name) {
  const std::size_t cut = name.rfind('_');
  std::array<Mode, 4> modes{};
  for (std::size_t m = 0; cut + 1 + m < name.size(); ++m) modes.at(m) = {name.at(m + 1), name[cut + 1 + m]};
  return modes;
}

Tensor<double> SpinBlocks::make(const ricci::GivenDeclaration& block) const {
  const std::string what = block.name.substr(0, block.name.rfind('_'));
  if (what == "e" || what == "f") {
    const char spin = block.name.back();
    const Range at = range({what == "e" ? 'o' : 'v', spin});
    return as_tensor(world_, Eigen::VectorXd(of(spin).energies.segment(at.first, at.count())));
  }
  if (what == "G2") return inverse_gaps(block);
  const std::array<Mode, 4> modes = modes_of(block.name);
  if (what == "foo" || what == "fov" || what == "fvv") return fock(modes[0], modes[1]);
  throw ricci::InputError(fmt::format(
      "no tensor is called {}: there are Vpqrs and Yvovo (integrals), foo, fov and fvv (the Fock matrix), e and f (its "
      "diagonal), G2 (denominators), and T with anything (amplitudes)",
      what));
}

SpinBlocks::Range SpinBlocks::range(Mode mode) const {
  const Orbitals& orbitals = of(mode.spin);
  if (mode.space == 'o') return {0, orbitals.occupied};
  return {orbitals.occupied, orbitals.energies.size()};
}

/// Of canonical orbitals.
Tensor<double> SpinBlocks::fock(Mode p, Mode q) const {
  const Range rows = range(p), columns = range(q);
  if (p.space != q.space) return {world_, {rows.count(), columns.count()}};
  return as_tensor(world_, Eigen::MatrixXd(of(p.spin).energies.segment(rows.first, rows.count()).asDiagonal()));
}

Tensor<double> SpinBlocks::inverse_gaps(const ricci::GivenDeclaration& block) const {
  const std::string spins = block.name.substr(block.name.rfind('_') + 1);
  const auto energy = [&](char space, std::size_t mode, std::int64_t n) {
    return of(spins[mode]).energies[range({space, spins[mode]}).first + n];
  };
  Tensor<double> result(world_, block.extents, block.symmetry);
  result.fill([&](ricci::Index at) {
    return 1 / (energy('o', 2, at[2]) + energy('o', 3, at[3]) - energy('v', 0, at[0]) - energy('v', 1, at[1]));
  });
  return result;
}

/// <pq||rs> = (pr|qs) - (ps|qr), each where the spins of its pairs are alike.
IntegralBlock SpinBlocks::integrals(const ricci::GivenDeclaration& block) {
  const std::array<Mode, 4> modes = modes_of(block.name);
  // Where p, q, r and s stand.
  const std::array<int, 4> at = block.name[0] == 'Y' ? std::array{0, 2, 1, 3} : std::array{0, 1, 2, 3};
  const auto mode = [&](std::size_t n) { return modes.at(static_cast<std::size_t>(at.at(n))); };
  const Mode p = mode(0), q = mode(1), r = mode(2), s = mode(3);
  IntegralBlock result{block.name, {}, block.symmetry, {}};
  for (std::size_t m = 0; m < 4; ++m)
    result.sets.at(m) = (modes.at(m).spin == 'a' ? 0 : 2) + (modes.at(m).space == 'o' ? 0 : 1);
  // Each antisymmetric pair of the result adds the exchange. Two of them do so twice: (pr|qs) is (qs|pr).
  if (p.spin == r.spin && q.spin == s.spin)
    result.terms.push_back({block.symmetry.groups().size() == 2 ? 0.5 : 1, {at[0], at[2], at[1], at[3]}});
  if (p.spin == s.spin && q.spin == r.spin && block.symmetry.empty())
    result.terms.push_back({-1, {at[0], at[3], at[1], at[2]}});
  return result;
}

}  // namespace cc
