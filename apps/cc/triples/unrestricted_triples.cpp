#include "triples/unrestricted_triples.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "ranks/ranks.hpp"
#include "triples/spin_triples_factors.hpp"

namespace cc {
namespace {

using Spins = std::array<SpinOrbitals, 2>;

/// Counts triples, of which the ranks take turns.
class Turns {
 public:
  Turns(std::int64_t all, const std::function<void(double)>& progress) : all_(all), progress_(progress) {}

  template <class F>
  void visit(const F& energy) {
    if (done_++ % ranks::size() != ranks::rank()) return;
    energy_ += energy();
    if (progress_) progress_(static_cast<double>(done_) / static_cast<double>(all_));
  }
  double energy() const { return energy_; }

 private:
  std::int64_t all_, done_ = 0;
  const std::function<void(double)>& progress_;
  double energy_ = 0;
};

bool any(const SpinOrbitals& like, const SpinOrbitals& other) {
  return SpinTriplesFactors::any_like(like) || SpinTriplesFactors::any_mixed(like, other);
}

/// Triples of which two or three electrons are `like`.
std::int64_t count(const SpinOrbitals& like, const SpinOrbitals& other) {
  const std::int64_t o = like.o();
  return (SpinTriplesFactors::any_like(like) ? o * (o - 1) * (o - 2) / 6 : 0) +
         (SpinTriplesFactors::any_mixed(like, other) ? o * (o - 1) / 2 * other.o() : 0);
}

void check_memory(const Spins& spins, std::int64_t limit) {
  std::int64_t bytes = 0;
  for (const std::size_t s : {0, 1}) {
    if (any(spins[s], spins[1 - s])) bytes = std::max(bytes, SpinTriplesFactors::bytes(spins[s], spins[1 - s]));
  }
  if (limit == 0 || bytes <= limit) return;
  const auto& [alpha, beta] = spins;
  throw ricci::ResourceError(fmt::format(
      "the triples of {} and {} occupied, {} and {} virtual orbitals of alpha and beta spin take {} MB on a "
      "rank, but only {} MB are left; give --memory more",
      alpha.o(), beta.o(), alpha.v(), beta.v(), bytes / 1'000'000 + 1, limit / 1'000'000));
}

void visit(SpinTriplesFactors& factors, const SpinOrbitals& like, const SpinOrbitals& other, Turns& turns) {
  for (std::int64_t i = 0; i < like.o(); ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      if (SpinTriplesFactors::any_like(like)) {
        for (std::int64_t k = 0; k < j; ++k) turns.visit([&] { return factors.like_energy(i, j, k); });
      }
      if (SpinTriplesFactors::any_mixed(like, other)) {
        for (std::int64_t k = 0; k < other.o(); ++k) turns.visit([&] { return factors.mixed_energy(i, j, k); });
      }
    }
  }
}

}  // namespace

void check_unrestricted_triples(const std::array<OrbitalCounts, 2>& alpha_beta, std::int64_t limit) {
  Spins spins;
  for (const std::size_t s : {0, 1}) {
    spins.at(s).occupied_energies.resize(static_cast<std::size_t>(alpha_beta.at(s).occupied));
    spins.at(s).virtual_energies.resize(static_cast<std::size_t>(alpha_beta.at(s).virtuals));
  }
  check_memory(spins, limit);
}

double unrestricted_triples(const Tensors& blocks, const TriplesOptions& options) {
  const Spins spins{SpinOrbitals{blocks.at("e_a").gather(), blocks.at("f_a").gather()},
                    SpinOrbitals{blocks.at("e_b").gather(), blocks.at("f_b").gather()}};
  check_memory(spins, options.memory_limit);
  Turns turns(count(spins[0], spins[1]) + count(spins[1], spins[0]), options.progress);
  for (const std::size_t s : {0, 1}) {
    const SpinOrbitals &like = spins[s], &other = spins[1 - s];
    if (!any(like, other)) continue;
    SpinTriplesFactors factors(blocks, s == 0 ? 'a' : 'b', spins, options.threads);
    visit(factors, like, other, turns);
  }
  double energy = turns.energy();
  ranks::sum({&energy, 1});
  return energy;
}

}  // namespace cc
