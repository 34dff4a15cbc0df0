#include "triples/closed_shell_triples.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "triples/triple_energy.hpp"
#include "triples/triples_factors.hpp"

using ricci::Tensor;
using ricci::World;

namespace cc {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The blocks of i, j and k that are at hand, or two or one of them where they are the same.
class Blocks {
 public:
  Blocks(const TriplesFactors& factors, std::int64_t o, std::int64_t size) : factors_(factors), o_(o), size_(size) {}

  std::int64_t count() const { return (o_ + size_ - 1) / size_; }
  std::int64_t lo(std::int64_t block) const { return block * size_; }
  std::int64_t hi(std::int64_t block) const { return std::min(lo(block) + size_, o_); }

  /// Makes room for, and gets, what is wanted next. Collective.
  void need(std::array<std::int64_t, 3> blocks) {
    const auto wanted = [&](std::int64_t number) {
      return std::find(blocks.begin(), blocks.end(), number) != blocks.end();
    };
    std::erase_if(held_, [&](const Held& held) { return !wanted(held.number); });
    for (const std::int64_t number : blocks) {
      if (!find(number)) held_.push_back({number, factors_.g(lo(number), hi(number))});
    }
  }
  const Tensor<double>& g(std::int64_t i) const { return find(i / size_)->g[at(i % size_)]; }

 private:
  struct Held {
    std::int64_t number;
    std::vector<Tensor<double>> g;
  };
  const Held* find(std::int64_t number) const {
    const auto found =
        std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.number == number; });
    return found == held_.end() ? nullptr : &*found;
  }

  const TriplesFactors& factors_;
  std::int64_t o_, size_;
  std::vector<Held> held_;
};

/// How many i a block has, and for how many integrals are asked for at once.
struct BlockSizes {
  std::int64_t block = 0, at_once = 0;
};

/// Three electrons, and room for them.
bool has_triples(std::int64_t occupied, std::int64_t virtuals) { return occupied > 1 && virtuals > 1; }

/// Where `block` of the i are at hand at a time.
std::int64_t bytes_of(std::int64_t o, std::int64_t v, std::int64_t block) {
  constexpr std::int64_t panels = 4'000'000;  // of the kernels, and plans
  const std::int64_t w = v * v * v, g = std::min(3 * block, o) * v * v * (v + o);
  return TriplesFactors::bytes(o, v, 1) + static_cast<std::int64_t>(sizeof(double)) * (w + g) + panels;
}

BlockSizes choose_sizes(std::int64_t o, std::int64_t v, std::int64_t limit) {
  if (limit == 0) return {o, o};
  check_closed_shell_triples(o, v, limit);
  std::int64_t block = o;
  while (bytes_of(o, v, block) > limit) --block;
  return {block, 1};
}

void check(const ClosedShellTriples& input) {
  const std::int64_t o = std::ssize(input.occupied_energies), v = std::ssize(input.virtual_energies);
  const auto has = [](const Held& tensor, const ricci::Extents& extents, const char* name) {
    if (tensor.extents() == extents) return;
    throw ricci::InputError(fmt::format("{} of the triples has the extents {}, but the orbital energies ask for {}",
                                        name, fmt::join(tensor.extents(), ","), fmt::join(extents, ",")));
  };
  has(input.t1, {v, o}, "t1");
  has(input.t2, {v, v, o, o}, "t2");
  has(input.m, {o, o, o, v}, "m");
  has(input.k, {v, v, o, o}, "k");
}

/// Of f, the sum over ranks.
double sum_over_ranks(const World& world, double value) {
  Tensor<double> parts(world, {world.size()});
  const std::int64_t key = world.rank();
  parts.write({&key, 1}, {&value, 1});
  return parts.sum();
}

}  // namespace

std::function<std::vector<double>(std::int64_t lo, std::int64_t hi)> integrals_from(const Held& gp, const Held& gm) {
  return [&gp, &gm](std::int64_t lo, std::int64_t hi) {
    const auto part = [&](const Held& g) {
      const std::int64_t v = g.extents()[1];
      return g.gather({lo, 0, 0, 0}, {hi, v, v, v});
    };
    std::vector<double> sum = part(gp);
    const std::vector<double> difference = part(gm);
    std::transform(sum.begin(), sum.end(), difference.begin(), sum.begin(),
                   [](double x, double y) { return 0.5 * (x + y); });
    return sum;
  };
}

void check_closed_shell_triples(std::int64_t occupied, std::int64_t virtuals, std::int64_t limit) {
  const std::int64_t least = bytes_of(occupied, virtuals, 1);
  if (least <= limit || !has_triples(occupied, virtuals)) return;
  throw ricci::ResourceError(
      fmt::format("the triples of {} occupied and {} virtual orbitals take {} MB on a rank, but only {} MB are left; "
                  "give --memory more",
                  occupied, virtuals, least / 1'000'000 + 1, limit / 1'000'000));
}

double closed_shell_triples(const ClosedShellTriples& input, const TriplesOptions& options) {
  check(input);
  const std::int64_t o = std::ssize(input.occupied_energies), v = std::ssize(input.virtual_energies);
  if (!has_triples(o, v)) return 0;
  const BlockSizes sizes = choose_sizes(o, v, options.memory_limit);
  const World& world = input.t2.world();
  TriplesFactors factors(input, options.threads, sizes.at_once);
  Blocks blocks(factors, o, sizes.block);

  // i >= j >= k, but not i = k: that triple is zero. The ranks take turns.
  const std::int64_t all = o * (o + 1) * (o + 2) / 6 - o;
  std::int64_t done = 0;
  double energy = 0;
  const auto visit = [&](std::array<std::int64_t, 3> ijk) {
    if (done++ % world.size() != world.rank()) return;
    const auto [i, j, k] = ijk;
    const Tensor<double>& w = factors.compute_w({&blocks.g(i), &blocks.g(j), &blocks.g(k)}, ijk);
    energy += triple_energy(w.gather(), factors.triple(ijk), input.virtual_energies, options.threads);
    if (options.progress) options.progress(static_cast<double>(done) / static_cast<double>(all));
  };
  for (std::int64_t x = 0; x < blocks.count(); ++x) {
    for (std::int64_t y = 0; y <= x; ++y) {
      for (std::int64_t z = 0; z <= y; ++z) {
        blocks.need({x, y, z});
        for (std::int64_t i = blocks.lo(x); i < blocks.hi(x); ++i) {
          for (std::int64_t j = blocks.lo(y); j < std::min(blocks.hi(y), i + 1); ++j) {
            for (std::int64_t k = blocks.lo(z); k < std::min(blocks.hi(z), j + 1); ++k) {
              if (i != k) visit({i, j, k});
            }
          }
        }
      }
    }
  }
  return sum_over_ranks(world, energy);
}

}  // namespace cc
