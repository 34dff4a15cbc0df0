// The blocked matrix product behind LocalContraction.
#include <algorithm>
#include <array>

#include "kernels/caches.hpp"
#include "kernels/local_contraction.hpp"
#include "kernels/micro_kernel.hpp"
#include "kernels/panels.hpp"
#include "util/aligned_buffer.hpp"
#include "util/for_each_type.hpp"

namespace ricci::kernels {

using symmetry::Role;

/// Block sizes: `depth` x `columns` of B for the last-level cache, `rows` x `depth` of A for L2. Where the depth is
/// small the innermost loop over tiles runs along the columns: a panel of A then stays in L1 and the narrower panels of
/// B pass by, and all of B's block is kept in L2.
struct LocalContraction::Blocking {
  std::int64_t rows, depth, columns;
  bool columns_inside;
};

// One register tile of rows, so that a panel of A is short, with columns enough for it to be worth its copy.
template <class T>
LocalContraction::Blocking LocalContraction::lean_blocking(const Axis& rows, const Axis& summed,
                                                           const Axis& columns) const {
  constexpr std::int64_t depth_bytes = 512, most_columns = 192;
  const auto& kernels = micro_kernels<T>();
  const std::int64_t tile_rows = kernels.lanes * kernels.max_vectors;
  return {std::min(tile_rows, round_up(rows.size(), kernels.lanes)),
          std::min(depth_bytes / static_cast<std::int64_t>(sizeof(T)), summed.size()),
          std::min(most_columns, columns.size()), columns_are_near_};
}

template <class T>
LocalContraction::Blocking LocalContraction::blocking(const Axis& rows, const Axis& summed, const Axis& columns) const {
  if (size_of_blocks_ == Blocks::lean) return lean_blocking<T>(rows, summed, columns);
  constexpr std::int64_t panel_bytes = 32 << 10;                                           // of A in L1
  const std::int64_t usual_bytes = std::min<std::int64_t>(768 << 10, l2_bytes() / 4 * 3);  // of A in L2
  constexpr std::int64_t bytes = sizeof(T);
  const auto& kernels = micro_kernels<T>();
  const std::int64_t tile_rows = kernels.lanes * kernels.max_vectors;
  Blocking block;
  block.depth = std::min(block_depth(element_type_of<T>), summed.size());
  const std::int64_t depth = std::max<std::int64_t>(block.depth, 1);
  block.columns_inside = columns_are_near_ && depth * tile_rows * bytes <= panel_bytes;
  // Whole rectangles of the rows' two fastest loops, so that no block cuts through one.
  const std::int64_t rectangle = round_up(rows.rectangle(), tile_rows);
  const std::int64_t usual_rows = std::max(tile_rows, usual_bytes / (depth * bytes) / tile_rows * tile_rows);
  block.rows = std::max<std::int64_t>(1, usual_rows / rectangle) * rectangle;
  block.rows = std::min(block.rows, round_up(rows.size(), kernels.lanes));
  const std::int64_t most_columns =
      block.columns_inside ? round_up(block_bytes / (depth * bytes), kernels.max_columns) : 4096;
  block.columns = std::min(most_columns, columns.size());
  return block;
}

template <class T>
struct LocalContraction::Job {
  const T *a, *b;
  bool conjugate_a, conjugate_b;
  T alpha;
  bool accumulate;
  T* c;
  BufferPool* pool;
};

// One thread's share of a contraction, with buffers of its own.
template <class T>
class LocalContraction::Worker {
 public:
  Worker(const LocalContraction& plan, const Job<T>& job, const Box& box)
      : plan_(plan),
        job_(job),
        rows_(restricted(plan.rows_, box)),
        columns_(restricted(plan.columns_, box)),
        batches_(restricted(plan.batch_, box)),
        summed_(restricted(plan.summed_, box)),
        kernels_(micro_kernels<T>()),
        tile_rows_(kernels_.lanes * kernels_.max_vectors),
        block_(plan.blocking<T>(rows_, summed_, columns_)),
        a_panels_(job.pool, a_elements(block_) * size),
        b_panels_(job.pool, block_.columns * block_.depth * size),
        tile_(job.pool, tile_rows_ * kernels_.max_columns * size) {
    // A copy of a panel pays where it is used often.
    a_in_place_ = reads_plainly(plan.a_blocks_) && std::is_same_v<T, Real<T>> &&
                  columns_.size() <= few_panels * kernels_.max_columns;
    b_in_place_ = reads_plainly(plan.b_blocks_) && !job.conjugate_b && rows_.size() <= few_panels * tile_rows_;
    for (int j = 0; j < kernels_.max_columns; ++j) tile_columns_[j] = j * tile_rows_;
    constexpr std::int64_t large = 32 << 20;
    streams_ =
        summed_.size() <= block_.depth && plan.c_.shape->stored_size() * static_cast<std::int64_t>(sizeof(T)) >= large;
  }

