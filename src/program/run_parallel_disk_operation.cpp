#include "program/run_parallel_disk_operation.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "api/statement.hpp"
#include "api/world_state.hpp"
#include "program/tile_moves.hpp"
#include "symmetry/keys.hpp"
#include "util/random.hpp"

namespace ricci::program {

using namespace compile::parallel_disk;
using compile::BlockCatalog;
using compile::Box;
using compile::Home;

namespace {

class OperationRun {
 public:
  OperationRun(const ParallelDiskOperation& operation, ArrayStore& store)
      : operation_(operation),
        store_(store),
        world_(store.world().state()),
        element_(static_cast<std::int64_t>(element_size(operation.product.type))),
        place_{world_.communicator,
               store.io(),
               [this] { return store_.new_file(); },
               detail::thread_count(world_.options),
               &world_.pool,
               &world_.pool.meter()} {}

  ParallelDiskOutcome run() {
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t sent = moved_bytes();
    for (const Array array : all_arrays) {
      if (array != Array::c || operation_.accumulate) bring(array);
    }
    ParallelDiskOutcome outcome;
    world_.pool.release(operation_.peak_bytes);  // what blocks have left there, too
    outcome.loops = run_parallel_disk(operation_.product, files_, place_);
    store_.traffic_of_files() += outcome.loops.disk;
    take_back();
    outcome.sent_bytes = outcome.loops.sent_bytes + moved_bytes() - sent;
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
    outcome.move_seconds = all.count() - outcome.loops.seconds;
    return outcome;
  }

 private:
  /// What one rank does, and all hear of where it fails.
  template <class F>
  void alone(F f) const {
    comm::together(place_.communicator, f);
  }

  /// Moves are exchanges, and nothing else is.
  std::int64_t moved_bytes() const { return place_.communicator.traffic(comm::Call::exchange).bytes; }

  int rank() const { return place_.communicator.rank(); }

  void bring(Array array) {
    const TileMoves moves(operation_.product, array, operation_.matrix(array), TileMoves::Direction::to_tiles);
    alone([&] {
      files_.of(array) = make_tile_file(operation_.product, array, place_);
      tile_ = AlignedBuffer(moves.grid().share(0) * element_, place_.meter);
    });
    held_.reset();
    for (std::int64_t tile = 0; tile < moves.grid().tiles(); ++tile) {
      tile_.resize(moves.grid().share(tile) * element_);
      std::fill_n(tile_.data(), tile_.bytes(), std::byte{0});
      fill(moves, array, tile);
      if (!moves.takes_part(tile, rank())) continue;
      alone_in_turn([&] { files_.of(array)->write(tile, bytes(tile_)); });
    }
    held_.reset();
    place_.communicator.agree(failure_);
    tile_ = {};
    store_.traffic_of_files() += files_.of(array)->traffic();
  }

