#include "transform/mo_integrals.hpp"

namespace cc {

using ricci::Symmetry;
using ricci::Tensor;

Tensor<double> as_tensor(const ricci::World& world, const Eigen::MatrixXd& matrix) {
  Tensor<double> tensor(world, {matrix.rows(), matrix.cols()});
  tensor.fill([&](ricci::Index index) { return matrix(index[0], index[1]); });
  return tensor;
}

Tensor<double> as_tensor(const ricci::World& world, const Eigen::VectorXd& vector) {
  Tensor<double> tensor(world, {vector.size()});
  tensor.fill([&](ricci::Index index) { return vector(index[0]); });
  return tensor;
}

Tensor<double> transformed(const Tensor<double>& ao, const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
  const ricci::World& world = ao.world();
  const std::int64_t n = ao.extents()[0], l = left.cols(), r = right.cols();
  const Symmetry first = ricci::symmetric(0, 1), second = ricci::symmetric(2, 3);
  const Tensor<double> c = as_tensor(world, left), d = as_tensor(world, right);
  // A product with a matrix has no symmetry in the pair that it changes. The next one makes it symmetric in value, but
  // not by declaration, so that an output with symmetry gets it twice: once for each order.
  Tensor<double> half(world, {l, n, n, n}, second);
  half["pnrs"] = c["mp"] * ao["mnrs"];
  Tensor<double> pair(world, {l, l, n, n}, first * second);
  pair["pqrs"] = 0.5 * c["nq"] * half["pnrs"];
  half = Tensor<double>(world, {l, l, r, n}, first);
  half["pqrn"] = d["mr"] * pair["pqmn"];
  pair = Tensor<double>(world, {l, l, r, r}, first * second);
  pair["pqrs"] = 0.5 * d["ns"] * half["pqrn"];
  return pair;
}

Tensor<double> block_of(const Tensor<double>& mo, OrbitalRange p, OrbitalRange q, OrbitalRange r, OrbitalRange s) {
  return mo.slice({p.first, q.first, r.first, s.first}, {p.last, q.last, r.last, s.last});
}

}  // namespace cc
