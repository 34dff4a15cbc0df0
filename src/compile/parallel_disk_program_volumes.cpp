// What a program of disk loops moves and holds, counted from its loops and the real sizes of its tiles.
#include <algorithm>
#include <array>

#include "compile/parallel_disk_program.hpp"

namespace ricci::compile::parallel_disk {

namespace {

// Which loops over each label are around a statement.
struct Surroundings {
  std::array<TileLevel, 3> cuts = {TileLevel::whole, TileLevel::whole, TileLevel::whole};
  double rotations = 1;
  TileLevel cut(Label label) const { return cuts[static_cast<std::size_t>(label)]; }
};

std::int64_t divide_up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

/// Calls f(step, what is around it) for every statement.
template <class F>
void for_each_statement(const std::vector<DiskStep>& steps, const Surroundings& around, F&& f) {
  for (const DiskStep& step : steps) {
    Surroundings inside = around;
    for (const TileLoop& loop : step.loops)
      inside.cuts[static_cast<std::size_t>(loop.label)] = loop.inner ? TileLevel::inner : TileLevel::outer;
    if (step.kind == DiskStepKind::rotations) inside.rotations *= static_cast<double>(step.rotations);
    if (step.kind != DiskStepKind::loop && step.kind != DiskStepKind::rotations) f(step, inside);
    for_each_statement(step.body, inside, f);
  }
}

// f(indices of a tile), summed over the tiles of a label that the surrounding loops visit.
template <class F>
double over_tiles(const LabelTiles& label, TileLevel cut, F&& f) {
  const auto over = [&](std::int64_t size, std::int64_t block, auto&& g) {
    if (size <= block) return g(size);
    const double full = static_cast<double>(size / block) * g(block);
    return size % block == 0 ? full : full + g(size % block);
  };
  const auto inner = [&](std::int64_t size) { return cut == TileLevel::inner ? over(size, label.inner, f) : f(size); };
  return cut == TileLevel::whole ? f(label.whole()) : over(label.whole(), label.outer, inner);
}

// f(elements), summed over the tiles of an array that a statement moves in all its visits.
template <class F>
double over_visits(const ParallelDiskProgram& program, Array array, const Surroundings& around, F&& f) {
  const auto [x, y] = labels_of(array);
  double visits = around.rotations;
  for (const Label label : all_labels) {
    if (!has_label(array, label))
      visits *= over_tiles(program.label(label), around.cut(label), [](std::int64_t) { return 1.0; });
  }
  return visits * over_tiles(program.label(x), around.cut(x), [&](std::int64_t rows) {
           return over_tiles(program.label(y), around.cut(y), [&](std::int64_t columns) { return f(rows * columns); });
         });
}

// Communication out of core goes tile by tile, as the array lies on disk.
Surroundings around_communication(const ParallelDiskProgram& program, const DiskStep& step, Surroundings around) {
  if (!step.out_of_core) return around;
  const TileGrid grid = program.grid(step.array);
  for (const auto* side : {&grid.rows, &grid.columns}) around.cuts[static_cast<std::size_t>(side->label)] = side->level;
  return around;
}

class VolumeCount {
 public:
  VolumeCount(const ParallelDiskProgram& program, int rank) : program_(program), rank_(rank) {}

  ProgramVolumes run() {
    for_each_statement(program_.steps, {}, [&](const auto& step, const auto& around) { count(step, around); });
    return volumes_;
  }

 private:
  double elements(const DiskStep& step, const Surroundings& around, std::int64_t sharing = 1) const {
    return over_visits(program_, step.array, around,
                       [&](std::int64_t tile) { return static_cast<double>(divide_up(tile, sharing)); });
  }

  void count(const DiskStep& step, const Surroundings& before) {
    const Surroundings around = around_communication(program_, step, before);
    const double moved = elements(step, around, step.sharing);
    if (step.kind == DiskStepKind::read) volumes_.read += moved - zeros(step, around);
    if (step.kind == DiskStepKind::write) volumes_.written += moved;
    if (step.kind == DiskStepKind::shift) communicate(step, moved, moved, moved);
    if (step.kind == DiskStepKind::reduce) communicate(step, moved, moved, moved * program_.log_p);
    if (step.kind == DiskStepKind::broadcast) communicate(step, elements(step, around, program_.ranks), moved, moved);
  }

