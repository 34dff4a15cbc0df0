#include "program/run_blocked.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <ricci/error.hpp>

#include "program/block_sum.hpp"

namespace ricci::program {

using compile::BlockCatalog;
using compile::BlockedOperation;
using compile::BlockStep;
using compile::BlockWalk;
using compile::Box;
using compile::CanonicalBlock;
using compile::Home;
using compile::Operand;

namespace {

/// What becomes of the blocks.
enum class Purpose {
  sum,
  invert,  // the result's elements are inverted when they are there
  norm     // nothing but the sum of squares of the first factor
};

class BlockedRun {
 public:
  BlockedRun(const BlockedOperation& operation, ArrayStore& store, Purpose purpose)
      : operation_(operation),
        store_(store),
        purpose_(purpose),
        formula_(store.formula()),
        catalog_(*formula_.arrays[operation.out.array].shape, tile_of(operation.out)) {
    for (const compile::BlockedTerm& term : operation.terms) {
      for (const Operand& factor : term.product.factors) add_source(factor);
    }
    in_memory_ = store.home(operation.out.array) == Home::memory;
    // Its old value is read until all of the new one is there.
    const compile::Array& out = formula_.arrays[operation.out.array];
    if (in_memory_ && has_source(operation.out.array)) fresh_.emplace(make_tensor(store.world(), out.type, *out.shape));
    if (!in_memory_) result_ = store.new_disk(operation.out.array, catalog_);
    if (!operation.overwrite) add_source(operation.out);
  }

  /// The sum of squares, for a norm.
  double run() {
    BlockWalk walk(formula_, operation_);
    BlockStep step;
    while (walk.next(step)) {
      if (step.kind == BlockStep::Kind::begin) begin(step);
      if (step.kind == BlockStep::Kind::multiply) multiply(step, walk);
      if (step.kind == BlockStep::Kind::end) end(step);
    }
    if (in_memory_ && operation_.overwrite && catalog_.blocks() == 0) store_.tensor(operation_.out.array);
    sources_.clear();
    if (!in_memory_) store_.put(operation_.out.array, std::move(result_));
    if (fresh_) store_.tensor(operation_.out.array) = std::move(*fresh_);
    return squares_;
  }

 private:
  struct Held {
    const Operand* factor;
    Box box;
    std::shared_ptr<ReadBlock> block;
  };
  struct Source {
    int array;
    std::vector<std::int64_t> tile;
    std::unique_ptr<BlockSource> source;
  };

  std::vector<std::int64_t> tile_of(const Operand& operand) const {
    std::vector<std::int64_t> tile;
    for (int label : operand.labels) tile.push_back(operation_.tile[label]);
    return tile;
  }

  bool has_source(int array) const {
    return std::any_of(sources_.begin(), sources_.end(), [&](const Source& s) { return s.array == array; });
  }
  void add_source(const Operand& operand) {
    const auto tile = tile_of(operand);
    for (const Source& source : sources_) {
      if (source.array == operand.array && source.tile == tile) return;
    }
    sources_.push_back({operand.array, tile, store_.source(operand.array, tile)});
  }
  BlockSource& source(const Operand& operand) {
    const auto tile = tile_of(operand);
    for (const Source& source : sources_) {
      if (source.array == operand.array && source.tile == tile) return *source.source;
    }
    throw InternalError("an operand without a source");
  }

  void begin(const BlockStep& step) {
    if (purpose_ == Purpose::norm) return;
    const Box box = box_of(formula_, operation_, operation_.out, step.tiles);
    sum_.emplace(new_sum(store_.world(), formula_.arrays[operation_.out.array].type, shape_of_sum(catalog_, box)));
    if (operation_.overwrite) return;
    // By modes: a label that stands twice would only mean the diagonal.
    const auto before = source(operation_.out).start(box);
    indexed(*sum_, mode_names(modes())) =
        static_cast<double>(before->sign) * indexed(before->get(), mode_names(before->order));
  }

