#include "oracle.hpp"

#include <cmath>

namespace ricci_test {

namespace {

using Array = Dense<double>;

Array random_array(std::vector<std::int64_t> extents, unsigned seed) {
  Array array(std::move(extents));
  std::mt19937 random(seed);
  for (double& x : array.data) x = static_cast<double>(random()) / 2147483648.0 - 1;
  return array;
}

/// Antisymmetric in the first two modes and in the last two.
Array antisymmetric_pairs(std::int64_t m, std::int64_t n, unsigned seed) {
  const Array r = random_array({m, m, n, n}, seed);
  Array all({m, m, n, n});
  const auto at = [&](std::int64_t a, std::int64_t b, std::int64_t i, std::int64_t j) {
    return r.data[static_cast<std::size_t>(((a * m + b) * n + i) * n + j)];
  };
  for (std::int64_t a = 0; a < m; ++a)
    for (std::int64_t b = 0; b < m; ++b)
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
          all(a, b, i, j) = (at(a, b, i, j) - at(b, a, i, j) - at(a, b, j, i) + at(b, a, j, i)) / 4;
  return all;
}

/// C[i,j] = sum over k of A[i,k] B[j,k], of matrices with so many rows and columns.
std::vector<double> times_transposed(const std::vector<double>& a, const std::vector<double>& b, std::int64_t columns) {
  const std::int64_t m = static_cast<std::int64_t>(a.size()) / columns,
                     n = static_cast<std::int64_t>(b.size()) / columns;
  std::vector<double> c(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < columns; ++k)
        sum += a[static_cast<std::size_t>(i * columns + k)] * b[static_cast<std::size_t>(j * columns + k)];
      c[static_cast<std::size_t>(i * n + j)] = sum;
    }
  return c;
}

}  // namespace

Case matmul_case(std::string text, std::int64_t n) {
  Case result{"matmul", std::move(text), {{"n", n}}, {}, {}, {}};
  Array a = random_array({n, n}, 1), b = random_array({n, n}, 2), c({n, n}), bt({n, n});
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j) bt(j, k) = b(k, j);
  c.data = times_transposed(a.data, bt.data, n);
  result.inputs = {{"1", a}, {"2", b}};
  result.outputs = {{"C", c}};
  return result;
}

Case ao_to_mo_case(std::string text, std::int64_t n, std::int64_t m) {
  Case result{"ao_to_mo", std::move(text), {{"n", n}, {"m", m}}, {}, {}, {}};
  const Array a = random_array({n, n, n, n}, 1);
  std::vector<Array> c;
  for (unsigned seed = 2; seed <= 5; ++seed) c.push_back(random_array({m, n}, seed));
  // The last index is summed with C1, C2, C3, C4 in turn, and becomes the first: s, r, q, p.
  std::vector<double> t = a.data;
  for (const Array& matrix : c) t = times_transposed(matrix.data, t, n);
  Array b({m, m, m, m});
  b.data = t;
  result.inputs = {{"1", a}, {"2", c[0]}, {"3", c[1]}, {"4", c[2]}, {"5", c[3]}};
  result.outputs = {{"B", b}};
  return result;
}

Case mp2_case(std::string text, std::int64_t no, std::int64_t nv) {
  Case result{"mp2", std::move(text), {{"no", no}, {"nv", nv}}, {}, {}, {}};
  Array v = antisymmetric_pairs(nv, no, 1), x = random_array({no}, 2), y = random_array({nv}, 3);
  double energy = 0;
  for (std::int64_t a = 0; a < nv; ++a)
    for (std::int64_t b = 0; b < nv; ++b)
      for (std::int64_t i = 0; i < no; ++i)
        for (std::int64_t j = 0; j < no; ++j)
          energy += 0.25 * v(a, b, i, j) * v(a, b, i, j) / (x(i) + x(j) - y(a) - y(b) - 8);
  result.inputs = {{"1", v}, {"2", x}, {"3", y}};
  result.printed = {{"E", energy}};
  return result;
}