  /// Panels that end at runs of C are padded to whole vectors: at worst every run by all but one lane.
  static std::int64_t a_elements(const Blocking& block) { return 2 * block.rows * block.depth; }

  void run() {
    if (rows_.size() == 0 || columns_.size() == 0) return;
    fixed_.assign(plan_.labels_, 0);
    const std::vector<bool> all(plan_.labels_, true);
    constexpr std::int64_t at_once = 64;
    for (std::int64_t first = 0; first < batches_.size(); first += at_once) {
      batches_.generate(first, std::min(at_once, batches_.size() - first), plan_.batch_accesses_, all, batch_);
      for (at_ = 0; at_ < batch_.count; ++at_) {
        for (std::size_t l = 0; l < fixed_.size(); ++l) {
          if (!batch_.values[l].empty()) fixed_[l] = batch_.values[l][at_];
        }
        run_batch();
      }
    }
    if (streams_) stream_fence();
  }

 private:
  static constexpr std::int64_t few_panels = 40;
  static constexpr std::int64_t size = sizeof(T);

  /// Whether a panel whose steps are this far apart is read in place by so many panels of the other operand: lines at
  /// a multiple of a large power of two share few sets of L2, and are soon gone from it.
  static bool stays_in_cache(std::int64_t step, std::int64_t depth, std::int64_t uses) {
    constexpr std::int64_t l2_sets_bytes = 128 << 10, l2_ways = 16, uses_from_memory = 2;
    const std::int64_t bytes = step * static_cast<std::int64_t>(sizeof(T));
    return uses <= uses_from_memory || depth * (bytes & -bytes) <= l2_ways * l2_sets_bytes;
  }

  static bool reads_plainly(const std::vector<BlockAccess>& blocks) {
    return blocks.size() == 1 && blocks[0].access().groups.empty() && blocks[0].access().sign == 1;
  }

  /// Where the batch begins, for an access numbered as in batch_accesses_.
  std::int64_t batch_offset(std::size_t access) const { return batch_.offsets[access][at_]; }

  void run_batch() {
    if (summed_.size() == 0) {
      if (!job_.accumulate) clear_output();
      return;
    }
    for (std::int64_t jc = 0; jc < columns_.size(); jc += block_.columns) {
      const std::int64_t nc = std::min(block_.columns, columns_.size() - jc);
      if (!prepared_) {
        columns_.generate(jc, nc, plan_.column_accesses_, plan_.wanted_, column_block_);
        c_columns_ = plan_.c_block_[0].columns(column_block_, fixed_.data(), false);
      }
      for (std::int64_t pc = 0; pc < summed_.size(); pc += block_.depth) {
        const std::int64_t kc = std::min(block_.depth, summed_.size() - pc);
        if (!prepared_) summed_.generate(pc, kc, plan_.summed_accesses_, plan_.wanted_, summed_block_);
        accumulate_ = job_.accumulate || pc > 0;
        pack_b();
        for (std::int64_t ic = 0; ic < rows_.size(); ic += block_.rows) {
          const std::int64_t mc = std::min(block_.rows, rows_.size() - ic);
          if (!prepared_) {
            rows_.generate(ic, mc, plan_.row_accesses_, plan_.wanted_, row_block_);
            c_rows_ = plan_.c_block_[0].rows(row_block_, fixed_.data(), false);
          }
          pack_a();
          multiply();
        }
      }
    }
    prepared_ = batches_are_alike();
  }

  /// Whether the next batch differs in its place alone: one block, and no packed group that depends on the batch.
  bool batches_are_alike() const {
    const bool one_block =
        rows_.size() <= block_.rows && columns_.size() <= block_.columns && summed_.size() <= block_.depth;
    const auto has_groups = [](const BlockAccess& block) { return !block.access().groups.empty(); };
    return one_block && std::none_of(plan_.a_blocks_.begin(), plan_.a_blocks_.end(), has_groups) &&
           std::none_of(plan_.b_blocks_.begin(), plan_.b_blocks_.end(), has_groups) && !has_groups(plan_.c_block_[0]);
  }

