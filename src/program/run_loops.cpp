#include "program/run_loops.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <ricci/error.hpp>

#include "fusion/loop_walk.hpp"
#include "program/block_queue.hpp"
#include "program/loop_boxes.hpp"
#include "program/window_product.hpp"

namespace ricci::program {

using compile::BlockCatalog;
using compile::Box;
using compile::Home;
using fusion::Buffer;
using fusion::LoopProgram;
using fusion::Statement;

namespace {

class LoopRun {
 public:
  LoopRun(const FusedNest& nest, ArrayStore& store)
      : nest_(nest),
        program_(nest.plan.program),
        store_(store),
        ends_(fusion::last_uses(program_)),
        reads_(program_),
        held_(program_.buffers.size()),
        sources_(program_.buffers.size()),
        turn_(program_.loops.size(), 0),
        queue_(nest.ahead_bytes, [this] { return next_read(); }),
        products_(store.world()) {
    for (const auto& [array, cuts] : nest.cuts)
      results_[array] = store.new_disk(array, BlockCatalog(*store.formula().arrays[array].shape, cuts));
    for (std::size_t n = 0; n < program_.body.size(); ++n) find_writers({program_.body[n]}, n);
    find_old_values();
  }

  void run() {
    for (const Statement& statement : program_.body) {
      execute(statement);
      finish_nest();
    }
    for (auto& [array, tensor] : results_) {
      if (tensor) throw InternalError("an array was to be written, and was not");
    }
  }

 private:
  /// What a buffer has: a block that was read, or one that is made.
  struct Held {
    std::shared_ptr<ReadBlock> read;
    std::optional<AnyTensor> made;
  };

  std::size_t at(int i) const { return static_cast<std::size_t>(i); }
  const Buffer& buffer(int b) const { return program_.buffers[at(b)]; }
  int array_of(const Buffer& buffer) const { return nest_.tree.arrays[at(buffer.array)]; }
  const compile::Array& formula_array(const Buffer& buffer) const {
    return store_.formula().arrays[at(array_of(buffer))];
  }
  bool is_root(const Buffer& buffer) const { return array_of(buffer) == nest_.tree.root().out.array; }

  // ---- statements

  void execute(const Statement& statement) {
    std::visit([this](const auto& what) { run(what); }, statement.what);
    for (std::size_t b = 0; b < ends_.size(); ++b) {
      if (ends_[b] == &statement) held_[b] = {};
    }
  }

  void run(const fusion::Loop& loop) {
    around_.push_back(loop.loop);
    std::int64_t& turn = turn_[at(loop.loop)];
    for (turn = 0; turn < program_.trips(loop.loop); ++turn) {
      for (const Statement& statement : loop.body) execute(statement);
    }
    turn = 0;
    around_.pop_back();
  }

  void run(const fusion::Clear& clear) {
    const Buffer& cleared = buffer(clear.buffer);
    if (cleared.resident) {
      if (!nest_.tree.adds) std::visit([](auto& tensor) { tensor.fill(0); }, store_.tensor(array_of(cleared)));
      return;
    }
    start_sum(clear.buffer, detail::Contents::zero);
  }

  void run(const fusion::Read& read) {
    held_[at(read.buffer)] = {};
    const Box box = box_of_buffer(program_, buffer(read.buffer), turn_);
    if (read.unless_first.empty()) {
      held_[at(read.buffer)].read = queue_.take(read.buffer, box);
      queue_.read_ahead();
      return;
    }
    const bool first =
        std::all_of(read.unless_first.begin(), read.unless_first.end(), [&](int loop) { return turn_[at(loop)] == 0; });
    if (first) {
      start_sum(read.buffer, detail::Contents::zero);
      return;
    }
    const Buffer& sums = buffer(read.buffer);
    const auto source = disk_source(*results_.at(array_of(sums)), store_.world(), formula_array(sums).type);
    held_[at(read.buffer)].made.emplace(source->start(box, 0)->take());
    keep_in_place(*held_[at(read.buffer)].made);
  }

