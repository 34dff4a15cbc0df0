// CCSD as Stanton, Gauss, Watts and Bartlett factorise it (J. Chem. Phys. 94, 4334 (1991), equations 1-13), term by
// term in plain loops: other intermediates than those of examples/ccsd.ric.
#include <cmath>
#include <initializer_list>

#include "oracle.hpp"

namespace ricci_test {

namespace {

using Array = Dense<double>;

struct Factor {
  const Array* array;
  std::string labels;
};

/// out[labels] += factor * the product of the factors, summed over all other labels.
void add(Array& out, const std::string& labels, double factor, std::initializer_list<Factor> factors) {
  std::string all = labels;
  std::map<char, std::int64_t> extents;
  for (std::size_t m = 0; m < labels.size(); ++m) extents[labels[m]] = out.extents[m];
  for (const Factor& f : factors) {
    for (std::size_t m = 0; m < f.labels.size(); ++m) {
      if (all.find(f.labels[m]) == std::string::npos) all += f.labels[m];
      extents[f.labels[m]] = f.array->extents[m];
    }
  }
  const auto strides = [&](const Array& array, const std::string& of) {
    std::vector<std::int64_t> result(all.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t m = of.size(); m-- > 0; stride *= array.extents[m]) result[all.find(of[m])] += stride;
    return result;
  };
  const std::vector<std::int64_t> out_strides = strides(out, labels);
  std::vector<std::vector<std::int64_t>> in_strides;
  for (const Factor& f : factors) in_strides.push_back(strides(*f.array, f.labels));
  std::vector<std::int64_t> index(all.size(), 0);
  while (true) {
    double product = factor;
    std::size_t number = 0;
    for (const Factor& f : factors) {
      std::int64_t at = 0;
      for (std::size_t k = 0; k < all.size(); ++k) at += index[k] * in_strides[number][k];
      product *= f.array->data[static_cast<std::size_t>(at)];
      ++number;
    }
    std::int64_t at = 0;
    for (std::size_t k = 0; k < all.size(); ++k) at += index[k] * out_strides[k];
    out.data[static_cast<std::size_t>(at)] += product;
    std::size_t k = all.size();
    while (k-- > 0 && ++index[k] == extents[all[k]]) index[k] = 0;
    if (k == std::string::npos) return;
  }
}

/// P(ij) or P(ab): minus the same with two modes exchanged.
Array permuted(const Array& x, bool first_pair, bool last_pair) {
  Array result = x;
  const Factor straight{&x, "abij"}, first{&x, "baij"}, last{&x, "abji"}, both{&x, "baji"};
  if (first_pair) add(result, "abij", -1, {first});
  if (last_pair) add(result, "abij", -1, {last});
  if (first_pair && last_pair) add(result, "abij", 1, {both});
  return result;
}

Array random_array(std::vector<std::int64_t> extents, unsigned seed) {
  Array array(std::move(extents));
  std::mt19937 random(seed);
  for (double& x : array.data) x = static_cast<double>(random()) / 2147483648.0 - 1;
  return array;
}

Array halved(Array x, double factor) {
  for (double& value : x.data) value *= factor;
  return x;
}

}  // namespace

Case ccsd_case(std::string text, std::int64_t no, std::int64_t nv) {
  text.replace(text.find("max 50"), 6, "max 2");
  Case result{"ccsd", std::move(text), {{"no", no}, {"nv", nv}}, {}, {}, {}};
  const Array vvoo = halved(permuted(random_array({nv, nv, no, no}, 1), true, true), 0.25);
  const Array vvvv = halved(permuted(random_array({nv, nv, nv, nv}, 2), true, true), 0.25);
  const Array oooo = halved(permuted(random_array({no, no, no, no}, 3), true, true), 0.25);
  const Array voov = random_array({nv, no, no, nv}, 4);
  const Array ovvv = halved(permuted(random_array({no, nv, nv, nv}, 5), false, true), 0.5);
  const Array oovo = halved(permuted(random_array({no, no, nv, no}, 6), true, false), 0.5);
  const Array x = random_array({no}, 7), y = random_array({nv}, 8);
  result.inputs = {{"1", vvoo}, {"2", vvvv}, {"3", oooo}, {"4", voov}, {"5", ovvv}, {"6", oovo}, {"7", x}, {"8", y}};
  // <ab||ij> is v[abij], and so on.
  const Array v = halved(vvoo, 0.02), w = halved(vvvv, 0.01), u = halved(oooo, 0.02), g = halved(voov, 0.02),
              p = halved(ovvv, 0.02), q = halved(oovo, 0.02);
  Array d1({nv, no}), d2({nv, nv, no, no}), t1({nv, no}), t2 = v;
  for (std::int64_t a = 0; a < nv; ++a)
    for (std::int64_t i = 0; i < no; ++i) d1(a, i) = x.data[i] - y.data[a] - 4;
  for (std::int64_t a = 0; a < nv; ++a)
    for (std::int64_t b = 0; b < nv; ++b)
      for (std::int64_t i = 0; i < no; ++i)
        for (std::int64_t j = 0; j < no; ++j) d2(a, b, i, j) = d1(a, i) + d1(b, j);
  const auto divide = [](Array& n, const Array& d) {
    for (std::size_t k = 0; k < n.data.size(); ++k) n.data[k] /= d.data[k];
  };
  divide(t2, d2);
  double energy = 0;
  for (int pass = 0; pass < 2; ++pass) {
    Array tt({nv, nv, no, no});
    add(tt, "abij", 1, {{&t1, "ai"}, {&t1, "bj"}});
    add(tt, "abij", -1, {{&t1, "bi"}, {&t1, "aj"}});
    Array tau = t2, half_tau = t2;
    add(tau, "abij", 1, {{&tt, "abij"}});
    add(half_tau, "abij", 0.5, {{&tt, "abij"}});
    energy = 0;
    for (std::size_t k = 0; k < tau.data.size(); ++k) energy += 0.25 * v.data[k] * tau.data[k];

    Array fae({nv, nv}), fmi({no, no}), fme({no, nv});
    add(fae, "ae", 1, {{&t1, "fm"}, {&p, "mafe"}});
    add(fae, "ae", -0.5, {{&half_tau, "afmn"}, {&v, "efmn"}});
    add(fmi, "mi", -1, {{&t1, "en"}, {&q, "mnei"}});
    add(fmi, "mi", 0.5, {{&half_tau, "efin"}, {&v, "efmn"}});
    add(fme, "me", 1, {{&t1, "fn"}, {&v, "efmn"}});
    Array wmnij = u, wmbej({no, nv, nv, no}), wabef = w, part({no, no, no, no});
    add(part, "mnij", -1, {{&t1, "ej"}, {&q, "mnei"}});
    add(wmnij, "mnij", 1, {{&part, "mnij"}});
    add(wmnij, "mnij", -1, {{&part, "mnji"}});
    add(wmnij, "mnij", 0.25, {{&tau, "efij"}, {&v, "efmn"}});
    add(wabef, "abef", 1, {{&t1, "bm"}, {&p, "maef"}});
    add(wabef, "abef", -1, {{&t1, "am"}, {&p, "mbef"}});
    add(wabef, "abef", 0.25, {{&tau, "abmn"}, {&v, "efmn"}});
    add(wmbej, "mbej", 1, {{&g, "bmje"}});
    add(wmbej, "mbej", 1, {{&t1, "fj"}, {&p, "mbef"}});
    add(wmbej, "mbej", -1, {{&t1, "bn"}, {&q, "mnej"}});
    add(wmbej, "mbej", -0.5, {{&t2, "fbjn"}, {&v, "efmn"}});
    Array one({no, no, nv, no});  // t_j^f <mn||ef>
    add(one, "mnej", 1, {{&t1, "fj"}, {&v, "efmn"}});
    add(wmbej, "mbej", -1, {{&t1, "bn"}, {&one, "mnej"}});

    Array z1({nv, no});
    add(z1, "ai", 1, {{&t1, "ei"}, {&fae, "ae"}});
    add(z1, "ai", -1, {{&t1, "am"}, {&fmi, "mi"}});
    add(z1, "ai", 1, {{&t2, "aeim"}, {&fme, "me"}});
    add(z1, "ai", 1, {{&t1, "fn"}, {&g, "anif"}});
    add(z1, "ai", -0.5, {{&t2, "efim"}, {&p, "maef"}});
    add(z1, "ai", -0.5, {{&t2, "aemn"}, {&q, "nmei"}});

    Array fbe = fae, fmj = fmi;
    add(fbe, "be", -0.5, {{&t1, "bm"}, {&fme, "me"}});
    add(fmj, "mj", 0.5, {{&t1, "ej"}, {&fme, "me"}});
    const std::vector<std::int64_t> shape = {nv, nv, no, no};
    Array z2 = v, of_a(shape), of_i(shape), of_both(shape);
    add(of_a, "abij", 1, {{&t2, "aeij"}, {&fbe, "be"}});
    add(of_i, "abij", -1, {{&t2, "abim"}, {&fmj, "mj"}});
    add(z2, "abij", 0.5, {{&tau, "abmn"}, {&wmnij, "mnij"}});
    add(z2, "abij", 0.5, {{&tau, "efij"}, {&wabef, "abef"}});
    add(of_both, "abij", 1, {{&t2, "aeim"}, {&wmbej, "mbej"}});
    Array two({nv, no, no, no});  // t_i^e <mb||ej>
    add(two, "bmij", 1, {{&t1, "ei"}, {&g, "bmje"}});
    add(of_both, "abij", -1, {{&t1, "am"}, {&two, "bmij"}});
    add(of_i, "abij", -1, {{&t1, "ei"}, {&p, "jeab"}});
    add(of_a, "abij", 1, {{&t1, "am"}, {&q, "ijbm"}});
    add(z2, "abij", 1, {{&of_a, "abij"}});
    for (const Array& more : {permuted(of_i, false, true), permuted(of_both, true, true)})
      add(z2, "abij", 1, {{&more, "abij"}});
    add(z2, "abij", -1, {{&of_a, "baij"}});
    divide(z1, d1);
    divide(z2, d2);
    t1 = z1;
    t2 = z2;
  }
  result.outputs = {{"T1", t1}, {"T2", t2}};
  result.printed = {{"E", energy}};
  return result;
}

}  // namespace ricci_test
