#include "closed_shell_oracle.hpp"

#include <bit>
#include <random>

RandomShell::RandomShell(int o, int v, bool is_canonical, std::uint64_t seed)
    : occupied(o), virtuals(v), canonical(is_canonical) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto n = static_cast<std::size_t>(orbitals()), no = static_cast<std::size_t>(o),
             nv = static_cast<std::size_t>(v);
  const auto at = [n](std::size_t p, std::size_t q, std::size_t r, std::size_t s) {
    return ((p * n + q) * n + r) * n + s;
  };
  f.resize(n * n);
  g.resize(n * n * n * n);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t q = 0; q <= p; ++q) {
      f[p * n + q] = f[q * n + p] = p == q      ? (p < no ? -3 : 3) + uniform(engine)
                                    : canonical ? 0
                                                : 0.3 * uniform(engine);
      for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t s = 0; s <= r; ++s) {
          const double value = uniform(engine);
          for (const auto& [x, y] : {std::pair{p, q}, std::pair{q, p}}) {
            for (const auto& [z, w] : {std::pair{r, s}, std::pair{s, r}}) g[at(x, y, z, w)] = g[at(z, w, x, y)] = value;
          }
        }
      }
    }
  }
  t1.resize(nv * no);
  t2.resize(nv * nv * no * no);
  for (double& t : t1) t = uniform(engine);
  for (std::size_t a = 0; a < nv; ++a) {
    for (std::size_t b = 0; b < nv; ++b) {
      for (std::size_t i = 0; i < no; ++i) {
        for (std::size_t j = 0; j < no; ++j) {
          t2[((a * nv + b) * no + i) * no + j] = t2[((b * nv + a) * no + j) * no + i] = uniform(engine);
        }
      }
    }
  }
}

double RandomShell::integral(int p, int q, int r, int s) const {
  const int n = orbitals();
  return g[static_cast<std::size_t>(((p * n + q) * n + r) * n + s)];
}

ricci::Tensor<double> RandomShell::tensor(const std::string& kinds,
                                          const std::function<double(const std::vector<int>&)>& value,
                                          const ricci::Symmetry& symmetry) const {
  ricci::Extents extents;
  for (const char kind : kinds) extents.push_back(kind == 'o' ? occupied : virtuals);
  ricci::Tensor<double> result(world, extents, symmetry);
  result.fill([&](ricci::Index index) {
    std::vector<int> orbital;
    for (std::size_t m = 0; m < kinds.size(); ++m) {
      orbital.push_back(static_cast<int>(index[m]) + (kinds[m] == 'v' ? occupied : 0));
    }
    return value(orbital);
  });
  return result;
}

DeterminantSpace::DeterminantSpace(const RandomShell& shell)
    : shell_(shell), reference_((1U << (2 * shell.occupied)) - 1) {}

DeterminantSpace::Signed DeterminantSpace::move(Signed from, int to, int of) {
  const auto below = [](std::uint32_t bits, int p) {
    return std::popcount(bits & ((1U << p) - 1)) % 2 == 0 ? 1. : -1.;
  };
  if (from.sign == 0 || (from.bits >> of & 1U) == 0) return {};
  const double off = below(from.bits, of);
  from.bits ^= 1U << of;
  if ((from.bits >> to & 1U) != 0) return {};
  return {from.bits | 1U << to, from.sign * off * below(from.bits, to)};
}

Wave DeterminantSpace::reference() const {
  Wave wave(std::size_t{1} << (2 * shell_.orbitals()));
  wave[reference_] = 1;
  return wave;
}

// With E_pq the sum of a+_p a_q over both spins: sum of h[p,q] E_pq + 1/2 (pq|rs) (E_pq E_rs - delta_qr E_ps), where
// h[p,q] = f[p,q] - sum over the occupied k of 2 (pq|kk) - (pk|kq).
Wave DeterminantSpace::hamiltonian(const Wave& wave) const {
  const int n = shell_.orbitals();
  Wave result(wave.size());
  for (int r = 0; r < n; ++r) {
    for (int s = 0; s < n; ++s) {
      double one = shell_.fock(r, s);
      for (int k = 0; k < shell_.occupied; ++k) {
        one -= 2 * shell_.integral(r, s, k, k) - shell_.integral(r, k, k, s);
      }
      for (int q = 0; q < n; ++q) one -= 0.5 * shell_.integral(r, q, q, s);
      const Wave moved = excited(wave, r, s);
      for (std::size_t x = 0; x < wave.size(); ++x) result[x] += one * moved[x];
      for (int p = 0; p < n; ++p) {
        for (int q = 0; q < n; ++q) {
          const Wave twice = excited(moved, p, q);
          const double two = 0.5 * shell_.integral(p, q, r, s);
          for (std::size_t x = 0; x < wave.size(); ++x) result[x] += two * twice[x];
        }
      }
    }
  }
  return result;
}

