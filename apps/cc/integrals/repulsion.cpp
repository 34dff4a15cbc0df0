#include "integrals/repulsion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "integrals/libint_shells.hpp"

namespace cc {
namespace {

/// Primitives that change no integral by more than about this are passed over.
constexpr double precision = 1e-17;
constexpr auto screening = libint2::ScreeningMethod::Conservative;

}  // namespace

struct Repulsion::State {
  std::vector<libint2::Shell> shells;
  std::vector<libint2::ShellPair> pairs;  // of shells p >= q, at p (p + 1) / 2 + q

  const libint2::ShellPair& pair(std::size_t p, std::size_t q) const { return pairs[p * (p + 1) / 2 + q]; }
};

struct Repulsion::Engine::State {
  libint2::Engine engine;
};

Repulsion::Repulsion(const Molecule& molecule, const BasisSet& basis)
    : state_(std::make_unique<State>()), first_(basis.first_functions()), functions_(basis.functions()) {
  state_->shells = libint_shells(molecule, basis);
  for (std::size_t p = 0; p < state_->shells.size(); ++p) {
    size_.push_back(static_cast<int>(state_->shells[p].size()));
    for (std::size_t q = 0; q <= p; ++q)
      state_->pairs.emplace_back(state_->shells[p], state_->shells[q], std::log(precision), screening);
  }
}

Repulsion::~Repulsion() = default;

int Repulsion::primitive_pairs(int p, int q) const {
  const auto [least, most] = std::minmax(p, q);
  return static_cast<int>(
      state_->pair(static_cast<std::size_t>(most), static_cast<std::size_t>(least)).primpairs.size());
}

Repulsion::Engine::Engine(const Repulsion& of) : of_(of) {
  std::size_t primitives = 1;
  int l = 0;
  for (const libint2::Shell& shell : of.state_->shells) {
    primitives = std::max(primitives, shell.nprim());
    l = std::max(l, shell.contr[0].l);
  }
  state_ = std::make_unique<State>(State{libint2::Engine(libint2::Operator::coulomb, primitives, l)});
  state_->engine.set_precision(precision);
  state_->engine.set(screening);
}

Repulsion::Engine::~Engine() = default;

const double* Repulsion::Engine::compute(int p, int q, int r, int s) {
  const std::vector<libint2::Shell>& shells = of_.state_->shells;
  const auto [a, b, c, d] = std::array<std::size_t, 4>{static_cast<std::size_t>(p), static_cast<std::size_t>(q),
                                                       static_cast<std::size_t>(r), static_cast<std::size_t>(s)};
  libint2::Engine& engine = state_->engine;
  engine.compute2<libint2::Operator::coulomb, libint2::BraKet::xx_xx, 0>(
      shells[a], shells[b], shells[c], shells[d], &of_.state_->pair(a, b), &of_.state_->pair(c, d));
  return engine.results()[0];
}

// The square of what passes for nothing elsewhere counts here, so no primitives may be passed over.
double Repulsion::Engine::schwarz_bound(int p, int q) {
  state_->engine.set_precision(0);
  const double* values = compute(p, q, p, q);
  const int size = of_.size(p) * of_.size(q);
  double most = 0;
  for (int i = 0; i < size; ++i) most = std::max(most, std::abs(values[i * (size + 1)]));
  state_->engine.set_precision(precision);
  return std::sqrt(most);
}

Repulsion::Loan::Loan(const Repulsion& from) : from_(from) {
  const std::lock_guard lock(from_.mutex_);
  if (from_.idle_.empty()) {
    engine_.reset(new Engine(from_));
  } else {
    engine_ = std::move(from_.idle_.back());
    from_.idle_.pop_back();
  }
}

Repulsion::Loan::~Loan() {
  const std::lock_guard lock(from_.mutex_);
  from_.idle_.push_back(std::move(engine_));
}

}  // namespace cc
