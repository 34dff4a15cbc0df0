// Boxes of (pq|rs), made when they are asked for.
#include <algorithm>
#include <atomic>

#include "integrals/on_threads.hpp"
#include "integrals/two_electron.hpp"

namespace cc {
namespace {

using Indices = std::array<std::int64_t, 4>;
using Four = std::array<int, 4>;  // shells

struct Box {
  Indices lo, hi;
  double* out;

  std::int64_t extent(std::size_t mode) const { return hi[mode] - lo[mode]; }
  bool alike(std::size_t a, std::size_t b) const { return lo[a] == lo[b] && hi[a] == hi[b]; }
};

/// The shells that have functions between lo and hi.
std::vector<int> shells_between(const Repulsion& repulsion, std::int64_t lo, std::int64_t hi) {
  std::vector<int> shells;
  for (int shell = 0; shell < repulsion.shells(); ++shell) {
    if (repulsion.first(shell) < hi && repulsion.first(shell) + repulsion.size(shell) > lo) shells.push_back(shell);
  }
  return shells;
}

/// The quartets of a box, those that its own symmetry makes equal once.
class BoxWriter {
 public:
  BoxWriter(const Repulsion& repulsion, const ShellPairs& pairs, const Box& box)
      : repulsion_(repulsion),
        pairs_(pairs),
        box_(box),
        bra_alike_(box.alike(0, 1)),
        ket_alike_(box.alike(2, 3)),
        pairs_alike_(box.alike(0, 2) && box.alike(1, 3)) {
    for (std::size_t mode = 0; mode < 4; ++mode) shells_[mode] = shells_between(repulsion, box.lo[mode], box.hi[mode]);
  }

  std::size_t rows() const { return shells_[0].size(); }

  /// Everything that has shell number i of the first mode, but for what the symmetry leaves to others.
  void row(std::size_t i, Repulsion::Engine& engine) const {
    const int p = shells_[0][i];
    for (const int q : shells_[1]) {
      if (bra_alike_ && q > p) continue;
      for (const int r : shells_[2]) {
        for (const int s : shells_[3]) {
          if (ket_alike_ && s > r) continue;
          if (pairs_alike_ && (r > p || (r == p && s > q))) continue;
          if (pairs_.bound(p, q) * pairs_.bound(r, s) >= pairs_.threshold()) quartet({p, q, r, s}, engine);
        }
      }
    }
  }

 private:
  void quartet(const Four& at, Repulsion::Engine& engine) const {
    const auto [p, q, r, s] = at;
    const bool bra_turned = p < q, ket_turned = r < s;
    const double* values = engine.compute(std::max(p, q), std::min(p, q), std::max(r, s), std::min(r, s));
    if (!values) return;
    const std::int64_t ket = std::int64_t{repulsion_.size(r)} * repulsion_.size(s);
    Indices strides = {repulsion_.size(q) * ket, ket, repulsion_.size(s), 1};
    if (bra_turned) strides[0] = ket, strides[1] = repulsion_.size(p) * ket;
    if (ket_turned) strides[2] = 1, strides[3] = repulsion_.size(r);
    copy_images(at, strides, values);
  }

  void copy_images(const Four& at, const Indices& strides, const double* values) const {
    const bool same_pairs = at[0] == at[2] && at[1] == at[3];
    for (int turn = 0; turn < (pairs_alike_ && !same_pairs ? 2 : 1); ++turn) {
      const std::size_t a = turn == 0 ? 0 : 2, c = 2 - a;
      for (int bra = 0; bra < (bra_alike_ && at[a] != at[a + 1] ? 2 : 1); ++bra) {
        for (int ket = 0; ket < (ket_alike_ && at[c] != at[c + 1] ? 2 : 1); ++ket) {
          const std::array<std::size_t, 4> order = {a + (bra == 1), a + (bra == 0), c + (ket == 1), c + (ket == 0)};
          Four shells = {};
          Indices from = {};
          for (std::size_t mode = 0; mode < 4; ++mode) {
            shells[mode] = at[order[mode]];
            from[mode] = strides[order[mode]];
          }
          copy(shells, from, values);
        }
      }
    }
  }

  /// What lies in the box of the functions of these shells, one for each mode.
  void copy(const Four& shells, const Indices& strides, const double* values) const {
    Indices lo = {}, hi = {};
    for (std::size_t mode = 0; mode < 4; ++mode) {
      const std::int64_t first = repulsion_.first(shells[mode]);
      lo[mode] = std::max(first, box_.lo[mode]);
      hi[mode] = std::min(first + repulsion_.size(shells[mode]), box_.hi[mode]);
      values += (lo[mode] - first) * strides[mode];
    }
    for (std::int64_t p = lo[0]; p < hi[0]; ++p) {
      for (std::int64_t q = lo[1]; q < hi[1]; ++q) {
        for (std::int64_t r = lo[2]; r < hi[2]; ++r) {
          const std::int64_t row =
              ((p - box_.lo[0]) * box_.extent(1) + q - box_.lo[1]) * box_.extent(2) + r - box_.lo[2];
          double* to = box_.out + row * box_.extent(3) + lo[3] - box_.lo[3];
          const double* from = values + (p - lo[0]) * strides[0] + (q - lo[1]) * strides[1] + (r - lo[2]) * strides[2];
          for (std::int64_t s = lo[3]; s < hi[3]; ++s, from += strides[3]) *to++ = *from;
        }
      }
    }
  }

  const Repulsion& repulsion_;
  const ShellPairs& pairs_;
  Box box_;
  bool bra_alike_, ket_alike_, pairs_alike_;
  std::array<std::vector<int>, 4> shells_;
};

}  // namespace

void TwoElectron::block(const Indices& lo, const Indices& hi, double* out) const {
  const Box box{lo, hi, out};
  std::fill_n(out, box.extent(0) * box.extent(1) * box.extent(2) * box.extent(3), 0.0);
  const BoxWriter writer(repulsion_, pairs_, box);
  std::atomic<std::size_t> next = 0;
  on_threads(threads_, [&](int) {
    const Repulsion::Loan engine(repulsion_);
    for (std::size_t i = next++; i < writer.rows(); i = next++) writer.row(i, *engine);
  });
}

}  // namespace cc