  void multiply(const BlockStep& step, const BlockWalk& walk) {
    std::vector<Held> now = take(step);
    for (Held& held : now) held.block->get();
    if (operation_.reads_ahead) read_ahead(walk, now);
    const compile::BlockedTerm& term = operation_.terms[step.term];
    if (purpose_ == Purpose::norm) {
      const double norm = norm_of(now[0].block->get());
      squares_ += step.weight * norm * norm;
      held_ = std::move(now);
      return;
    }
    Expression product(term.product.coefficient * step.weight);
    for (Held& held : now) {
      const Expression factor = indexed(held.block->get(), labels(in_order(*held.factor, *held.block)));
      product = product * static_cast<double>(held.block->sign) * (held.factor->conjugate ? conj(factor) : factor);
    }
    indexed(*sum_, labels(operation_.out.labels)) += product;
    held_ = std::move(now);
  }

  /// Blocks that are there, or on their way; the rest is asked for when those that nobody wants any more are gone.
  std::vector<Held> take(const BlockStep& step) {
    std::vector<Held> result;
    for (const Operand& factor : operation_.terms[step.term].product.factors) {
      const Box box = box_of(formula_, operation_, factor, step.tiles);
      result.push_back({&factor, box, find({&ahead_, &held_}, factor, box)});
    }
    held_.clear();
    ahead_.clear();
    for (Held& held : result) {
      if (!held.block) held.block = find({&result}, *held.factor, held.box);
      if (!held.block) held.block = source(*held.factor).start(held.box);
    }
    return result;
  }

  static std::shared_ptr<ReadBlock> find(std::initializer_list<const std::vector<Held>*> lists, const Operand& factor,
                                         const Box& box) {
    for (const std::vector<Held>* list : lists) {
      for (const Held& held : *list) {
        if (held.block && held.factor->array == factor.array && held.box == box) return held.block;
      }
    }
    return nullptr;
  }

  void read_ahead(BlockWalk walk, const std::vector<Held>& now) {
    BlockStep next;
    do {
      if (!walk.next(next)) return;
    } while (next.kind != BlockStep::Kind::multiply);
    for (const Operand& factor : operation_.terms[next.term].product.factors) {
      const Box box = box_of(formula_, operation_, factor, next.tiles);
      if (!find({&now, &ahead_}, factor, box)) ahead_.push_back({&factor, box, source(factor).start(box)});
    }
  }

  void end(const BlockStep& step) {
    if (purpose_ == Purpose::norm) return;
    std::vector<std::int64_t> tiles;
    for (int label : operation_.out.labels) tiles.push_back(step.tiles[label]);
    const CanonicalBlock where = catalog_.find(tiles);
    AnyTensor block = packed_sum(std::move(*sum_), catalog_.block_shape(where.number));
    sum_.reset();
    if (purpose_ == Purpose::invert) invert_elements(block);
    if (in_memory_) {
      const Box box = catalog_.box(tiles);
      std::visit(
          [&](auto& tensor) { tensor.assign_slice(box.lo, box.hi, std::get<std::decay_t<decltype(tensor)>>(block)); },
          fresh_ ? *fresh_ : store_.tensor(operation_.out.array));
    } else {
      result_->start_write(where.number, block).wait();
    }
  }

  /// Of the output.
  std::vector<int> modes() const {
    std::vector<int> result(operation_.out.labels.size());
    std::iota(result.begin(), result.end(), 0);
    return result;
  }

  static std::vector<int> in_order(const Operand& operand, const ReadBlock& block) {
    std::vector<int> result;
    for (int mode : block.order) result.push_back(operand.labels[mode]);
    return result;
  }
  std::string labels(const std::vector<int>& labels) const { return label_text(formula_, labels); }

  const BlockedOperation& operation_;
  ArrayStore& store_;
  const Purpose purpose_;
  const compile::Formula& formula_;
  BlockCatalog catalog_;  // of the output
  double squares_ = 0;
  bool in_memory_ = false;
  std::unique_ptr<DiskTensor> result_;
  std::vector<Source> sources_;
  std::vector<Held> held_, ahead_;
  std::optional<AnyTensor> sum_;
  std::optional<AnyTensor> fresh_;  // the new value of an array in memory that is read, too
};

}  // namespace

void run_blocked(const BlockedOperation& operation, ArrayStore& store) {
  BlockedRun(operation, store, Purpose::sum).run();
}

void invert_blocked(const BlockedOperation& operation, ArrayStore& store) {
  BlockedRun(operation, store, Purpose::invert).run();
}

double norm_blocked(const BlockedOperation& operation, ArrayStore& store) {
  return std::sqrt(BlockedRun(operation, store, Purpose::norm).run());
}

}  // namespace ricci::program
