#include "program/block_source.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "layout/fill_random.hpp"

namespace ricci::program {

namespace {

using compile::BlockCatalog;
using compile::Box;
using compile::CanonicalBlock;

std::vector<int> as_it_stands(std::size_t order) {
  std::vector<int> result(order);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

class BlockInMemory : public ReadBlock {
 public:
  explicit BlockInMemory(AnyTensor tensor) : tensor_(std::move(tensor)) {}
  const AnyTensor& get() override { return tensor_; }
  AnyTensor take() override { return std::move(tensor_); }

 private:
  AnyTensor tensor_;
};

class WholeTensorAsBlock : public ReadBlock {
 public:
  explicit WholeTensorAsBlock(const AnyTensor& tensor) : tensor_(tensor) {}
  const AnyTensor& get() override { return tensor_; }

 private:
  const AnyTensor& tensor_;
};

class BlockFromDisk : public ReadBlock {
 public:
  explicit BlockFromDisk(std::unique_ptr<IncomingBlock> block) : block_(std::move(block)) {}
  const AnyTensor& get() override { return block_->get(); }
  AnyTensor take() override { return std::move(block_->get()); }

 private:
  std::unique_ptr<IncomingBlock> block_;
};

/// A part of a tensor in memory: copied when it is asked for, as there is nothing to wait for.
class PartOfTensor : public ReadBlock {
 public:
  PartOfTensor(const AnyTensor& tensor, Box box) : tensor_(tensor), box_(std::move(box)) {}
  const AnyTensor& get() override {
    if (!part_)
      part_.emplace(std::visit([&](const auto& t) -> AnyTensor { return t.slice(box_.lo, box_.hi); }, tensor_));
    return *part_;
  }
  AnyTensor take() override {
    get();
    return std::move(*part_);
  }

 private:
  const AnyTensor& tensor_;
  Box box_;
  std::optional<AnyTensor> part_;
};

class MemorySource : public BlockSource {
 public:
  explicit MemorySource(const AnyTensor& tensor) : tensor_(tensor) {}

  std::unique_ptr<ReadBlock> start(const Box& box, std::int64_t /*ahead_bytes*/) override {
    return std::visit(
        [&](const auto& tensor) {
          std::unique_ptr<ReadBlock> block;
          const bool whole = box.hi == tensor.extents() &&
                             std::all_of(box.lo.begin(), box.lo.end(), [](std::int64_t lo) { return lo == 0; });
          if (whole)
            block = std::make_unique<WholeTensorAsBlock>(tensor_);
          else
            block = std::make_unique<PartOfTensor>(tensor_, box);
          block->order = as_it_stands(box.lo.size());
          return block;
        },
        tensor_);
  }

 private:
  const AnyTensor& tensor_;
};

/// A box of an array without symmetry, put together from the parts of it that blocks on disk have. Where there is room,
/// all of them are on their way before the box is asked for; else they come one by one, each while the one before is
/// put in its place.
class BlockFromParts : public ReadBlock {
 public:
  BlockFromParts(DiskTensor& tensor, const World& world, ElementType type, Box box, std::int64_t ahead_bytes)
      : tensor_(tensor),
        world_(world),
        type_(type),
        box_(std::move(box)),
        touched_(tensor.catalog().tiles_touched(box_)) {
    std::int64_t bytes = static_cast<std::int64_t>(element_size(type));
    for (std::size_t m = 0; m < box_.lo.size(); ++m) bytes *= box_.hi[m] - box_.lo[m];
    next_ = touched_.lo;
    if (bytes <= ahead_bytes * world.size()) {
      while (start_next()) continue;
    }
    order = as_it_stands(box_.lo.size());
  }

  const AnyTensor& get() override {
    if (result_) return *result_;
    Extents extents;
    for (std::size_t m = 0; m < box_.lo.size(); ++m) extents.push_back(box_.hi[m] - box_.lo[m]);
    result_.emplace(make_block(world_, type_, {extents, Symmetry{}}, detail::Contents::anything));
    state_of(*result_).stays = true;
    if (parts_.empty()) start_next();
    while (!parts_.empty()) {
      start_next();
      put_first();
    }
    return *result_;
  }
  AnyTensor take() override {
    get();
    return std::move(*result_);
  }

 private:
  struct Part {
    Box bounds;
    std::unique_ptr<IncomingBlock> block;
  };

  bool start_next() {
    if (next_.empty()) return false;
    const BlockCatalog& catalog = tensor_.catalog();
    parts_.push_back({catalog.box(next_), tensor_.start_read(catalog.find(next_).number)});
    for (std::size_t m = next_.size(); m-- > 0;) {
      if (++next_[m] < touched_.hi[m]) return true;
      next_[m] = touched_.lo[m];
    }
    next_.clear();
    return true;
  }

  void put_first() {
    const Box& bounds = parts_.front().bounds;
    Box from, to;  // the common part, in the block and in the result
    for (std::size_t m = 0; m < box_.lo.size(); ++m) {
      const std::int64_t lo = std::max(box_.lo[m], bounds.lo[m]), hi = std::min(box_.hi[m], bounds.hi[m]);
      from.lo.push_back(lo - bounds.lo[m]);
      from.hi.push_back(hi - bounds.lo[m]);
      to.lo.push_back(lo - box_.lo[m]);
      to.hi.push_back(hi - box_.lo[m]);
    }
    std::visit(
        [&](auto& target) {
          const auto& source = std::get<std::decay_t<decltype(target)>>(parts_.front().block->get());
          if (from.hi == source.extents() &&
              std::all_of(from.lo.begin(), from.lo.end(), [](std::int64_t lo) { return lo == 0; }))
            target.assign_slice(to.lo, to.hi, source);
          else
            target.assign_slice(to.lo, to.hi, source.slice(from.lo, from.hi));
        },
        *result_);
    parts_.pop_front();
  }

  DiskTensor& tensor_;
  World world_;
  ElementType type_;
  Box box_, touched_;
  std::vector<std::int64_t> next_;  // tiles of the part that is to be read next; empty: all are on their way
  std::deque<Part> parts_;
  std::optional<AnyTensor> result_;
};

class DiskSource : public BlockSource {
 public:
  DiskSource(DiskTensor& tensor, const World& world, ElementType type) : tensor_(tensor), world_(world), type_(type) {}

  std::unique_ptr<ReadBlock> start(const Box& box, std::int64_t ahead_bytes) override {
    const BlockCatalog& catalog = tensor_.catalog();
    if (!catalog.is_block(box) && catalog.shape().symmetry().empty())
      return std::make_unique<BlockFromParts>(tensor_, world_, type_, box, ahead_bytes);
    if (!catalog.is_block(box)) return put_together(box);
    const Box tiles = catalog.tiles_touched(box);
    const CanonicalBlock where = catalog.find(tiles.lo);
    auto block = std::make_unique<BlockFromDisk>(tensor_.start_read(where.number));
    block->order = where.order;
    block->sign = where.sign;
    return block;
  }

 private:
  /// From all blocks that the box touches, unpacked.
  std::unique_ptr<ReadBlock> put_together(const Box& box) {
    Extents extents;
    for (std::size_t m = 0; m < box.lo.size(); ++m) extents.push_back(box.hi[m] - box.lo[m]);
    AnyTensor result = make_block(world_, type_, {extents, Symmetry{}});
    const Box touched = tensor_.catalog().tiles_touched(box);
    std::vector<std::int64_t> tiles = touched.lo;
    for (bool more = !extents.empty(); more;) {
      add_part(result, box, tiles);
      more = false;
      for (std::size_t m = tiles.size(); m-- > 0 && !more;) {
        more = ++tiles[m] < touched.hi[m];
        if (!more) tiles[m] = touched.lo[m];
      }
    }
    auto block = std::make_unique<BlockInMemory>(with_symmetry(std::move(result), box));
    block->order = as_it_stands(box.lo.size());
    return block;
  }

  /// What symmetry the array has within the box: what is assigned from a block depends on it.
  AnyTensor with_symmetry(AnyTensor plain, const Box& box) const {
    Symmetry symmetry;
    double copies = 1;
    for (const SymmetryGroup& group : tensor_.catalog().shape().symmetry().groups()) {
      const auto same = [&](int mode) {
        return box.lo[mode] == box.lo[group.modes[0]] && box.hi[mode] == box.hi[group.modes[0]];
      };
      if (!std::all_of(group.modes.begin(), group.modes.end(), same)) continue;
      symmetry = symmetry * Symmetry(group.kind, group.modes);
      for (std::size_t n = 2; n <= group.modes.size(); ++n) copies *= static_cast<double>(n);
    }
    if (symmetry.empty()) return plain;
    AnyTensor packed = make_block(world_, type_, {state_of(plain).shape->extents(), symmetry});
    const std::string modes = mode_names(as_it_stands(box.lo.size()));
    indexed(packed, modes) = (1 / copies) * indexed(plain, modes);
    return packed;
  }

  void add_part(AnyTensor& result, const Box& box, const std::vector<std::int64_t>& tiles) {
    const BlockCatalog& catalog = tensor_.catalog();
    const CanonicalBlock where = catalog.find(tiles);
    const Box bounds = catalog.box(tiles);
    Extents extents;
    Box from, to;  // the common part, in the block and in the result
    for (std::size_t m = 0; m < tiles.size(); ++m) {
      extents.push_back(bounds.hi[m] - bounds.lo[m]);
      const std::int64_t lo = std::max(box.lo[m], bounds.lo[m]), hi = std::min(box.hi[m], bounds.hi[m]);
      from.lo.push_back(lo - bounds.lo[m]);
      from.hi.push_back(hi - bounds.lo[m]);
      to.lo.push_back(lo - box.lo[m]);
      to.hi.push_back(hi - box.lo[m]);
    }
    const auto stored = tensor_.start_read(where.number);
    const AnyTensor plain = make_block(world_, type_, {extents, Symmetry{}});
    indexed(plain, mode_names(as_it_stands(tiles.size()))) =
        static_cast<double>(where.sign) * indexed(stored->get(), mode_names(where.order));
    std::visit(
        [&](auto& target) {
          const auto& source = std::get<std::decay_t<decltype(target)>>(plain);
          target.assign_slice(to.lo, to.hi, source.slice(from.lo, from.hi));
        },
        result);
  }

  DiskTensor& tensor_;
  World world_;
  ElementType type_;
};

class FormulaSource : public BlockSource {
 public:
  FormulaSource(const notation::ProgramTensor& input, BlockCatalog catalog, const World& world)
      : input_(input), catalog_(std::move(catalog)), world_(world) {}

  std::unique_ptr<ReadBlock> start(const Box& box, std::int64_t /*ahead_bytes*/) override {
    const CanonicalBlock where = catalog_.find(catalog_.tiles_touched(box).lo);
    const bool is_random = input_.origin == notation::Origin::random;
    AnyTensor block = make_block(world_, input_.type, catalog_.block_shape(where.number),
                                 is_random ? detail::Contents::anything : detail::Contents::zero);
    if (is_random) fill(block, catalog_.box(where.tiles));
    auto result = std::make_unique<BlockInMemory>(std::move(block));
    result->order = where.order;
    result->sign = where.sign;
    return result;
  }

 private:
  /// The element at an index is a function of the index alone, as Tensor::fill_random has it.
  void fill(AnyTensor& block, const Box& bounds) const {
    std::visit(
        [&]<class T>(Tensor<T>&) {
          using Real = typename Tensor<T>::Real;
          detail::TensorState& state = state_of(block);
          layout::fill_random(layout::LocalElements(state.placement->distribution(), state.placement->tiles()),
                              input_.shape, bounds.lo, layout::RandomRange<Real>{input_.seed},
                              state.data.template as<T>());
        },
        block);
  }

  const notation::ProgramTensor& input_;
  BlockCatalog catalog_;
  World world_;
};

}  // namespace

std::unique_ptr<BlockSource> memory_source(const AnyTensor& tensor) { return std::make_unique<MemorySource>(tensor); }

std::unique_ptr<BlockSource> disk_source(DiskTensor& tensor, const World& world, ElementType type) {
  return std::make_unique<DiskSource>(tensor, world, type);
}

std::unique_ptr<BlockSource> formula_source(const notation::ProgramTensor& input, BlockCatalog catalog,
                                            const World& world) {
  return std::make_unique<FormulaSource>(input, std::move(catalog), world);
}

}  // namespace ricci::program
