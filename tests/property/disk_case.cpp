#include "disk_case.hpp"

namespace ricci_test {

using namespace ricci::compile;
using ricci::program::ArrayStore;

ricci::notation::Program declarations(const Formula& formula) {
  ricci::notation::Program program;
  for (const Array& array : formula.arrays)
    program.tensors.push_back({.name = array.name, .labels = {}, .shape = *array.shape, .type = array.type});
  return program;
}

void put_on_disk(ArrayStore& store, int array, const DenseTensor& values, const std::vector<std::int64_t>& tile) {
  const auto& shape = *store.formula().arrays[array].shape;
  auto tensor = store.new_disk(array, {shape, tile});
  ricci::Tensor<double> whole(store.world(), shape.extents(), shape.symmetry());
  std::vector<double> dense;
  for (const Number& value : values) dense.push_back(static_cast<double>(value.real()));
  whole.assign_dense(dense);
  for (std::int64_t n = 0; n < tensor->catalog().blocks(); ++n) {
    const Box box = tensor->catalog().box(tensor->catalog().tiles_of(n));
    ricci::program::AnyTensor block =
        ricci::program::make_tensor(store.world(), ricci::ElementType::f64, tensor->catalog().block_shape(n));
    auto& typed = std::get<ricci::Tensor<double>>(block);
    typed.assign_slice(std::vector<std::int64_t>(box.lo.size(), 0), typed.extents(), whole.slice(box.lo, box.hi));
    tensor->start_write(n, block).wait();
  }
  store.put(array, std::move(tensor));
}

std::vector<double> from_disk(ArrayStore& store, int array) {
  const auto& shape = *store.formula().arrays[array].shape;
  const std::vector<std::int64_t> whole(shape.extents().begin(), shape.extents().end());
  const auto block = store.source(array, whole)->start({std::vector<std::int64_t>(whole.size(), 0), whole});
  return std::get<ricci::Tensor<double>>(block->get()).gather();
}

}  // namespace ricci_test