Wave DeterminantSpace::excited(const Wave& wave, int a, int i) const {
  Wave result(wave.size());
  for (std::uint32_t x = 0; x < wave.size(); ++x) {
    if (wave[x] == 0) continue;
    for (const int spin : {0, 1}) {
      const Signed moved = move({x, 1}, 2 * a + spin, 2 * i + spin);
      result[moved.bits] += moved.sign * wave[x];
    }
  }
  return result;
}

Wave DeterminantSpace::singles(const Wave& wave) const {
  const int o = shell_.occupied;
  Wave result(wave.size());
  for (int a = 0; a < shell_.virtuals; ++a) {
    for (int i = 0; i < o; ++i) {
      const Wave moved = excited(wave, a + o, i);
      for (std::size_t x = 0; x < wave.size(); ++x)
        result[x] += shell_.t1[static_cast<std::size_t>(a * o + i)] * moved[x];
    }
  }
  return result;
}

Wave DeterminantSpace::doubles(const Wave& wave) const {
  const int o = shell_.occupied, v = shell_.virtuals;
  Wave result(wave.size());
  for (int b = 0; b < v; ++b) {
    for (int j = 0; j < o; ++j) {
      const Wave moved = excited(wave, b + o, j);
      for (int a = 0; a < v; ++a) {
        for (int i = 0; i < o; ++i) {
          const Wave twice = excited(moved, a + o, i);
          const double t = 0.5 * shell_.t2[static_cast<std::size_t>(((a * v + b) * o + i) * o + j)];
          for (std::size_t x = 0; x < wave.size(); ++x) result[x] += t * twice[x];
        }
      }
    }
  }
  return result;
}

Wave DeterminantSpace::exponential(const Wave& wave, double sign, bool with_singles) const {
  Wave result = wave, term = wave;
  for (int n = 1; n <= 2 * shell_.occupied; ++n) {  // T excites at least one electron
    Wave next = doubles(term);
    if (with_singles) {
      const Wave one = singles(term);
      for (std::size_t x = 0; x < next.size(); ++x) next[x] += one[x];
    }
    for (std::size_t x = 0; x < next.size(); ++x) {
      next[x] *= sign / n;
      result[x] += next[x];
    }
    term = std::move(next);
  }
  return result;
}

double DeterminantSpace::single(const Wave& wave, int a, int i) const {
  const Signed moved = move({reference_, 1}, 2 * (a + shell_.occupied), 2 * i);
  return moved.sign * wave[moved.bits];
}

double DeterminantSpace::pair(const Wave& wave, int a, int b, int i, int j) const {
  const int o = shell_.occupied;
  const Signed moved = move(move({reference_, 1}, 2 * (b + o) + 1, 2 * j + 1), 2 * (a + o), 2 * i);
  return moved.sign * wave[moved.bits];
}

double DeterminantSpace::triples_energy() const {
  const Wave vacuum = reference();
  const Wave first = hamiltonian(doubles(vacuum)), second = doubles(hamiltonian(vacuum));
  const Wave disconnected = hamiltonian(singles(vacuum));
  double energy = 0;
  for (std::uint32_t x = 0; x < vacuum.size(); ++x) {
    const std::uint32_t holes = reference_ & ~x, particles = x & ~reference_;
    if (std::popcount(holes) != 3 || std::popcount(particles) != 3) continue;
    double gap = 0;
    for (int p = 0; p < 2 * shell_.orbitals(); ++p) {
      gap += shell_.fock(p / 2, p / 2) * (static_cast<int>(holes >> p & 1U) - static_cast<int>(particles >> p & 1U));
    }
    const double connected = first[x] - second[x];
    energy += connected * (connected + disconnected[x]) / gap;
  }
  return energy;
}
