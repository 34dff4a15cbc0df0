#pragma once
// Random elements of a tensor, or of a box of a larger one, on one rank: each is a function of its index alone.
#include <cstdint>
#include <span>
#include <vector>

#include "layout/local_elements.hpp"
#include "symmetry/keys.hpp"
#include "util/random.hpp"

namespace ricci::layout {

template <class Real>
struct RandomRange {
  std::uint64_t seed = 0;
  Real lo = -1, hi = 1;
};

/// `whole`: the tensor whose keys count; the elements are those of the box that begins at `origin` there.
template <class T, class Real>
void fill_random(LocalElements local, const symmetry::Shape& whole, std::span<const std::int64_t> origin,
                 const RandomRange<Real>& range, T* out) {
  std::vector<std::int64_t> index(origin.size());
  for (std::int64_t done = 0; done < local.size(); local.skip_run()) {
    for (std::size_t m = 0; m < index.size(); ++m) index[m] = origin[m] + local.index()[m];
    const std::int64_t key = symmetry::key_of(whole, index.data()), run = local.run();
    const std::int64_t step = run > 1 ? whole.full_strides()[local.run_mode()] : 0;
    for (std::int64_t i = 0; i < run; ++i)
      out[done + i] = random_element<T>(range.seed, static_cast<std::uint64_t>(key + i * step), range.lo, range.hi);
    done += run;
  }
}

}  // namespace ricci::layout
