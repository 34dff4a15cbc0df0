#include "triples/spin_triples_factors.hpp"

#include <algorithm>

#include <ricci/expression.hpp>

#include "triples/alone.hpp"

using ricci::Tensor;

namespace cc {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

SpinTriplesFactors::SpinTriplesFactors(const Tensors& blocks, char like, const std::array<SpinOrbitals, 2>& alpha_beta,
                                       int threads)
    : like_spin_(like),
      other_spin_(like == 'a' ? 'b' : 'a'),
      like_(alpha_beta[like == 'a' ? 0 : 1]),
      other_(alpha_beta[like == 'a' ? 1 : 0]),
      threads_(threads),
      world_(alone(blocks.at("e_a").world(), threads)) {
  make_like(blocks);
  if (any_mixed(like_, other_)) make_mixed(blocks);
}

bool SpinTriplesFactors::any_like(const SpinOrbitals& like) { return like.o() >= 3 && like.v() >= 3; }

bool SpinTriplesFactors::any_mixed(const SpinOrbitals& like, const SpinOrbitals& other) {
  return like.o() >= 2 && like.v() >= 2 && other.o() >= 1 && other.v() >= 1;
}

std::int64_t SpinTriplesFactors::bytes(const SpinOrbitals& like, const SpinOrbitals& other) {
  const std::int64_t o = like.o(), v = like.v(), x = o + v, pairs = pair_of(v, 0), ij = pair_of(o, 0);
  std::int64_t kept = (o * pairs + ij * v) * x + ij * v * v, working = 0, tensors = o + ij;
  // Gathered T2, Vvvoo and Voovo, integrals of one i before and after they are gathered, and one G.
  std::int64_t making = 2 * v * v * o * o + o * o * o * v + 2 * v * v * v + pairs * x;
  if (any_like(like)) working = 2 * v * pairs;
  if (any_mixed(like, other)) {
    const std::int64_t p = other.o(), n = other.v(), y = p + n;
    kept += v * n * (p * x + o * y) + o * p * (v * y + n * x) + o * p * v * n;
    tensors += o + p + 2 * o * p;
    working += 2 * (v * v * n + pairs * n);
    making = std::max(making, 2 * v * n * o * p + o * p * (v + n) * std::max(o, p) + 2 * v * n * std::max(v, n) +
                                  v * n * std::max(x, y));
  }
  constexpr std::int64_t panels = 4'000'000;  // of the kernels, and plans
  constexpr std::int64_t tensor = 2'000;      // without its elements
  return static_cast<std::int64_t>(sizeof(double)) * (kept + std::max(working, making)) + panels + tensors * tensor;
}

std::size_t SpinTriplesFactors::both(std::int64_t i, std::int64_t k) const { return at(i * other_.o() + k); }

double SpinTriplesFactors::like_energy(std::int64_t i, std::int64_t j, std::int64_t k) {
  const auto s = [&](std::int64_t p, std::int64_t q) -> const Tensor<double>& { return s_like_[at(pair_of(p, q))]; };
  x_like_["aq"] = s(j, k)["ax"] * g_like_[at(i)]["qx"];
  x_like_["aq"] -= s(i, k)["ax"] * g_like_[at(j)]["qx"];
  x_like_["aq"] += s(i, j)["ax"] * g_like_[at(k)]["qx"];
  const std::int64_t v = like_.v();
  const auto integrals = [&](std::int64_t p, std::int64_t q) { return &like_integrals_[at(pair_of(p, q) * v * v)]; };
  const auto singles = [&](std::int64_t p) { return &like_singles_[at(p * v)]; };
  const std::vector<double>& e = like_.occupied_energies;
  const OccupiedSpinTriple triple{.singles = {singles(i), singles(j), singles(k)},
                                  .integrals = {integrals(j, k), integrals(i, k), integrals(i, j)},
                                  .energy = e[at(i)] + e[at(j)] + e[at(k)]};
  return like_spins_energy(x_like_.gather(), triple, like_.virtual_energies, threads_);
}

double SpinTriplesFactors::mixed_energy(std::int64_t i, std::int64_t j, std::int64_t k) {
  x_mixed_["aq"] = s_like_[at(pair_of(i, j))]["ax"] * g_other_[at(k)]["qx"];
  x_mixed_["aq"] += s_mixed_[both(j, k)]["ax"] * g_mixed_[at(i)]["qx"];
  x_mixed_["aq"] -= s_mixed_[both(i, k)]["ax"] * g_mixed_[at(j)]["qx"];
  y_mixed_["qc"] = g_like_[at(i)]["qx"] * s_other_[both(j, k)]["cx"];
  y_mixed_["qc"] -= g_like_[at(j)]["qx"] * s_other_[both(i, k)]["cx"];
  const std::int64_t v = like_.v(), n = other_.v();
  const auto integrals = [&](std::int64_t p) { return mixed_integrals_.data() + both(p, k) * at(v * n); };
  const OccupiedSpinTriple triple{
      .singles = {&like_singles_[at(i * v)], &like_singles_[at(j * v)], &other_singles_[at(k * n)]},
      .integrals = {integrals(j), integrals(i), &like_integrals_[at(pair_of(i, j) * v * v)]},
      .energy = like_.occupied_energies[at(i)] + like_.occupied_energies[at(j)] + other_.occupied_energies[at(k)]};
  return mixed_spins_energy(x_mixed_.gather(), y_mixed_.gather(), triple, like_.virtual_energies,
                            other_.virtual_energies, threads_);
}

}  // namespace cc