  void communicate(const DiskStep& step, double read, double written, double sent) {
    if (program_.ranks == 1) return;
    volumes_.communication += sent;
    if (!step.out_of_core) return;
    volumes_.read += read;
    volumes_.written += written;
    volumes_.communication_read += read;
    volumes_.communication_written += written;
  }

  // What is set to zero and not read: see starts_at_zero().
  double zeros(const DiskStep& step, Surroundings around) const {
    if (step.array != Array::c) return 0;
    const bool others = program_.method.algorithm == ParallelAlgorithm::accumulation && rank_ > 0;
    if (!others && !step.zero_first) return 0;
    if (others && program_.method.communication == Communication::inside) return elements(step, around);
    around.rotations = 1;
    around.cuts[static_cast<std::size_t>(Label::k)] = TileLevel::whole;  // the first tile of K
    return elements(step, around);
  }

  const ParallelDiskProgram& program_;
  const int rank_;
  ProgramVolumes volumes_;
};

// What a shift receives, or a reduction adds, at once.
std::int64_t message(const ParallelDiskProgram& program) {
  if (program.ranks == 1 || program.method.algorithm == ParallelAlgorithm::replication) return 0;
  const bool rotates = program.method.algorithm == ParallelAlgorithm::rotation;
  std::int64_t most = rotates ? 0 : program.grid(Array::c).largest_tile();
  for (const Array array : {Array::a, Array::b}) {
    if (rotates) most = std::max(most, program.grid(array).largest_tile());
  }
  return std::min(most, message_elements);
}

}  // namespace

ProgramVolumes volumes_of(const ParallelDiskProgram& program, int rank) { return VolumeCount(program, rank).run(); }

std::int64_t sent_bytes(const ParallelDiskProgram& program, int element_bytes) {
  if (program.ranks == 1) return 0;
  const std::int64_t others = program.ranks - 1;
  const auto reduced = [&](std::int64_t elements) { return elements * element_bytes * 2 * others / program.ranks; };
  double sent = 0;
  for_each_statement(program.steps, {}, [&](const DiskStep& step, const Surroundings& before) {
    const Surroundings around = around_communication(program, step, before);
    const auto add = [&](auto&& f) {
      sent += over_visits(program, step.array, around, [&](std::int64_t n) { return static_cast<double>(f(n)); });
    };
    if (step.kind == DiskStepKind::shift) add([&](std::int64_t n) { return n * element_bytes; });
    if (step.kind == DiskStepKind::broadcast)
      add([&](std::int64_t n) { return divide_up(n, program.ranks) * element_bytes * others; });
    if (step.kind == DiskStepKind::reduce) {
      add([&](std::int64_t n) {
        return n / message_elements * reduced(message_elements) + reduced(n % message_elements);
      });
    }
  });
  return static_cast<std::int64_t>(sent);
}

std::int64_t held_elements(const ParallelDiskProgram& program) {
  std::int64_t held = message(program);
  for (const Array array : all_arrays) {
    const TileGrid grid = program.grid(array);
    // A broadcast fills the tile with equal shares, and each rank's comes from a buffer of its own.
    const std::int64_t tile = grid.share(0) * grid.sharing, share = grid.sharing > 1 ? grid.share(0) : 0;
    const bool inside = program.method.communication == Communication::inside;
    const std::int64_t again = grid.sharing > 1 && inside ? share : tile;
    held += tile + share + (program.ahead.of(array) ? again : 0);
  }
  return held;
}

void read_ahead(ParallelDiskProgram& program, std::int64_t elements) {
  const LoopRoles loops = roles_of(program.method.order);
  for (const Array array : {loops.third, loops.second, loops.first}) {
    if (program.resident.of(array)) continue;
    const ResidentArrays before = program.ahead;
    (array == Array::a ? program.ahead.a : array == Array::b ? program.ahead.b : program.ahead.c) = true;
    if (held_elements(program) > elements) program.ahead = before;
  }
}

}  // namespace ricci::compile::parallel_disk
