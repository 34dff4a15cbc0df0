// What a program of disk loops moves, counted from its loops and the real sizes of its tiles.
#include <array>

#include "compile/parallel_disk_program.hpp"

namespace ricci::compile {

namespace {

// What the loops around a statement make of one label.
struct LabelCut {
  std::int64_t outer_block = 0, inner_block = 0;  // 0: not cut
};

struct Surroundings {
  std::array<LabelCut, 3> cuts;
  double rotations = 1;
};

class VolumeCount {
 public:
  explicit VolumeCount(const ParallelDiskProgram& program) : program_(program) {}

  ProgramVolumes run() {
    for (const DiskStep& step : program_.steps) count(step, {});
    return volumes_;
  }

 private:
  // f(size of a tile), summed over the tiles of a label that the surrounding loops visit.
  template <class F>
  double over_tiles(Label label, const LabelCut& cut, F&& f) const {
    const std::int64_t extent = program_.extents[static_cast<int>(label)];
    return over_blocks(extent, cut.outer_block,
                       [&](std::int64_t size) { return over_blocks(size, cut.inner_block, f); });
  }

  template <class F>
  static double over_blocks(std::int64_t size, std::int64_t block, F&& f) {
    if (block == 0 || block >= size) return f(size);
    double sum = static_cast<double>(size / block) * f(block);
    if (size % block != 0) sum += f(size % block);
    return sum;
  }

  double parts_of(Label label, std::int64_t size, bool local) const {
    const std::int64_t parts = local ? program_.parts[static_cast<int>(label)] : 1;
    return static_cast<double>((size + parts - 1) / parts);
  }

  // Elements of an array that a statement moves in all its visits; local: this rank's part, else whole tiles.
  double elements(Array array, const Surroundings& around, bool local) const {
    double product = around.rotations;
    for (const Label label : all_labels) {
      const LabelCut& cut = around.cuts[static_cast<int>(label)];
      product *= over_tiles(
          label, cut, [&](std::int64_t size) { return has_label(array, label) ? parts_of(label, size, local) : 1.0; });
    }
    return product;
  }

  void count(const DiskStep& step, Surroundings around) {
    for (const TileLoop& loop : step.loops) {
      LabelCut& cut = around.cuts[static_cast<int>(loop.label)];
      (loop.inner ? cut.inner_block : cut.outer_block) = loop.block;
    }
    if (step.kind == DiskStepKind::rotations) around.rotations *= static_cast<double>(step.rotations);
    for (const DiskStep& inner : step.body) count(inner, around);
    const double local = elements(step.array, around, true) / step.sharing;
    if (step.kind == DiskStepKind::read) volumes_.read += step.zero_first ? local - first_visits(step, around) : local;
    if (step.kind == DiskStepKind::write) volumes_.written += local;
    if (step.kind == DiskStepKind::shift) count_communication(step, local, local, local);
    if (step.kind == DiskStepKind::reduce) count_communication(step, local, local, local * program_.log_p);
    if (step.kind == DiskStepKind::broadcast) count_broadcast(step, around, local);
  }

  // A replicated operand is not spread by Table 1: what a rank holds is the whole tile, and on disk its P-th part.
  void count_broadcast(const DiskStep& step, const Surroundings& around, double whole) {
    const double own = elements(step.array, around, false) / program_.ranks;
    count_communication(step, own, whole, whole);
  }

  void count_communication(const DiskStep& step, double read, double written, double sent) {
    if (program_.ranks > 1) volumes_.communication += sent;
    if (!step.out_of_core || program_.ranks == 1) return;
    volumes_.read += read;
    volumes_.written += written;
    volumes_.communication_read += read;
    volumes_.communication_written += written;
  }

  // Every element of C is visited for the first time once.
  double first_visits(const DiskStep& step, Surroundings around) const {
    around.rotations = 1;
    around.cuts[static_cast<int>(Label::k)] = {};
    return elements(step.array, around, true);
  }

  const ParallelDiskProgram& program_;
  ProgramVolumes volumes_;
};

}  // namespace

ProgramVolumes volumes_of(const ParallelDiskProgram& program) { return VolumeCount(program).run(); }

}  // namespace ricci::compile