Case ccd_case(std::string text, std::int64_t no, std::int64_t nv) {
  const auto where = text.find("max 50");
  text.replace(where, 6, "max 2");
  Case result{"ccd", std::move(text), {{"no", no}, {"nv", nv}}, {}, {}, {}};
  Array v0 = antisymmetric_pairs(nv, no, 1), vvvv = antisymmetric_pairs(nv, nv, 2),
        oooo = antisymmetric_pairs(no, no, 3);
  Array ovvo = random_array({no, nv, nv, no}, 4), x = random_array({no}, 5), y = random_array({nv}, 6);
  result.inputs = {{"1", v0}, {"2", vvvv}, {"3", oooo}, {"4", ovvo}, {"5", x}, {"6", y}};
  Array v = v0, t({nv, nv, no, no});
  for (double& value : v.data) value *= 0.02;
  const auto d = [&](std::int64_t a, std::int64_t b, std::int64_t i, std::int64_t j) {
    return x(i) + x(j) - y(a) - y(b) - 8;
  };
  const auto for_all = [&](auto f) {
    for (std::int64_t a = 0; a < nv; ++a)
      for (std::int64_t b = 0; b < nv; ++b)
        for (std::int64_t i = 0; i < no; ++i)
          for (std::int64_t j = 0; j < no; ++j) f(a, b, i, j);
  };
  for_all([&](auto a, auto b, auto i, auto j) { t(a, b, i, j) = v(a, b, i, j) / d(a, b, i, j); });
  for (int pass = 0; pass < 2; ++pass) {
    Array foo({no, no}), fvv({nv, nv}), woooo = oooo, wovvo = ovvo;
    for (double& value : woooo.data) value *= 0.02;
    for (double& value : wovvo.data) value *= 0.02;
    for_all([&](auto e, auto f, auto m, auto n) {
      const double w = v(e, f, m, n);
      for (std::int64_t i = 0; i < no; ++i) foo(m, i) += 0.5 * w * t(e, f, i, n);
      for (std::int64_t a = 0; a < nv; ++a) fvv(a, e) -= 0.5 * t(a, f, m, n) * w;
      for (std::int64_t i = 0; i < no; ++i)
        for (std::int64_t j = 0; j < no; ++j) woooo(m, n, i, j) += 0.5 * w * t(e, f, i, j);
      for (std::int64_t b = 0; b < nv; ++b)
        for (std::int64_t j = 0; j < no; ++j) wovvo(m, b, e, j) -= 0.5 * w * t(f, b, j, n);
    });
    Array ring({nv, nv, no, no}), z = v;  // T[a,e,i,m] W[m,b,e,j]
    for_all([&](auto a, auto b, auto i, auto j) {
      double sum = 0;
      for (std::int64_t e = 0; e < nv; ++e)
        for (std::int64_t m = 0; m < no; ++m) sum += t(a, e, i, m) * wovvo(m, b, e, j);
      ring(a, b, i, j) = sum;
    });
    for_all([&](auto a, auto b, auto i, auto j) {
      double sum = ring(a, b, i, j) - ring(b, a, i, j) - ring(a, b, j, i) + ring(b, a, j, i);
      for (std::int64_t m = 0; m < no; ++m)
        for (std::int64_t n = 0; n < no; ++n) sum += 0.5 * woooo(m, n, i, j) * t(a, b, m, n);
      for (std::int64_t e = 0; e < nv; ++e) sum += fvv(b, e) * t(a, e, i, j) - fvv(a, e) * t(b, e, i, j);
      for (std::int64_t m = 0; m < no; ++m) sum -= foo(m, j) * t(a, b, i, m) - foo(m, i) * t(a, b, j, m);
      z(a, b, i, j) += sum;
    });
    for (std::int64_t a = 0; a < nv; ++a)
      for (std::int64_t b = 0; b < nv; ++b)
        for (std::int64_t e = 0; e < nv; ++e)
          for (std::int64_t f = 0; f < nv; ++f)
            for (std::int64_t ij = 0; ij < no * no; ++ij) z(a, b, 0, ij) += 0.01 * vvvv(a, b, e, f) * t(e, f, 0, ij);
    for_all([&](auto a, auto b, auto i, auto j) { t(a, b, i, j) = z(a, b, i, j) / d(a, b, i, j); });
  }
  double energy = 0;
  for (std::size_t k = 0; k < t.data.size(); ++k) energy += 0.25 * v.data[k] * t.data[k];
  result.outputs = {{"T", t}};
  result.printed = {{"E", energy}};
  return result;
}

}  // namespace ricci_test