  // A sum of nothing is zero.
  void clear_output() {
    columns_.generate(0, columns_.size(), plan_.column_accesses_, plan_.wanted_, column_block_);
    rows_.generate(0, rows_.size(), plan_.row_accesses_, plan_.wanted_, row_block_);
    const BlockAccess& c = plan_.c_block_[0];
    const Side rows = c.rows(row_block_, fixed_.data(), false);
    const Side columns = c.columns(column_block_, fixed_.data(), false);
    T* const base = job_.c + batch_offset(batch_.offsets.size() - 1) + c.fixed(fixed_.data()).offset;
    for (std::int64_t j = 0; j < columns_.size(); ++j) {
      for (std::int64_t i = 0; i < rows_.size(); ++i) base[rows.offset[i] + columns.offset[j]] = T(0);
    }
  }

  void pack_a() {
    cut_at_runs(c_rows_.offset, row_block_.count, tile_rows_, kernels_.lanes, row_panels_);
    scale_starts(row_panels_, summed_block_.count);
    a_source_.resize(row_panels_.size());
    copied_ = row_panels_;
    if (a_in_place_) find_a_in_place();
    // A panel that is read in place should come from memory once.
    columns_inside_ = block_.columns_inside || copied_.empty();
    for (std::size_t p = 0; p < row_panels_.size(); ++p) {
      if (a_source_[p].step > 0 && a_in_place_) continue;
      a_source_[p] = {a_panels_.template as<Real<T>>() + row_panels_[p].start * parts, row_panels_[p].width * parts};
    }
    for (std::size_t i = 0; i < plan_.a_blocks_.size() && !copied_.empty(); ++i) {
      const BlockAccess& a = plan_.a_blocks_[i];
      const Side rows = a.rows(row_block_, fixed_.data(), false);
      const Side depth = a.columns(summed_block_, fixed_.data(), true);  // the weights of sorted tuples ride on A
      const GroupOffset fixed = a.fixed(fixed_.data());
      pack(a.view(row_block_, rows, summed_block_, depth, fixed_.data()), job_.a + batch_offset(i) + fixed.offset,
           job_.conjugate_a, i > 0, a.access().sign * fixed.factor, {copied_, true}, a_panels_.template as<Real<T>>());
    }
  }

  /// Whole panels that lie side by side in memory, at one distance from summed index to summed index, need no copy.
  void find_a_in_place() {
    const std::int64_t* const rows = row_block_.offsets[0].data();
    const std::int64_t* const depth = summed_block_.offsets[0].data();
    std::int64_t step = summed_block_.weights.empty() ? progression(depth, summed_block_.count) : -1;
    if (!stays_in_cache(step, summed_block_.count, static_cast<std::int64_t>(column_panels_.size()))) step = -1;
    const Real<T>* const base = reinterpret_cast<const Real<T>*>(job_.a + batch_offset(0));
    copied_.clear();
    for (std::size_t p = 0; p < row_panels_.size(); ++p) {
      const Panel& panel = row_panels_[p];
      const bool fits = step > 0 && panel.count == panel.width && progression(rows + panel.first, panel.count) == 1;
      a_source_[p] = {base + rows[panel.first] + depth[0], fits ? step : 0};
      if (!fits) copied_.push_back(panel);
    }
  }

  void pack_b() {
    const std::size_t a_count = plan_.a_blocks_.size();
    cut_evenly(column_block_.count, kernels_.max_columns, column_panels_);
    scale_starts(column_panels_, summed_block_.count);
    b_source_.resize(column_panels_.size());
    copied_ = column_panels_;
    if (b_in_place_) find_b_in_place();
    for (std::size_t p = 0; p < column_panels_.size(); ++p) {
      if (b_source_[p].step > 0 && b_in_place_) continue;
      b_source_[p] = {b_panels_.template as<T>() + column_panels_[p].start, column_panels_[p].width, 1};
    }
    for (std::size_t i = 0; i < plan_.b_blocks_.size() && !copied_.empty(); ++i) {
      const BlockAccess& b = plan_.b_blocks_[i];
      const Side columns = b.rows(column_block_, fixed_.data(), false);
      const Side depth = b.columns(summed_block_, fixed_.data(), false);
      const GroupOffset fixed = b.fixed(fixed_.data());
      const std::int64_t offset = batch_offset(a_count + i) + fixed.offset;
      pack(b.view(column_block_, columns, summed_block_, depth, fixed_.data()), job_.b + offset, job_.conjugate_b,
           i > 0, b.access().sign * fixed.factor, {copied_, false}, b_panels_.template as<Real<T>>());
    }
  }

