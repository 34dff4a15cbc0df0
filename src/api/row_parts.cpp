#include "api/row_parts.hpp"

#include "api/file_order.hpp"
#include "layout/box.hpp"

namespace ricci::detail {

using Run = exec::RunExchange::Run;

namespace {

template <class F>
void with_type(ElementType type, F f) {
  switch (type) {
    case ElementType::f32:
      return f(float{});
    case ElementType::f64:
      return f(double{});
    case ElementType::c32:
      return f(std::complex<float>{});
    case ElementType::c64:
      return f(std::complex<double>{});
  }
}

layout::Part part_of(const TensorState& tensor) {
  return layout::part_of(tensor.shape->full_size(), tensor.world.size(), tensor.world.rank());
}

std::int64_t most_elements(const TensorState& tensor) {
  return layout::largest_part(tensor.shape->full_size(), tensor.world.size());
}

bool is_as_given(const TensorState& tensor) {
  return is_alone(tensor) && (tensor.shape->symmetry().empty() || tensor.shape->order() == 0);
}

}  // namespace

void set_by_parts(const TensorState& tensor, const std::byte* part) {
  if (is_as_given(tensor)) {
    std::copy_n(part, tensor.data.bytes(), tensor.data.data());
    return;
  }
  const layout::Part mine = part_of(tensor);
  with_type(tensor.type, [&]<class T>(T) {
    const T* const given = reinterpret_cast<const T*>(part);
    if (!tensor.shape->symmetry().empty()) {
      FoldingLoad<T> folding(tensor, most_elements(tensor));
      folding.put(mine.first, mine.count(), given);
      folding.commit();
      return;
    }
    layout::PackedRuns runs(tensor.placement->locator());
    exchange_of(tensor, most_elements(tensor), runs)
        .deliver(part, mine.first, mine.count(), exec::RunExchange::To::all_copies,
                 [&](const Run& run, const std::byte* from) {
                   std::copy_n(reinterpret_cast<const T*>(from), run.count,
                               elements<T>(tensor) + runs.place(run.first));
                 });
  });
}

void get_by_parts(const TensorState& tensor, std::byte* part) {
  if (is_as_given(tensor)) {
    std::copy_n(tensor.data.data(), tensor.data.bytes(), part);
    return;
  }
  const layout::Part mine = part_of(tensor);
  with_type(tensor.type, [&]<class T>(T) {
    layout::RowRuns runs(tensor.placement->locator());
    exchange_of(tensor, most_elements(tensor), runs)
        .fetch(mine.first, mine.count(), part, [&](const Run& run, std::byte* to) {
          unfold(runs, run, elements<T>(tensor), reinterpret_cast<T*>(to));
        });
  });
}

}  // namespace ricci::detail