  /// What the array held before, where it is added to; else what is asked for.
  void start_sum(int b, detail::Contents contents) {
    Held& held = held_[at(b)];
    held = {};
    if (nest_.tree.adds && is_root(buffer(b))) {
      const Box box = box_of_buffer(program_, buffer(b), turn_);
      held.made.emplace(before_->start(box, 0)->take());
    } else {
      held.made.emplace(new_block(b, contents));
    }
    keep_in_place(*held.made);
  }

  AnyTensor new_block(int b, detail::Contents contents) const {
    const Box box = box_of_buffer(program_, buffer(b), turn_);
    Extents extents;
    for (std::size_t m = 0; m < box.lo.size(); ++m) extents.push_back(box.hi[m] - box.lo[m]);
    return make_block(store_.world(), formula_array(buffer(b)).type, {extents, Symmetry{}}, contents);
  }

  /// In the layout in which blocks are written.
  static void keep_in_place(const AnyTensor& tensor) { state_of(tensor).stays = true; }

  void run(const fusion::Contract& contract) {
    const Buffer& out = buffer(contract.out);
    Held& held = held_[at(contract.out)];
    bool accumulate = contract.accumulate;
    if (out.resident) {
      accumulate = accumulate || nest_.tree.adds;
    } else if (!held.made) {
      start_sum(contract.out, accumulate ? detail::Contents::zero : detail::Contents::anything);
    }
    accumulate = accumulate || (nest_.tree.adds && is_root(out));
    queue_.read_ahead();
    const FusedTree::Making& making = nest_.tree.making[at(out.array)];
    products_.run(window(contract.out, false), window(contract.a, making.conjugate_a),
                  window(contract.b, making.conjugate_b), making.coefficient, accumulate);
  }

  Window window(int b, bool conjugate) {
    const Buffer& used = buffer(b);
    const AnyTensor& tensor = used.resident       ? store_.tensor(array_of(used))
                              : held_[at(b)].read ? held_[at(b)].read->get()
                                                  : *held_[at(b)].made;
    return {&tensor, used.labels, window_of_buffer(program_, used, around_, turn_), conjugate};
  }

  void run(const fusion::Write& write) {
    const Buffer& written = buffer(write.buffer);
    DiskTensor& tensor = *results_.at(array_of(written));
    const Box box = box_of_buffer(program_, written, turn_);
    AnyTensor block = std::move(*held_[at(write.buffer)].made);
    held_[at(write.buffer)] = {};
    const BlockCatalog& catalog = tensor.catalog();
    const Box touched = catalog.tiles_touched(box);
    if (catalog.is_block(box)) {
      queue_.write(tensor, catalog.find(touched.lo).number, std::move(block), share_of(written, box));
      return;
    }
    // Readers want other tiles: blocks that both are made up of.
    std::vector<std::int64_t> tiles = touched.lo;
    for (bool more = true; more;) {
      const Box part = catalog.box(tiles);
      queue_.write(tensor, catalog.find(tiles).number, cut_out(block, box, part), share_of(written, part));
      more = false;
      for (std::size_t m = tiles.size(); m-- > 0 && !more;) {
        more = ++tiles[m] < touched.hi[m];
        if (!more) tiles[m] = touched.lo[m];
      }
    }
  }

  static AnyTensor cut_out(const AnyTensor& block, const Box& box, const Box& part) {
    std::vector<std::int64_t> lo, hi;
    for (std::size_t m = 0; m < box.lo.size(); ++m) {
      lo.push_back(part.lo[m] - box.lo[m]);
      hi.push_back(part.hi[m] - box.lo[m]);
    }
    return std::visit([&](const auto& tensor) -> AnyTensor { return tensor.slice(lo, hi); }, block);
  }