  /// Panels whose columns and summed indices are both at one distance need no copy.
  void find_b_in_place() {
    const std::size_t a_count = plan_.a_blocks_.size();
    const std::int64_t* const columns = column_block_.offsets[0].data();
    const std::int64_t* const depth = summed_block_.offsets[a_count].data();
    std::int64_t step = progression(depth, summed_block_.count);
    if (!stays_in_cache(step, summed_block_.count, (rows_.size() + tile_rows_ - 1) / tile_rows_)) step = -1;
    const T* const base = job_.b + batch_offset(a_count);
    copied_.clear();
    for (std::size_t p = 0; p < column_panels_.size(); ++p) {
      const Panel& panel = column_panels_[p];
      const std::int64_t distance = progression(columns + panel.first, panel.count);
      const bool fits = step > 0 && distance > 0;
      b_source_[p] = {base + columns[panel.first] + depth[0], fits ? step : 0, distance};
      if (!fits) copied_.push_back(panel);
    }
  }

  // All register tiles of a block of A with a block of B.
  void multiply() {
    const BlockAccess& c = plan_.c_block_[0];
    const GroupOffset fixed = c.fixed(fixed_.data());
    if (fixed.factor == 0) return;
    view_ = c.view(row_block_, c_rows_, column_block_, c_columns_, fixed_.data());
    base_ = job_.c + batch_offset(batch_.offsets.size() - 1) + fixed.offset;
    alpha_ = job_.alpha * static_cast<Real<T>>(plan_.fold_.scale * fixed.factor);
    in_place_.resize(row_panels_.size());
    const bool columns_aligned = streams_ && !accumulate_ && are_aligned(c_columns_.offset, column_block_.count);
    for (std::size_t p = 0; p < row_panels_.size(); ++p) {
      const Panel& panel = row_panels_[p];
      const bool whole = panel.count == panel.width && progression(c_rows_.offset + panel.first, panel.count) == 1;
      const bool aligned =
          columns_aligned && reinterpret_cast<std::uintptr_t>(base_ + c_rows_.offset[panel.first]) % 64 == 0;
      in_place_[p] = !view_.plain() || !whole ? through_tile : aligned ? streamed : direct;
    }
    if (columns_inside_) {
      for (std::size_t i = 0; i < row_panels_.size(); ++i) {
        for (std::size_t j = 0; j < column_panels_.size(); ++j) multiply_tile(i, j);
      }
    } else {
      for (std::size_t j = 0; j < column_panels_.size(); ++j) {
        for (std::size_t i = 0; i < row_panels_.size(); ++i) multiply_tile(i, j);
      }
    }
  }

  static bool are_aligned(const std::int64_t* offset, std::int64_t count) {
    constexpr std::int64_t per_line = 64 / sizeof(T);
    return std::all_of(offset, offset + count, [](std::int64_t at) { return at % per_line == 0; });
  }

  void multiply_tile(std::size_t i, std::size_t j) {
    const Panel &rows = row_panels_[i], &columns = column_panels_[j];
    const ASource& a = a_source_[i];
    const BSource& b = b_source_[j];
    const auto kernel = kernels_.at(rows.width / kernels_.lanes, columns.count);
    const Ahead ahead = ahead_of(i, j);
    if (in_place_[i] != through_tile) {
      const Store store = accumulate_ ? Store::accumulate : in_place_[i] == streamed ? Store::stream : Store::overwrite;
      kernel(summed_block_.count, a.data, a.step, b.data, b.step, b.column, alpha_, store,
             base_ + c_rows_.offset[rows.first], c_columns_.offset + columns.first, ahead);
      return;
    }
    T* const tile = tile_.template as<T>();
    kernel(summed_block_.count, a.data, a.step, b.data, b.step, b.column, alpha_, Store::overwrite, tile,
           tile_columns_.data(), ahead);
    scatter(view_, {rows.first, rows.count, columns.first, columns.count}, tile, tile_rows_, accumulate_, base_);
  }

  /// What the tile (i, j) fetches of the next panel of an operand that is read in place: the processor follows no
  /// stream through panels, whose lines are as far apart as the operand's strides.
  Ahead ahead_of(std::size_t i, std::size_t j) const {
    constexpr std::int64_t line = 64;
    if (a_in_place_ && i + 1 < a_source_.size()) {
      const ASource& next = a_source_[i + 1];
      const std::int64_t lines = row_panels_[i + 1].width * static_cast<std::int64_t>(sizeof(T)) / line;
      const std::int64_t at = static_cast<std::int64_t>(j) % std::max<std::int64_t>(1, lines);
      return {next.data + at * line / static_cast<std::int64_t>(sizeof(T)),
              next.step * static_cast<std::int64_t>(sizeof(T)), 0};
    }
    if (b_in_place_ && j + 1 < b_source_.size()) {
      const BSource& next = b_source_[j + 1];
      const std::int64_t column = next.column * static_cast<std::int64_t>(sizeof(T));
      if (next.step == 1) return {next.data, column, line - 8 * column};
      return {next.data, next.step * static_cast<std::int64_t>(sizeof(T)), 0};
    }
    return {};
  }

