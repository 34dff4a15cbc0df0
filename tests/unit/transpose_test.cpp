#include "kernels/transpose.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>
#include <type_traits>

#include <gtest/gtest.h>

namespace ricci::kernels {
namespace {

template <class T>
T conjugated(T x) {
  return x;
}
template <class R>
std::complex<R> conjugated(std::complex<R> x) {
  return std::conj(x);
}

struct Request {
  std::vector<TransposeDim> dims;
  bool conjugate = false, overwrite = true;
  int threads = 1;
  Isa isa = Isa::base;
};

std::size_t places(const std::vector<TransposeDim>& dims, std::int64_t TransposeDim::*stride) {
  std::int64_t last = 0;
  for (const TransposeDim& d : dims) last += std::max<std::int64_t>(d.extent - 1, 0) * (d.*stride);
  return static_cast<std::size_t>(last) + 1;
}

// Small integers, so that every result is exact whatever the order of operations.
template <class T>
std::vector<T> integers(std::size_t count, std::mt19937& random) {
  std::vector<T> values(count);
  std::uint32_t state = random();
  for (T& v : values) {
    state = state * 1664525u + 1013904223u;
    const int first = static_cast<int>(state >> 24) - 128, second = static_cast<int>(state >> 16 & 255) - 128;
    if constexpr (std::is_floating_point_v<T>)
      v = static_cast<T>(256 * first + second);
    else
      v = T(first, second);
  }
  return values;
}

template <class T>
void expect_right(const Request& q, T alpha, std::mt19937& random) {
  const std::vector<T> in = integers<T>(places(q.dims, &TransposeDim::in_stride), random);
  // A guard on both sides shows whether anything else is written.
  constexpr std::size_t guard = 67;
  const std::vector<T> before = integers<T>(places(q.dims, &TransposeDim::out_stride) + 2 * guard, random);
  std::vector<T> expected = before, out = before;
  std::vector<std::int64_t> index(q.dims.size(), 0);
  bool more = std::all_of(q.dims.begin(), q.dims.end(), [](const TransposeDim& d) { return d.extent > 0; });
  while (more) {
    std::int64_t from = 0, to = guard;
    for (std::size_t d = 0; d < index.size(); ++d) {
      from += index[d] * q.dims[d].in_stride;
      to += index[d] * q.dims[d].out_stride;
    }
    const T x = q.conjugate ? conjugated(in[from]) : in[from];
    expected[to] = alpha * x + (q.overwrite ? T(0) : before[to]);
    more = false;
    for (std::size_t d = 0; d < index.size() && !more; ++d) {
      more = ++index[d] < q.dims[d].extent;
      if (!more) index[d] = 0;
    }
  }
  const Transpose transpose(q.dims, sizeof(T), q.isa);
  transpose.run(in.data(), alpha, q.conjugate, q.overwrite, out.data() + guard, q.threads);
  const auto wrong = std::mismatch(out.begin(), out.end(), expected.begin());
  ASSERT_TRUE(wrong.first == out.end()) << transpose << ", place " << wrong.first - out.begin() << ", threads "
                                        << q.threads << ", conjugate " << q.conjugate << ", overwrite " << q.overwrite
                                        << ", alpha " << alpha;
}

// Row-major strides with gaps of up to `gap` elements; `order` lists the modes from the outermost on.
void lay_out(std::vector<TransposeDim>& dims, const std::vector<int>& order, std::int64_t TransposeDim::*stride,
             int gap, std::mt19937& random) {
  std::int64_t step = gap > 0 && random() % 4 == 0 ? 2 : 1;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    dims[*i].*stride = step;
    step = step * std::max<std::int64_t>(dims[*i].extent, 1) + (gap > 0 ? random() % (gap + 1) : 0);
  }
}

std::vector<TransposeDim> random_dims(int order, int most, std::mt19937& random) {
  std::vector<TransposeDim> dims(order);
  for (TransposeDim& d : dims) d.extent = random() % 40 == 0 ? 0 : 1 + random() % most;
  std::vector<int> in(order), out(order);
  std::iota(in.begin(), in.end(), 0);
  out = in;
  std::shuffle(in.begin(), in.end(), random);
  std::shuffle(out.begin(), out.end(), random);
  lay_out(dims, in, &TransposeDim::in_stride, random() % 3 == 0 ? 3 : 0, random);
  lay_out(dims, out, &TransposeDim::out_stride, random() % 3 == 0 ? 3 : 0, random);
  for (TransposeDim& d : dims)
    if (random() % 12 == 0) d.in_stride = 0;
  return dims;
}

std::vector<TransposeDim> permuted(const std::vector<std::int64_t>& in_extents, const std::vector<int>& permutation) {
  const std::size_t order = permutation.size();
  std::vector<TransposeDim> dims(order);
  std::vector<std::int64_t> in_strides(order);
  std::int64_t step = 1;
  for (std::size_t i = order; i-- > 0; step *= in_extents[i]) in_strides[i] = step;
  step = 1;
  for (std::size_t i = order; i-- > 0; step *= dims[i].extent)
    dims[i] = {in_extents[permutation[i]], in_strides[permutation[i]], step};
  return dims;
}

std::vector<Isa> available_sets() {
  std::vector<Isa> sets;
  for (Isa isa : {Isa::base, Isa::avx2, Isa::avx512})
    if (isa_available(isa)) sets.push_back(isa);
  return sets;
}

template <class T>
class TransposeTest : public testing::Test {
 protected:
  static T alpha(std::mt19937& random) {
    if constexpr (std::is_floating_point_v<T>)
      return random() % 2 ? T(1) : T(-3);
    else
      return random() % 3 == 0 ? T(1) : random() % 2 ? T(-2) : T(2, -3);
  }
};
using ElementTypes = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TransposeTest, ElementTypes);

