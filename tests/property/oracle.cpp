#include "oracle.hpp"

#include <numeric>

#include "oracle_symmetry.hpp"

namespace ricci_test {

namespace {

std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t mode = extents.size(); mode-- > 1;) strides[mode - 1] = strides[mode] * extents[mode];
  return strides;
}

std::vector<std::int64_t> unravel(std::int64_t key, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> index(extents.size());
  for (std::size_t mode = extents.size(); mode-- > 0;) {
    index[mode] = key % extents[mode];
    key /= extents[mode];
  }
  return index;
}

std::int64_t ravel(const std::vector<std::int64_t>& index, const std::vector<std::int64_t>& strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
}

// How far an operand's offset moves when each of the labels grows by one.
std::vector<std::int64_t> label_strides(const Statement& statement, const TensorShape& shape,
                                        const std::string& positions, const std::string& labels) {
  const auto strides = strides_of(extents_of(statement, shape));
  std::vector<std::int64_t> result(labels.size(), 0);
  for (std::size_t mode = 0; mode < positions.size(); ++mode) result[labels.find(positions[mode])] += strides[mode];
  return result;
}

Number multiply(Number x, Number y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

// The term before symmetrisation, as a function of the output's index: off a repeated label's diagonal it is zero.
struct TermValues {
  DenseTensor values;
  std::vector<long double> magnitude;
};

TermValues evaluate_term(const Statement& statement, const Term& term, const std::vector<DenseTensor>& data) {
  const std::string labels = labels_of(statement, term);
  std::vector<std::vector<std::int64_t>> strides = {
      label_strides(statement, statement.tensors[0], statement.output, labels)};
  for (const Factor& factor : term.factors) {
    const TensorShape& shape = statement.tensors[static_cast<std::size_t>(factor.tensor)];
    strides.push_back(label_strides(statement, shape, factor.labels, labels));
  }
  std::vector<std::int64_t> extents;
  for (const char label : labels) extents.push_back(statement.extent_of(label));
  const std::int64_t points = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());

  TermValues result{DenseTensor(data[0].size()), std::vector<long double>(data[0].size())};
  std::vector<std::int64_t> index(labels.size(), 0);
  for (std::int64_t point = 0; point < points; ++point) {
    Number product(term.coefficient);
    for (std::size_t f = 0; f < term.factors.size(); ++f) {
      const Factor& factor = term.factors[f];
      const auto offset = static_cast<std::size_t>(ravel(index, strides[f + 1]));
      const Number element = data[static_cast<std::size_t>(factor.tensor)][offset];
      product = multiply(product, factor.conjugate ? std::conj(element) : element);
    }
    const auto target = static_cast<std::size_t>(ravel(index, strides[0]));
    result.values[target] += product;
    result.magnitude[target] += std::abs(product.real()) + std::abs(product.imag());
    for (std::size_t label = labels.size(); label-- > 0 && ++index[label] == extents[label];) index[label] = 0;
  }
  return result;
}

}  // namespace

std::vector<DenseTensor> random_data(const Statement& statement) {
  // A hash of seed, tensor and canonical key: SplitMix64's finaliser.
  const auto value = [&statement](std::uint64_t tensor, std::uint64_t key, std::uint64_t part) {
    std::uint64_t z = statement.data_seed + 0x9e3779b97f4a7c15ULL * (1 + part + 2 * tensor + 64 * key);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return static_cast<long double>(z >> 43) / (1 << 20) - 1;
  };
  std::vector<DenseTensor> data;
  for (std::size_t tensor = 0; tensor < statement.tensors.size(); ++tensor) {
    const TensorShape& shape = statement.tensors[tensor];
    const auto extents = extents_of(statement, shape);
    const auto strides = strides_of(extents);
    DenseTensor elements(static_cast<std::size_t>(full_size(statement, shape)));
    for (std::size_t key = 0; key < elements.size(); ++key) {
      const Canonical home = canonical(shape, unravel(static_cast<std::int64_t>(key), extents));
      const auto home_key = static_cast<std::uint64_t>(ravel(home.index, strides));
      const long double imaginary = statement.is_complex() ? value(tensor, home_key, 1) : 0;
      if (home.sign != 0) {
        elements[key] = static_cast<long double>(home.sign) * Number(value(tensor, home_key, 0), imaginary);
      }
    }
    data.push_back(std::move(elements));
  }
  return data;
}

Expected evaluate(const Statement& statement, const std::vector<DenseTensor>& data) {
  const TensorShape& shape = statement.tensors[0];
  const auto extents = extents_of(statement, shape);
  const auto strides = strides_of(extents);
  const std::size_t size = data[0].size();
  Expected result{DenseTensor(size), std::vector<long double>(size), 1};
  if (statement.how != Assignment::assign) {
    result.values = data[0];
    for (std::size_t key = 0; key < size; ++key) result.magnitude[key] = std::abs(data[0][key]);
  }
  const long double direction = statement.how == Assignment::subtract ? -1 : 1;
  for (const Term& term : statement.terms) {
    const TermValues term_values = evaluate_term(statement, term, data);
    const auto permutations = cosets(statement, term);
    long double points = 1;
    for (const char label : labels_of(statement, term)) {
      if (statement.output.find(label) == std::string::npos) {
        points *= static_cast<long double>(statement.extent_of(label));
      }
    }
    result.summands +=
        points * static_cast<long double>(permutations.size()) + static_cast<long double>(term.factors.size());
    for (std::size_t key = 0; key < size; ++key) {
      const auto index = unravel(static_cast<std::int64_t>(key), extents);
      for (const SignedPermutation& g : permutations) {
        std::int64_t target = 0;
        for (std::size_t mode = 0; mode < index.size(); ++mode) {
          target += index[mode] * strides[static_cast<std::size_t>(g.position[mode])];
        }
        result.values[static_cast<std::size_t>(target)] +=
            direction * static_cast<long double>(g.sign) * term_values.values[key];
        result.magnitude[static_cast<std::size_t>(target)] += term_values.magnitude[key];
      }
    }
  }
  for (std::size_t key = 0; key < size; ++key) {
    if (canonical(shape, unravel(static_cast<std::int64_t>(key), extents)).sign == 0) result.values[key] = 0;
  }
  return result;
}

long double tolerance(const Expected& expected, std::size_t element, long double epsilon) {
  return 4 * epsilon * (expected.summands + 4) * expected.magnitude[element];
}

}  // namespace ricci_test
