#pragma once
// Products of tiles that lie in memory as matrices: few sizes, many products.
#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "kernels/local_contraction.hpp"
#include "program/parallel_disk_run.hpp"

namespace ricci::program {

class TileProduct {
 public:
  TileProduct(const ParallelDiskProduct& product, const ParallelDiskPlace& place);
  ~TileProduct();

  /// c += coefficient · a · b, tiles of the extents of I, J and K. T is the type of the product.
  template <class T>
  void run(const std::array<std::int64_t, 3>& extents, const T* a, const T* b, T* c);

 private:
  struct Kernel;
  const Kernel& kernel(const std::array<std::int64_t, 3>& extents);

  const ParallelDiskProduct& product_;
  kernels::Workers workers_;
  std::map<std::array<std::int64_t, 3>, std::unique_ptr<Kernel>> kernels_;  // full tiles, and those at the ends
};

}  // namespace ricci::program
