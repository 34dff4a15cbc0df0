// Binds <ricci/disk.hpp>: blocks that are read and written.
#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "notation/labels.hpp"
#include "program/block_sum.hpp"
#include "program/disk_state.hpp"

namespace ricci::disk {

using compile::BlockCatalog;
using detail::AddressState;
using detail::BlockState;
using detail::DiskState;
using detail::InputState;
using program::AnyTensor;
using program::ReadBlock;

namespace {

bool is_whole(const compile::Box& box, const Extents& extents) {
  return box.hi == extents && std::all_of(box.lo.begin(), box.lo.end(), [](std::int64_t lo) { return lo == 0; });
}

/// A copy of a part of a tensor in memory.
class CopiedPart : public ReadBlock {
 public:
  explicit CopiedPart(AnyTensor tensor) : tensor_(std::move(tensor)) {
    for (int m = 0; m < program::state_of(tensor_).shape->order(); ++m) order.push_back(m);
  }
  const AnyTensor& get() override { return tensor_; }
  AnyTensor take() override { return std::move(tensor_); }

 private:
  AnyTensor tensor_;
};

}  // namespace

// ---- reading

Expression Block::operator[](std::string_view labels) const {
  const BlockState& block = *state_;
  if (!block.read) return block.whole->indexed(std::string(labels));
  const std::vector<std::string> names = notation::parse_labels(labels, static_cast<int>(block.box.lo.size()));
  std::vector<std::string> ordered;
  for (int mode : block.read->order) ordered.push_back(names[static_cast<std::size_t>(mode)]);
  return static_cast<double>(block.read->sign) *
         Expression(program::indexed(block.read->get(), fmt::format("{}", fmt::join(ordered, ","))));
}

double Block::norm2() const { return state_->view().norm(); }

template <class T>
Tensor<T> Block::take() {
  BlockState& block = *state_;
  const ElementType type = block.view().state().type;
  if (type != element_type_of<T>)
    throw InputError(fmt::format("the block is of {}, and was to become a tensor of {}", name_of(type),
                                 name_of(element_type_of<T>)));
  const bool stands =
      !block.read || (block.read->sign == 1 && std::is_sorted(block.read->order.begin(), block.read->order.end()));
  if (!stands) {
    Extents extents;
    std::vector<int> modes;
    for (std::size_t m = 0; m < block.box.lo.size(); ++m) {
      extents.push_back(block.box.hi[m] - block.box.lo[m]);
      modes.push_back(static_cast<int>(m));
    }
    Tensor<T> result(block.view().state().world, extents);
    const std::string labels = program::mode_names(modes);
    result[labels] = (*this)[labels];
    return result;
  }
  AnyTensor tensor = block.read ? block.read->take() : block.whole->slice(block.box);
  program::state_of(tensor).stays = true;
  return std::move(std::get<Tensor<T>>(tensor));
}

template <class T>
Address at(const Tensor<T>& tensor, const Box& box) {
  const compile::Box where = detail::resolved(box, tensor.extents());
  AddressState address{&tensor, where, {}, {}};
  if (is_whole(where, tensor.extents()))
    address.whole.emplace(&tensor);
  else
    address.start = [view = program::TensorView(&tensor), where] {
      return std::make_unique<CopiedPart>(view.slice(where));
    };
  return Address(std::make_shared<const AddressState>(std::move(address)));
}

template <class T>
Address at(const DiskTensor<T>& tensor, const Box& box) {
  DiskState& state = tensor.state();
  const compile::Box where = detail::resolved(box, state.shape().extents());
  const auto start = [&state, where, box]() -> std::unique_ptr<ReadBlock> {
    const World& world = state.scratch->world;
    if (state.tensor) return program::disk_source(*state.tensor, world, state.type)->start(where);
    const notation::ProgramTensor zero{"",         notation::Role::input, {}, state.shape(),
                                       state.type, notation::Origin::zero};
    return program::formula_source(zero, detail::catalog_of(state.shape(), box), world)->start(where);
  };
  return Address(std::make_shared<const AddressState>(AddressState{&state, where, start, {}}));
}

template <class T>
Address at(const InputTensor<T>& tensor, const Box& box) {
  InputState& state = tensor.state();
  const compile::Box where = detail::resolved(box, state.input.shape.extents());
  const auto start = [&state, where, box] {
    std::vector<std::int64_t> sizes;
    for (const Tile& tile : box) sizes.push_back(tile.size);
    auto& source = state.sources[sizes];
    if (!source) {
      const World& world = state.scratch->world;
      BlockCatalog catalog = detail::catalog_of(state.input.shape, box);
      source = state.input.origin == notation::Origin::file
                   ? program::file_source(state.input, std::move(catalog), world, state.scratch->past)
                   : program::formula_source(state.input, std::move(catalog), world);
    }
    return source->start(where);
  };
  return Address(std::make_shared<const AddressState>(AddressState{&state, where, start, {}}));
}

Block read(const Address& address) {
  const AddressState& from = address.state();
  return Block(std::make_shared<BlockState>(
      BlockState{from.box, from.start ? from.start() : std::unique_ptr<ReadBlock>(), from.whole}));
}

std::vector<Block> Factors::read_all(const std::vector<const Address*>& addresses) {
  const auto find = [](const std::vector<Held>& list, const Address& address) -> const Held* {
    const auto it = std::find_if(list.begin(), list.end(), [&](const Held& held) {
      return held.address.state().tensor == address.state().tensor && held.address.state().box == address.state().box;
    });
    return it == list.end() ? nullptr : &*it;
  };
  std::vector<Held> now;
  for (const Address* address : addresses) {
    if (const Held* held = find(held_, *address)) now.push_back(*held);
  }
  held_ = std::move(now);  // what nobody wants any more is gone before more is read
  std::vector<Block> result;
  for (const Address* address : addresses) {
    if (find(held_, *address) == nullptr) held_.push_back({*address, disk::read(*address)});
    result.push_back(find(held_, *address)->block);
  }
  return result;
}

// ---- writing

namespace {

template <class T>
Tensor<T> new_sum(const World& world, const symmetry::Shape& shape) {
  return std::get<Tensor<T>>(program::new_sum(world, element_type_of<T>, shape));
}

template <class T>
Tensor<T> packed(const BlockCatalog& catalog, const compile::Box& box, Tensor<T> sum) {
  const auto number = catalog.find(catalog.tiles_touched(box).lo).number;
  return std::get<Tensor<T>>(program::packed_sum(std::move(sum), catalog.block_shape(number)));
}

/// A box of an array without symmetry that is several blocks.
template <class T>
void write_parts(program::DiskTensor& to, const compile::Box& box, const Tensor<T>& tensor) {
  const BlockCatalog& catalog = to.catalog();
  const compile::Box touched = catalog.tiles_touched(box);
  std::vector<std::int64_t> tiles = touched.lo;
  for (bool more = true; more;) {
    const compile::Box part = catalog.box(tiles);
    std::vector<std::int64_t> lo, hi;
    for (std::size_t m = 0; m < tiles.size(); ++m) {
      lo.push_back(part.lo[m] - box.lo[m]);
      hi.push_back(part.hi[m] - box.lo[m]);
    }
    const AnyTensor block = tensor.slice(lo, hi);
    to.start_write(catalog.find(tiles).number, block).wait();
    more = false;
    for (std::size_t m = tiles.size(); m-- > 0 && !more;) {
      more = ++tiles[m] < touched.hi[m];
      if (!more) tiles[m] = touched.lo[m];
    }
  }
}

bool is_several_blocks(const BlockCatalog& catalog, const compile::Box& box) {
  if (!catalog.shape().symmetry().empty()) return false;
  const compile::Box touched = catalog.tiles_touched(box);
  std::vector<std::int64_t> last = touched.hi;
  for (std::int64_t& tile : last) --tile;
  return catalog.box(touched.lo).lo == box.lo && catalog.box(last).hi == box.hi;
}

}  // namespace

template <class T>
Tensor<T> zero_block(const Tensor<T>& tensor, const Box& box) {
  const symmetry::Shape shape(tensor.extents(), tensor.symmetry());
  return new_sum<T>(tensor.world(),
                    program::shape_of_sum(detail::catalog_of(shape, box), detail::resolved(box, tensor.extents())));
}

template <class T>
Tensor<T> zero_block(const DiskTensor<T>& tensor, const Box& box) {
  const DiskState& state = tensor.state();
  return new_sum<T>(state.scratch->world,
                    program::shape_of_sum(state.catalog, detail::resolved(box, state.shape().extents())));
}

template <class T>
Tensor<T> packed_block(const Tensor<T>& tensor, const Box& box, Tensor<T> sum) {
  const symmetry::Shape shape(tensor.extents(), tensor.symmetry());
  return packed(detail::catalog_of(shape, box), detail::resolved(box, tensor.extents()), std::move(sum));
}

template <class T>
Tensor<T> packed_block(const DiskTensor<T>& tensor, const Box& box, Tensor<T> sum) {
  const DiskState& state = tensor.state();
  return packed(state.catalog, detail::resolved(box, state.shape().extents()), std::move(sum));
}

template <class T>
void write_block(Tensor<T>& tensor, const Box& box, Tensor<T> sum) {
  const compile::Box where = detail::resolved(box, tensor.extents());
  tensor.assign_slice(where.lo, where.hi, packed_block(tensor, box, std::move(sum)));
}

template <class T>
void write_block(DiskTensor<T>& tensor, const Box& box, Tensor<T> sum) {
  DiskState& state = tensor.state();
  const compile::Box where = detail::resolved(box, state.shape().extents());
  if (state.catalog.is_block(where)) {
    const AnyTensor block = packed(state.catalog, where, std::move(sum));
    state.on_disk().start_write(state.catalog.find(state.catalog.tiles_touched(where).lo).number, block).wait();
    return;
  }
  if (!is_several_blocks(state.catalog, where))
    throw InputError("a tensor on disk is written block by block, and this box is none; use the tensor's own tiles");
  write_parts(state.on_disk(), where, sum);
}

#define RICCI_INSTANTIATE(T)                                                    \
  template Tensor<T> Block::take();                                             \
  template Address at(const Tensor<T>&, const Box&);                            \
  template Address at(const DiskTensor<T>&, const Box&);                        \
  template Address at(const InputTensor<T>&, const Box&);                       \
  template Tensor<T> zero_block(const Tensor<T>&, const Box&);                  \
  template Tensor<T> zero_block(const DiskTensor<T>&, const Box&);              \
  template Tensor<T> packed_block(const Tensor<T>&, const Box&, Tensor<T>);     \
  template Tensor<T> packed_block(const DiskTensor<T>&, const Box&, Tensor<T>); \
  template void write_block(Tensor<T>&, const Box&, Tensor<T>);                 \
  template void write_block(DiskTensor<T>&, const Box&, Tensor<T>);
RICCI_INSTANTIATE(float)
RICCI_INSTANTIATE(double)
RICCI_INSTANTIATE(std::complex<float>)
RICCI_INSTANTIATE(std::complex<double>)
#undef RICCI_INSTANTIATE

}  // namespace ricci::disk
