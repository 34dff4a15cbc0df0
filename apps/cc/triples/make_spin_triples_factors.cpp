// What the factors are made of: gathered blocks, once.
#include <utility>

#include "triples/spin_triples_factors.hpp"

using ricci::Tensor;

namespace cc {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// t[a,i] by rows i.
std::vector<double> singles_of(const Held& t1) {
  const std::int64_t v = t1.extents()[0], o = t1.extents()[1];
  const std::vector<double> values = t1.gather();
  std::vector<double> result(values.size());
  for (std::int64_t a = 0; a < v; ++a) {
    for (std::int64_t i = 0; i < o; ++i) result[at(i * v + a)] = values[at(a * o + i)];
  }
  return result;
}

}  // namespace

/// Rows of d and l.
template <class Virtual, class Occupied>
Tensor<double> SpinTriplesFactors::matrix(std::int64_t rows, const SpinOrbitals& x, Virtual d, Occupied l) const {
  const std::int64_t o = x.o(), v = x.v();
  std::vector<double> values(at(rows * (v + o)));
  for (std::int64_t row = 0; row < rows; ++row) {
    double* to = &values[at(row * (v + o))];
    for (std::int64_t n = 0; n < v; ++n) to[n] = d(row, n);
    for (std::int64_t n = 0; n < o; ++n) to[v + n] = l(row, n);
  }
  Tensor<double> result(world_, {rows, v + o});
  result.assign_dense(values);
  return result;
}

void SpinTriplesFactors::make_like(const Tensors& blocks) {
  const std::int64_t o = like_.o(), v = like_.v();
  const std::string spins(4, like_spin_);
  like_singles_ = singles_of(blocks.at("T1_" + spins.substr(2)));
  const DenseBlock t(blocks.at("T2_" + spins));
  std::vector<std::array<std::int64_t, 2>> pairs;
  for (std::int64_t b = 0; b < v; ++b) {
    for (std::int64_t c = 0; c < b; ++c) pairs.push_back({b, c});
  }
  const Held& ovvv = blocks.at("Vovvv_" + spins);
  for (std::int64_t i = 0; i < o; ++i) {
    const DenseBlock integrals(ovvv, i, i + 1);
    g_like_.push_back(matrix(
        std::ssize(pairs), like_,
        [&](std::int64_t bc, std::int64_t d) { return integrals(0, d, pairs[at(bc)][0], pairs[at(bc)][1]); },
        [&](std::int64_t bc, std::int64_t l) { return t(pairs[at(bc)][0], pairs[at(bc)][1], i, l); }));
  }
  like_integrals_.reserve(at(pair_of(o, 0) * v * v));
  const DenseBlock oovo(blocks.at("Voovo_" + spins)), vvoo(blocks.at("Vvvoo_" + spins));
  for (std::int64_t j = 0; j < o; ++j) {
    for (std::int64_t k = 0; k < j; ++k) {
      s_like_.push_back(matrix(
          v, like_, [&](std::int64_t a, std::int64_t d) { return -t(a, d, j, k); },
          [&](std::int64_t a, std::int64_t l) { return oovo(j, k, a, l); }));
      for (std::int64_t a = 0; a < v; ++a) {
        for (std::int64_t b = 0; b < v; ++b) like_integrals_.push_back(vvoo(a, b, j, k));
      }
    }
  }
  if (any_like(like_)) x_like_ = Tensor<double>(world_, {v, std::ssize(pairs)});
}

/// <id||bc> of an i of `spin`, b of the spin `like`, c and d of what is left.
DenseBlock SpinTriplesFactors::mixed_integrals(const Tensors& blocks, char spin, std::int64_t i) const {
  const Held& all = blocks.at(spin == 'a' ? "Vovvv_abab" : "Vovvv_baab");
  DenseBlock one(all, i, i + 1);
  return like_spin_ == 'a' ? std::move(one) : std::move(one).exchanged(2, 3);
}

/// Blocks have alpha before beta. Where `like` is beta, both of their pairs are exchanged.
DenseBlock SpinTriplesFactors::both_exchanged(const Held& block) const {
  DenseBlock all(block);
  return like_spin_ == 'a' ? std::move(all) : std::move(all).exchanged(0, 1).exchanged(2, 3);
}

void SpinTriplesFactors::make_mixed_g(const Tensors& blocks, const DenseBlock& t) {
  const std::int64_t rows = like_.v() * other_.v(), n = other_.v();
  for (std::int64_t i = 0; i < like_.o(); ++i) {
    const DenseBlock integrals = mixed_integrals(blocks, like_spin_, i);
    g_mixed_.push_back(matrix(
        rows, other_, [&](std::int64_t bc, std::int64_t d) { return integrals(0, d, bc / n, bc % n); },
        [&](std::int64_t bc, std::int64_t l) { return t(bc / n, bc % n, i, l); }));
  }
  for (std::int64_t k = 0; k < other_.o(); ++k) {
    const DenseBlock integrals = mixed_integrals(blocks, other_spin_, k);
    g_other_.push_back(matrix(
        rows, like_, [&](std::int64_t bc, std::int64_t d) { return integrals(0, d, bc / n, bc % n); },
        [&](std::int64_t bc, std::int64_t l) { return -t(bc / n, bc % n, l, k); }));
  }
}

void SpinTriplesFactors::make_mixed_s(const Tensors& blocks, const DenseBlock& t) {
  const bool alpha = like_spin_ == 'a';
  const auto oovo = [&](const char* spins) {
    DenseBlock block(blocks.at(std::string("Voovo_") + spins));
    return alpha ? std::move(block) : std::move(block).exchanged(0, 1);
  };
  // <jk||al>: a is of the spin `like`, or of the other.
  const DenseBlock like_a = oovo(alpha ? "abab" : "abba"), other_a = oovo(alpha ? "abba" : "abab");
  for (std::int64_t j = 0; j < like_.o(); ++j) {
    for (std::int64_t k = 0; k < other_.o(); ++k) {
      s_mixed_.push_back(matrix(
          like_.v(), other_, [&](std::int64_t a, std::int64_t d) { return -t(a, d, j, k); },
          [&](std::int64_t a, std::int64_t l) { return like_a(j, k, a, l); }));
      s_other_.push_back(matrix(
          other_.v(), like_, [&](std::int64_t a, std::int64_t d) { return t(d, a, j, k); },
          [&](std::int64_t a, std::int64_t l) { return other_a(j, k, a, l); }));
    }
  }
}

void SpinTriplesFactors::make_mixed(const Tensors& blocks) {
  const std::int64_t v = like_.v(), n = other_.v();
  other_singles_ = singles_of(blocks.at(like_spin_ == 'a' ? "T1_bb" : "T1_aa"));
  const DenseBlock t = both_exchanged(blocks.at("T2_abab")), vvoo = both_exchanged(blocks.at("Vvvoo_abab"));
  make_mixed_g(blocks, t);
  make_mixed_s(blocks, t);
  mixed_integrals_.reserve(at(like_.o() * other_.o() * v * n));
  for (std::int64_t j = 0; j < like_.o(); ++j) {
    for (std::int64_t k = 0; k < other_.o(); ++k) {
      for (std::int64_t bc = 0; bc < v * n; ++bc) mixed_integrals_.push_back(vvoo(bc / n, bc % n, j, k));
    }
  }
  x_mixed_ = Tensor<double>(world_, {v, v * n});
  y_mixed_ = Tensor<double>(world_, {pair_of(v, 0), n});
}

}  // namespace cc