  static constexpr int parts = sizeof(T) / sizeof(Real<T>);
  struct ASource {
    const Real<T>* data = nullptr;
    std::int64_t step = 0;
  };
  struct BSource {
    const T* data = nullptr;
    std::int64_t step = 0, column = 1;
  };

  const LocalContraction& plan_;
  const Job<T>& job_;
  Axis rows_, columns_, batches_, summed_;
  const MicroKernels<T>& kernels_;
  int tile_rows_;
  Blocking block_;
  PooledBuffer a_panels_, b_panels_, tile_;
  bool a_in_place_, b_in_place_;
  bool columns_inside_ = false;  // the innermost loop over tiles runs along the columns
  std::array<std::int64_t, 64> tile_columns_{};
  AxisBlock row_block_, column_block_, summed_block_;
  Side c_rows_, c_columns_;
  std::vector<Panel> row_panels_, column_panels_, copied_;
  std::vector<ASource> a_source_;
  std::vector<BSource> b_source_;
  // How the tiles of a panel of rows reach C.
  enum Route : char { through_tile, direct, streamed };
  std::vector<Route> in_place_;
  bool streams_;  // C is written once and too large to stay in any cache
  std::vector<std::int64_t> fixed_;
  AxisBlock batch_;
  std::int64_t at_ = 0;  // the batch's position in it
  BlockView view_;
  T* base_ = nullptr;
  T alpha_{};
  bool accumulate_ = false;
  bool prepared_ = false;  // the blocks of the axes are those of the batch before, and still right
};

template <class T>
void LocalContraction::run(const T* a, const T* b, Conjugate conjugate, T alpha, bool accumulate, T* c,
                           Workers workers) const {
  Job<T> job{a, b, conjugate.a, conjugate.b, alpha, accumulate, c, workers.pool};
  if (swapped_) {
    std::swap(job.a, job.b);
    std::swap(job.conjugate_a, job.conjugate_b);
  }
  const std::int64_t size = c_.shape->stored_size();
  run_shares(deal_out(fold_, c_access_, size, workers.threads), size, c, accumulate, workers.pool,
             [&](const Box& box, T* out, bool adds) {
               Job<T> part = job;
               part.c = out;
               part.accumulate = adds;
               Worker<T>(*this, part, box).run();
             });
}

template <class T>
std::int64_t LocalContraction::buffer_bytes(int threads) const {
  const auto& kernels = micro_kernels<T>();
  const Shares shares = deal_out(fold_, c_access_, c_.shape->stored_size(), threads);
  const std::size_t parts = shares.threads.size();
  const Blocking block = blocking<T>(rows_, summed_, columns_);
  // Where the rows, columns and summed indices of a block are in each tensor.
  std::int64_t places = 0;
  const auto add_places = [&](Role role, std::int64_t count, const std::vector<const Access*>& accesses) {
    auto lists = static_cast<std::int64_t>(accesses.size());
    for (const symmetry::Unit& unit : fold_.units) {
      for (int label : unit.labels) lists += unit.role == role && wanted_[label] ? 1 : 0;
    }
    places += lists * count * static_cast<std::int64_t>(sizeof(std::int64_t));
  };
  add_places(Role::row, block.rows, row_accesses_);
  add_places(Role::column, block.columns, column_accesses_);
  add_places(Role::summed, block.depth, summed_accesses_);
  const std::int64_t elements = (shares.summed ? c_.shape->stored_size() : 0) + Worker<T>::a_elements(block) +
                                block.columns * block.depth + kernels.lanes * kernels.max_vectors * kernels.max_columns;
  const std::int64_t bytes = elements * static_cast<std::int64_t>(sizeof(T)) + places;
  return bytes * static_cast<std::int64_t>(parts) + tables_.bytes();
}

#define RICCI_INSTANTIATE(T)                                                                         \
  template void LocalContraction::run<T>(const T*, const T*, Conjugate, T, bool, T*, Workers) const; \
  template std::int64_t LocalContraction::buffer_bytes<T>(int) const;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci::kernels
