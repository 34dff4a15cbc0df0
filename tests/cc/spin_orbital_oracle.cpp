#include "spin_orbital_oracle.hpp"

#include <bit>
#include <random>
#include <string>

RandomSpinOrbitals::RandomSpinOrbitals(const SpinCounts& counts, std::uint64_t seed) : counts_(counts) {
  virtuals_from_ = counts.occupied[0] + counts.occupied[1];
  virtuals_to_ = virtuals_from_ + counts.virtuals[0] + counts.virtuals[1];
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = orbitals(), o = occupied();
  fock_.resize(pairs());
  singles_.resize(pairs());
  integrals_.resize(pairs() * pairs());
  doubles_.resize(pairs() * pairs());
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q <= p; ++q) {
      if (is_beta(p) != is_beta(q)) continue;
      fock_[at(p, q)] = fock_[at(q, p)] = p == q ? (p < o ? -3 : 3) + uniform(engine) : 0.3 * uniform(engine);
      if (p >= o && q < o) singles_[at(p, q)] = uniform(engine);
    }
  }
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q < p; ++q) {
      for (int r = 0; r < n; ++r) {
        for (int s = 0; s < r; ++s) {
          if (is_beta(p) + is_beta(q) != is_beta(r) + is_beta(s)) continue;
          const double value = uniform(engine), amplitude = q >= o && r < o ? uniform(engine) : 0;
          for (const auto& [x, y, z, w, sign] : {std::tuple{p, q, r, s, 1.0}, std::tuple{q, p, r, s, -1.0},
                                                 std::tuple{p, q, s, r, -1.0}, std::tuple{q, p, s, r, 1.0}}) {
            integrals_[at(x, y) * pairs() + at(z, w)] = integrals_[at(z, w) * pairs() + at(x, y)] = sign * value;
            doubles_[at(x, y) * pairs() + at(z, w)] = sign * amplitude;
          }
        }
      }
    }
  }
}

bool RandomSpinOrbitals::is_beta(int p) const {
  return p < virtuals_from_ ? p >= counts_.occupied[0] : p >= virtuals_from_ + counts_.virtuals[0];
}

ricci::SpinOptions RandomSpinOrbitals::spaces() const {
  return {.spaces = {{"no", {.alpha_extent = counts_.occupied[0], .beta_extent = counts_.occupied[1]}},
                     {"nv", {.alpha_extent = counts_.virtuals[0], .beta_extent = counts_.virtuals[1]}}}};
}

int RandomSpinOrbitals::orbital(char space, char spin, std::int64_t n) const {
  const int first = space == 'o' ? 0 : virtuals_from_;
  const int alpha = space == 'o' ? counts_.occupied[0] : counts_.virtuals[0];
  return first + (spin == 'b' ? alpha : 0) + static_cast<int>(n);
}

ricci::Tensor<double> RandomSpinOrbitals::block(const ricci::World& world,
                                                const ricci::GivenDeclaration& declared) const {
  const std::size_t cut = declared.name.find('_');
  const std::string what = declared.name.substr(0, cut), spins = declared.name.substr(cut + 1);
  std::string spaces = what.substr(1);
  if (what == "T1") spaces = "vo";
  if (what == "T2" || what == "G2") spaces = "vvoo";
  if (what == "e") spaces = "o";
  if (what == "f") spaces = "v";
  ricci::Tensor<double> tensor(world, declared.extents, declared.symmetry);
  tensor.fill([&](ricci::Index index) {
    std::vector<int> p;
    for (std::size_t m = 0; m < index.size(); ++m) p.push_back(orbital(spaces.at(m), spins.at(m), index[m]));
    if (what == "T1") return t1(p[0], p[1]);
    if (what == "T2") return t2(p[0], p[1], p[2], p[3]);
    if (what[0] == 'V') return integral(p[0], p[1], p[2], p[3]);
    if (what[0] == 'Y') return integral(p[0], p[2], p[1], p[3]);
    if (what == "G2") return 1 / (fock(p[2], p[2]) + fock(p[3], p[3]) - fock(p[0], p[0]) - fock(p[1], p[1]));
    return fock(p.front(), p.back());
  });
  return tensor;
}

SpinCoupledCluster::SpinCoupledCluster(const RandomSpinOrbitals& orbitals, bool with_singles)
    : reference_((std::uint32_t{1} << orbitals.occupied()) - 1) {
  const int n = orbitals.orbitals(), o = orbitals.occupied();
  std::vector<Operator> hamiltonian, cluster;
  for (int p = 0; p < n; ++p) {
    for (int r = 0; r < n; ++r) {
      double core = orbitals.fock(p, r);
      for (int i = 0; i < o; ++i) core -= orbitals.integral(p, i, r, i);
      hamiltonian.push_back({.p = p, .r = r, .value = core});
      if (with_singles) cluster.push_back({.p = p, .r = r, .value = orbitals.t1(p, r)});
      for (int q = 0; q < p; ++q) {
        for (int s = 0; s < r; ++s) {
          hamiltonian.push_back({.p = p, .r = r, .q = q, .s = s, .value = orbitals.integral(p, q, r, s)});
          cluster.push_back({.p = p, .r = r, .q = q, .s = s, .value = orbitals.t2(p, q, r, s)});
        }
      }
    }
  }
  std::erase_if(cluster, [](const Operator& op) { return op.value == 0; });
  SpinWave reference(std::size_t{1} << n);
  reference[reference_] = 1;
  const double energy = apply(hamiltonian, reference, 1)[reference_];
  wave_ = exponential(cluster, apply(hamiltonian, exponential(cluster, reference, 1), 1), -1);
  energy_ = wave_[reference_] - energy;
}

double SpinCoupledCluster::single(int a, int i) const {
  std::uint32_t determinant = reference_;
  const double sign = move({.p = a, .r = i, .value = 1}, determinant);
  return sign * wave_[determinant];
}

double SpinCoupledCluster::pair(int a, int b, int i, int j) const {
  std::uint32_t determinant = reference_;
  const double sign = move({.p = a, .r = i, .q = b, .s = j, .value = 1}, determinant);
  return sign * wave_[determinant];
}

/// The factor of the determinant that it makes; 0 where it makes none.
double SpinCoupledCluster::move(const Operator& op, std::uint32_t& determinant) {
  double value = op.value;
  const auto change = [&](int orbital, bool creates) {
    if (orbital < 0) return;
    const std::uint32_t bit = std::uint32_t{1} << orbital;
    if (((determinant & bit) == 0) != creates) value = 0;
    if (std::popcount(determinant & (bit - 1)) % 2 == 1) value = -value;
    determinant ^= bit;
  };
  change(op.r, false);
  change(op.s, false);
  change(op.q, true);
  change(op.p, true);
  return value;
}

SpinWave SpinCoupledCluster::apply(const std::vector<Operator>& operators, const SpinWave& wave, double factor) {
  SpinWave result(wave.size());
  for (std::uint32_t from = 0; from < wave.size(); ++from) {
    if (wave[from] == 0) continue;
    for (const Operator& op : operators) {
      std::uint32_t to = from;
      const double value = move(op, to);
      if (value != 0) result[to] += factor * value * wave[from];
    }
  }
  return result;
}

SpinWave SpinCoupledCluster::exponential(const std::vector<Operator>& operators, SpinWave wave, double factor) {
  SpinWave power = wave;
  for (std::size_t k = 1; (std::size_t{1} << k) <= wave.size(); ++k) {
    power = apply(operators, power, factor / static_cast<double>(k));
    for (std::size_t d = 0; d < wave.size(); ++d) wave[d] += power[d];
  }
  return wave;
}