  std::int64_t share_of(const Buffer& buffer, const Box& box) const {
    std::int64_t elements = 1;
    for (std::size_t m = 0; m < box.lo.size(); ++m) elements *= box.hi[m] - box.lo[m];
    const int ranks = store_.world().size();
    return (elements + ranks - 1) / ranks * static_cast<std::int64_t>(element_size(formula_array(buffer).type));
  }

  // ---- what will be read

  /// Reads of arrays that these loops write wait until all of that is done; partial sums are never read ahead.
  std::optional<WantedBlock> next_read() {
    while (!pending_) {
      fusion::LoopStep step;
      if (!reads_.next(step)) return {};
      const auto* const read = std::get_if<fusion::Read>(&step.statement->what);
      if (read == nullptr || !read->unless_first.empty()) continue;
      pending_ = {read->buffer, box_of_buffer(program_, buffer(read->buffer), step.turn)};
    }
    const Buffer& wanted = buffer(pending_->first);
    const int array = array_of(wanted);
    const auto result = results_.find(array);
    if (result != results_.end() && result->second) return {};  // not all of it is written
    std::unique_ptr<BlockSource>& source = sources_[at(pending_->first)];
    if (!source) source = store_.source(array, tile_of(wanted));
    WantedBlock block{pending_->first, std::move(pending_->second), source.get(), 0};
    block.bytes = share_of(wanted, block.box);
    pending_.reset();
    return block;
  }

  /// Arrays by the statement of the program's body that writes them: complete when that has been run.
  void find_writers(const std::vector<Statement>& body, std::size_t nest) {
    for (const Statement& statement : body) {
      if (const auto* const loop = std::get_if<fusion::Loop>(&statement.what)) find_writers(loop->body, nest);
      if (const auto* const write = std::get_if<fusion::Write>(&statement.what))
        writer_[array_of(buffer(write->buffer))] = nest;
    }
  }

  /// What the root held before is read in the tiles of the sums.
  void find_old_values() {
    const int root = nest_.tree.root().out.array;
    if (!nest_.tree.adds || nest_.cuts.count(root) == 0) return;
    for (const Buffer& made : program_.buffers) {
      if (array_of(made) == root) before_ = store_.source(root, tile_of(made));
    }
  }

  std::vector<std::int64_t> tile_of(const Buffer& buffer) const {
    std::vector<std::int64_t> tile;
    for (std::size_t m = 0; m < buffer.labels.size(); ++m)
      tile.push_back(buffer.loops[m] < 0 ? program_.extent(buffer.labels[m])
                                         : program_.loops[at(buffer.loops[m])].tile);
    return tile;
  }

  void finish_nest() {
    queue_.finish_writes();
    for (auto& [array, tensor] : results_) {
      if (!tensor || writer_.at(array) > nests_done_) continue;
      if (array == nest_.tree.root().out.array) before_.reset();
      store_.put(array, std::move(tensor));
    }
    ++nests_done_;
  }

  const FusedNest& nest_;
  const LoopProgram& program_;
  ArrayStore& store_;
  const std::vector<const Statement*> ends_;
  fusion::LoopWalk reads_;  // goes ahead
  std::optional<std::pair<int, Box>> pending_;
  std::vector<Held> held_;                              // by buffer
  std::vector<std::unique_ptr<BlockSource>> sources_;   // by buffer that is read
  std::unique_ptr<BlockSource> before_;                 // of the root's blocks, where they are added to
  std::map<int, std::unique_ptr<DiskTensor>> results_;  // by array of the formula, until they are complete
  std::map<int, std::size_t> writer_;
  std::vector<int> around_;
  std::vector<std::int64_t> turn_;
  std::size_t nests_done_ = 0;
  BlockQueue queue_;  // after all that its blocks refer to
  WindowProducts products_;
};

}  // namespace

void run_loops(const FusedNest& nest, ArrayStore& store) { LoopRun(nest, store).run(); }

}  // namespace ricci::program
