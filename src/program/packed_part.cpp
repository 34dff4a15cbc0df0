#include "program/packed_part.hpp"

#include <algorithm>
#include <span>

#include "layout/packed_box.hpp"

namespace ricci::program {

namespace {

constexpr std::int64_t at_a_time = std::int64_t{1} << 17;  // keys take memory, too

/// f(keys, at) for some elements of the part after the other, equally often on all ranks: keys within the block, of the
/// elements from number `at` of the part on.
template <class F>
void for_some_keys(const symmetry::Shape& block, const PackedPart& mine, F f) {
  const layout::PackedBox elements(mine.shape, mine.box);
  std::vector<std::int64_t> keys;
  for (std::int64_t at = 0; at < mine.most; at += at_a_time) {
    keys.clear();
    const std::int64_t first = std::min(mine.part.first + at, mine.part.last);
    const layout::Part some{first, std::min(first + at_a_time, mine.part.last)};
    elements.for_each_run(some, [&](const layout::StoredRun& run) {
      std::int64_t key = 0;
      for (std::size_t m = 0; m < run.index.size(); ++m)
        key += (run.index[m] - mine.box.lo[m]) * block.full_strides()[m];
      const std::int64_t step = run.mode < 0 ? 0 : block.full_strides()[static_cast<std::size_t>(run.mode)];
      for (std::int64_t i = 0; i < run.count; ++i, key += step) keys.push_back(key);
    });
    f(std::span<const std::int64_t>(keys), at);
  }
}

}  // namespace

PackedPart packed_part(const symmetry::Shape& shape, const layout::Box& box, const symmetry::Shape& block,
                       const World& world) {
  const std::int64_t elements = block.stored_size();
  return {shape, box, layout::part_of(elements, world.size(), world.rank()),
          layout::largest_part(elements, world.size())};
}

std::vector<storage::FileRun> runs_of(const PackedPart& part) {
  std::vector<storage::FileRun> runs;
  layout::PackedBox(part.shape, part.box).for_each_run(part.part, [&](const layout::StoredRun& run) {
    if (!runs.empty() && runs.back().end() == run.first)
      runs.back().count += run.count;
    else
      runs.push_back({run.first, run.count});
  });
  return runs;
}

void set_elements(AnyTensor& block, const PackedPart& part, const std::byte* elements) {
  std::visit(
      [&]<class T>(Tensor<T>& tensor) {
        const T* const values = reinterpret_cast<const T*>(elements);
        for_some_keys(*state_of(block).shape, part, [&](std::span<const std::int64_t> keys, std::int64_t at) {
          tensor.write(keys, std::span<const T>(values + at, keys.size()));
        });
      },
      block);
}

void get_elements(const AnyTensor& block, const PackedPart& part, std::byte* elements) {
  std::visit(
      [&]<class T>(const Tensor<T>& tensor) {
        T* const values = reinterpret_cast<T*>(elements);
        for_some_keys(*state_of(block).shape, part, [&](std::span<const std::int64_t> keys, std::int64_t at) {
          const std::vector<T> some = tensor.read(keys);
          std::copy(some.begin(), some.end(), values + at);
        });
      },
      block);
}

}  // namespace ricci::program