TYPED_TEST(TransposeTest, RandomShapesAndLayouts) {
  constexpr int most[] = {1, 300, 70, 30, 14, 9, 6};
  std::mt19937 random(20240607);
  for (Isa isa : available_sets())
    for (int trial = 0; trial < 2000 && !this->HasFatalFailure(); ++trial) {
      const int order = trial % 7;
      Request q{.dims = random_dims(order, most[order], random), .isa = isa};
      q.conjugate = random() % 3 == 0;
      q.overwrite = random() % 3 != 0;
      q.threads = 1 + random() % 2;
      expect_right<TypeParam>(q, this->alpha(random), random);
    }
}

// Large enough for each route: direct in several blocks, assembled, streamed.
TYPED_TEST(TransposeTest, LargePermutations) {
  struct Case {
    std::vector<std::int64_t> extents;
    std::vector<int> permutation;
  };
  const std::int64_t n = 16 / sizeof(TypeParam);
  const Case cases[] = {
      {{150, 31, 57}, {2, 1, 0}},           {{23, 130, 190}, {0, 2, 1}},     {{3, 17, 17, 17, 43 * n}, {4, 3, 2, 1, 0}},
      {{70, 12, 61, 45 * n}, {2, 0, 1, 3}}, {{293, 26 * n, 293}, {2, 1, 0}}, {{67, 5, 71, 90 * n}, {3, 1, 0, 2}},
      {{260, 210, 7, 6 * n}, {1, 2, 0, 3}}};
  std::mt19937 random(7);
  for (Isa isa : available_sets())
    for (const Case& c : cases) {
      Request q{.dims = permuted(c.extents, c.permutation), .isa = isa};
      q.threads = 1 + random() % 2;
      expect_right<TypeParam>(q, TypeParam(1), random);
      if (random() % 3 != 0) continue;
      q.overwrite = false;
      expect_right<TypeParam>(q, TypeParam(2), random);
    }
}

TEST(Transpose, StreamsIntoPaddedRows) {
  std::mt19937 random(11);
  for (Isa isa : available_sets()) {
    std::vector<TransposeDim> dims = permuted({300, 31, 500}, {2, 1, 0});
    // Rows of the output stand apart, so that runs end between lines and do not go on.
    dims[0].out_stride = 31 * 303 + 1;
    dims[1].out_stride = 303;
    ASSERT_EQ(Transpose(dims, 8).plan().route, TransposeRoute::streamed);
    expect_right<double>({.dims = dims, .threads = 2, .isa = isa}, 1.0, random);
  }
}

TEST(Transpose, RunsInsideAParallelRegion) {
  const Transpose transpose(permuted({120, 90, 40}, {2, 1, 0}), sizeof(double));
  std::vector<double> in(120 * 90 * 40);
  std::iota(in.begin(), in.end(), 0.0);
  std::vector<std::vector<double>> out(2, std::vector<double>(in.size()));
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 2; ++i) transpose.run(in.data(), 1.0, false, true, out[i].data(), 2);
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(out[0][(7 * 90 + 5) * 120 + 3], in[(3 * 90 + 5) * 40 + 7]);
}

TEST(Transpose, InfinityStaysInItsPart) {
  const std::complex<double> x(std::numeric_limits<double>::infinity(), 1);
  std::complex<double> y;
  Transpose({}, sizeof x).run(&x, std::complex<double>(2), true, true, &y, 1);
  EXPECT_EQ(y, std::complex<double>(x.real(), -2));
}

TEST(Transpose, DescribesItself) {
  std::ostringstream text;
  text << Transpose(permuted({6, 5, 4}, {2, 0, 1}), 8, Isa::base);
  EXPECT_EQ(text.str(), "tile direct 4:1x30 30:4x1 in blocks of 4x30 | base");
  EXPECT_EQ(Transpose({{7, 1, 1}, {0, 7, 7}}, 4, Isa::base).describe(), "empty | base");
  EXPECT_EQ(Transpose({{7, 3, 1}}, 4, Isa::base).describe(), "scattered direct 1:0x0 7:3x1 in blocks of 1x7 | base");
}

TEST(Transpose, RejectsWhatItCannotDo) {
  EXPECT_THROW(Transpose({{2, 1, 1}}, 2), std::invalid_argument);
  EXPECT_THROW(Transpose({{2, -1, 1}}, 8), std::invalid_argument);
  EXPECT_THROW(Transpose({{2, 1, 0}}, 8), std::invalid_argument);
  const float x = 0;
  float y = 0;
  EXPECT_THROW(Transpose({{1, 1, 1}}, 8).run(&x, x, false, true, &y, 1), std::invalid_argument);
}

}  // namespace
}  // namespace ricci::kernels