  /// Of ranks that do not all take part: heard of at the end.
  template <class F>
  void alone_in_turn(F f) {
    if (failure_) return;
    try {
      f();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  static std::span<std::byte> bytes(const AlignedBuffer& buffer) {
    return {buffer.data(), static_cast<std::size_t>(buffer.bytes())};
  }

  void fill(const TileMoves& moves, Array array, std::int64_t tile) {
    const int number = operation_.array(array);
    if (store_.home(number) == Home::formula) return make(moves, array, tile);
    if (store_.home(number) == Home::memory) {
      const detail::TensorState& state = state_of(store_.tensor(number));
      const Extents& extents = state.shape->extents();
      const Box box{std::vector<std::int64_t>(extents.size(), 0), {extents.begin(), extents.end()}};
      moves.run(tile, {box, state.placement->locator()}, state.data.data(), tile_.data(), place_.communicator);
      return;
    }
    if (!store_.is_on_disk(number)) return;
    const BlockCatalog& catalog = store_.disk(number).catalog();
    for (std::int64_t block = 0; block < catalog.blocks(); ++block) {
      const Box box = catalog.box(catalog.tiles_of(block));
      if (!moves.touches(tile, box)) continue;
      if (!held_ || held_block_ != block) read(number, block);
      const detail::TensorState& state = state_of(held_->get());
      moves.run(tile, {box, state.placement->locator()}, state.data.data(), tile_.data(), place_.communicator);
    }
  }

  void read(int number, std::int64_t block) {
    held_.reset();
    held_block_ = block;
    alone([&] {
      held_ = store_.disk(number).start_read(block);
      held_->get();
    });
  }

  /// An input that nobody has stored: every rank makes its own elements, as formula_source does.
  void make(const TileMoves& moves, Array array, std::int64_t tile) {
    const notation::ProgramTensor& input = *store_.input(operation_.array(array));
    if (input.origin != notation::Origin::random) return;
    const Extents& extents = input.shape.extents();
    const Box box{std::vector<std::int64_t>(extents.size(), 0), {extents.begin(), extents.end()}};
    const auto& columns = operation_.matrix(array).columns.modes;
    const auto fill = [&]<class T>(T* out) {
      using Real = typename Tensor<T>::Real;
      std::vector<std::int64_t> index;
      for_each_run(operation_.product.program, moves.grid(), operation_.matrix(array), tile, rank(), box,
                   [&](const TileRun& run) {
                     index = run.indices;
                     for (std::int64_t n = 0; n < run.count; ++n) {
                       const auto key = static_cast<std::uint64_t>(symmetry::key_of(input.shape, index.data()));
                       out[run.place + n] = random_element<T>(input.seed, key, Real(-1), Real(1));
                       if (!columns.empty()) ++index[static_cast<std::size_t>(columns.back())];
                     }
                   });
    };
    switch (operation_.product.type) {
      case ElementType::f32:
        return fill(tile_.as<float>());
      case ElementType::f64:
        return fill(tile_.as<double>());
      case ElementType::c32:
        return fill(tile_.as<std::complex<float>>());
      case ElementType::c64:
        return fill(tile_.as<std::complex<double>>());
    }
  }

  void take_back() {
    const int number = operation_.array(Array::c);
    const compile::Array& array = store_.formula().arrays[number];
    const TileMoves moves(operation_.product, Array::c, operation_.matrix(Array::c), TileMoves::Direction::from_tiles);
    auto result = store_.new_disk(number, {*array.shape, operation_.tiling});
    alone([&] { tile_ = AlignedBuffer(moves.grid().largest_tile() * element_, place_.meter); });
    const storage::DiskTraffic before = files_.c->traffic();
    std::int64_t held = -1;
    for (std::int64_t block = 0; block < result->catalog().blocks(); ++block) {
      const Box box = result->catalog().box(result->catalog().tiles_of(block));
      const AnyTensor tensor = make_block(store_.world(), array.type, result->catalog().block_shape(block));
      state_of(tensor).stays = true;
      for (std::int64_t tile = 0; tile < moves.grid().tiles(); ++tile) {
        if (!moves.touches(tile, box)) continue;
        alone([&] {
          if (tile == held || !moves.takes_part(tile, rank())) return;
          tile_.resize(moves.grid().elements(tile) * element_);
          files_.c->read(tile, bytes(tile_));
          held = tile;
        });
        const detail::TensorState& state = state_of(tensor);
        moves.run(tile, {box, state.placement->locator()}, state.data.data(), tile_.data(), place_.communicator);
      }
      SharedTransfer written = result->start_write(block, tensor);
      alone([&] { written.wait(); });
    }
    store_.traffic_of_files() += files_.c->traffic();
    store_.traffic_of_files() -= before;
    files_.c.reset();
    tile_ = {};
    store_.put(number, std::move(result));
  }

  const ParallelDiskOperation& operation_;
  ArrayStore& store_;
  detail::WorldState& world_;
  const std::int64_t element_;
  ParallelDiskPlace place_;
  ParallelDiskFiles files_;
  AlignedBuffer tile_;
  std::unique_ptr<IncomingBlock> held_;  // the block that was read last
  std::int64_t held_block_ = -1;
  std::exception_ptr failure_;
};

}  // namespace

ParallelDiskOutcome run_parallel_disk_operation(const ParallelDiskOperation& operation, ArrayStore& store) {
  return OperationRun(operation, store).run();
}

}  // namespace ricci::program
