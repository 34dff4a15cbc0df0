// (pq|rs) as a packed tensor: each rank gives the quartets of its share, in rounds of bounded size.
#include <algorithm>

#include "integrals/for_each_quartet.hpp"
#include "integrals/on_threads.hpp"
#include "ranks/ranks.hpp"

namespace cc {
namespace {

/// With keys, and what goes to other ranks, they take 48 bytes each.
std::size_t elements_of_a_round(std::int64_t memory_limit) {
  constexpr std::int64_t most = std::int64_t{1} << 16, share = 8;  // what caches hold
  return static_cast<std::size_t>(memory_limit == 0 ? most
                                                    : std::clamp(memory_limit / share / 48, std::int64_t{1}, most));
}

/// The elements (pq|rs) and (rs|pq) of a quartet, by their keys in a tensor of n functions a mode.
class Writer {
 public:
  Writer(const Repulsion& repulsion, std::int64_t* keys, double* values)
      : repulsion_(repulsion), n_(repulsion.functions()), keys_(keys), values_(values) {}

  /// Keys that follow one another are found faster: first all of the one kind, then all of the other.
  void add(const ShellPair& bra, const ShellPair& ket, const double* values) {
    for_each_unique(bra, [&](std::int64_t pq, std::size_t from) {
      const double* row = values + from * ket.values;
      for_each_unique(ket, [&](std::int64_t rs, std::size_t at) { put(pq * n_ * n_ + rs, row[at]); });
    });
    if (bra.p == ket.p && bra.q == ket.q) return;
    for_each_unique(ket, [&](std::int64_t rs, std::size_t at) {
      for_each_unique(
          bra, [&](std::int64_t pq, std::size_t from) { put(rs * n_ * n_ + pq, values[from * ket.values + at]); });
    });
  }

 private:
  void put(std::int64_t key, double value) {
    *keys_++ = key;
    *values_++ = value;
  }

  /// f(key, place) for p >= q. The tensor has the smaller one first, and turns the key.
  template <class F>
  void for_each_unique(const ShellPair& pair, F f) const {
    const int p0 = repulsion_.first(pair.p), q0 = repulsion_.first(pair.q);
    const int rows = repulsion_.size(pair.p), columns = repulsion_.size(pair.q);
    for (int a = 0; a < rows; ++a) {
      const int end = pair.p == pair.q ? a + 1 : columns;
      for (int b = 0; b < end; ++b) {
        const std::int64_t p = p0 + a, q = q0 + b;
        f(p * n_ + q, static_cast<std::size_t>(a * columns + b));
      }
    }
  }

  const Repulsion& repulsion_;
  std::int64_t n_;
  std::int64_t* keys_;
  double* values_;
};

}  // namespace

void TwoElectron::write_rows(std::span<const Row* const> rows, ricci::Tensor<double>& tensor) const {
  std::vector<std::size_t> start = {0};
  for (const Row* row : rows) {
    const ShellPair& bra = pairs_[row->pair];
    std::size_t elements = 0;
    for (std::size_t j = 0; j < pairs_.partners(row->pair); ++j)
      elements += bra.uniques * pairs_[j].uniques * (j == row->pair ? 1 : 2);
    start.push_back(start.back() + elements);
  }
  std::vector<std::int64_t> keys(start.back(), 0);
  std::vector<double> values(start.back(), 0);
  on_threads(threads_, [&](int thread) {
    const Repulsion::Loan engine(repulsion_);
    for (std::size_t i = static_cast<std::size_t>(thread); i < rows.size(); i += static_cast<std::size_t>(threads_)) {
      Writer writer(repulsion_, keys.data() + start[i], values.data() + start[i]);
      for_each_quartet(*rows[i], *engine, [&](const ShellPair& bra, const ShellPair& ket, const double* from) {
        writer.add(bra, ket, from);
      });
    }
  });
  tensor.accumulate(keys, values);
}

ricci::Tensor<double> TwoElectron::tensor(const ricci::World& world) const {
  const std::int64_t n = functions();
  ricci::Tensor<double> tensor(world, {n, n, n, n}, ricci::symmetric(0, 1) * ricci::symmetric(2, 3));
  std::vector<std::vector<const Row*>> rounds;
  const std::size_t most = elements_of_a_round(world.options().memory_limit);
  std::size_t elements = most;
  for (const std::vector<Row>& rows : rows_) {
    for (const Row& row : rows) {
      if (elements >= most) {
        rounds.emplace_back();
        elements = 0;
      }
      rounds.back().push_back(&row);
      elements += 2 * row.values;
    }
  }
  rounds.resize(static_cast<std::size_t>(ranks::max(static_cast<std::int64_t>(rounds.size()))));
  for (const std::vector<const Row*>& round : rounds) write_rows(round, tensor);
  return tensor;
}

}  // namespace cc
