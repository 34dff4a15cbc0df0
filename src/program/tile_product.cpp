#include "program/tile_product.hpp"

#include <algorithm>
#include <complex>

namespace ricci::program {

using compile::parallel_disk::Array;

/// With the shapes that the kernel refers to.
struct TileProduct::Kernel {
  symmetry::Shape a, b, c;
  kernels::LocalContraction contraction;

  // I, J and K are the labels 0, 1 and 2.
  static symmetry::Labelled matrix(const symmetry::Shape& shape, int first, int second, bool transposed) {
    return {&shape, transposed ? std::vector<int>{second, first} : std::vector<int>{first, second}};
  }
  static symmetry::Shape shape(std::int64_t first, std::int64_t second, bool transposed) {
    return {transposed ? Extents{second, first} : Extents{first, second}, Symmetry{}};
  }

  Kernel(const std::array<std::int64_t, 3>& n, const ParallelDiskProduct& product)
      : a(shape(n[0], n[2], product.program.transposed.a)),
        b(shape(n[1], n[2], product.program.transposed.b)),
        c(shape(n[0], n[1], product.program.transposed.c)),
        contraction(matrix(c, 0, 1, product.program.transposed.c), matrix(a, 0, 2, product.program.transposed.a),
                    matrix(b, 1, 2, product.program.transposed.b), {n[0], n[1], n[2]}, product.type,
                    kernels::Blocks::lean) {}
};

TileProduct::TileProduct(const ParallelDiskProduct& product, const ParallelDiskPlace& place)
    : product_(product), workers_(place.threads, place.pool) {}

TileProduct::~TileProduct() = default;

const TileProduct::Kernel& TileProduct::kernel(const std::array<std::int64_t, 3>& extents) {
  std::unique_ptr<Kernel>& made = kernels_[extents];
  if (!made) made = std::make_unique<Kernel>(extents, product_);
  return *made;
}

template <class T>
void TileProduct::run(const std::array<std::int64_t, 3>& extents, const T* a, const T* b, T* c) {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return;
  kernel(extents).contraction.run<T>(a, b, {product_.conjugate_a, product_.conjugate_b},
                                     static_cast<T>(product_.coefficient), true, c, workers_);
}

template void TileProduct::run(const std::array<std::int64_t, 3>&, const float*, const float*, float*);
template void TileProduct::run(const std::array<std::int64_t, 3>&, const double*, const double*, double*);
template void TileProduct::run(const std::array<std::int64_t, 3>&, const std::complex<float>*,
                               const std::complex<float>*, std::complex<float>*);
template void TileProduct::run(const std::array<std::int64_t, 3>&, const std::complex<double>*,
                               const std::complex<double>*, std::complex<double>*);

}  // namespace ricci::program
