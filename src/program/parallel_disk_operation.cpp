#include "program/parallel_disk_operation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>

namespace ricci::program {

using namespace compile::parallel_disk;
using compile::Home;
using compile::Operand;

namespace {

bool has(const std::vector<int>& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// The labels of one of I, J and K, the fastest last. Runs of elements are long where the last mode of an array is the
/// fastest label of its set, so the first of these arrays that has such a mode has the say.
std::vector<int> ordered_set(const Operand& first, const Operand& second) {
  const auto common = [](const Operand& of, const Operand& with) {
    std::vector<int> labels;
    for (const int label : of.labels) {
      if (has(with.labels, label)) labels.push_back(label);
    }
    return labels;
  };
  const bool second_has_say = !first.labels.empty() && !second.labels.empty() &&
                              !has(second.labels, first.labels.back()) && has(first.labels, second.labels.back());
  return second_has_say ? common(second, first) : common(first, second);
}

class Choice {
 public:
  explicit Choice(const ParallelDiskQuestion& question)
      : q_(question), out_(question.operation.out), room_(question.memory_bytes) {}

  std::optional<ParallelDiskOperation> run() {
    if (q_.ranks == 1 || q_.method == "blocks" || !is_plain_product()) return std::nullopt;
    result_.plan = choose_parallel_disk(make_case());
    if (!q_.method.empty()) force();
    if (!make_program_that_fits()) return std::nullopt;
    result_.block_seconds = q_.blocks.cost.seconds;
    count_loops();
    count_moves();
    const bool faster = result_.seconds + result_.move_seconds < result_.block_seconds;
    if (q_.method.empty() && !faster && q_.blocks.fits) return std::nullopt;
    return std::move(result_);
  }

 private:
  const Operand& operand(Array array) const {
    return array == Array::c ? out_ : q_.operation.terms[0].factors[static_cast<std::size_t>(array)];
  }
  const compile::Array& of(Array array) const { return q_.formula.arrays[operand(array).array]; }

  bool is_plain_product() const {
    using Kind = compile::Operation::Kind;
    if (q_.operation.kind != Kind::assign && q_.operation.kind != Kind::add) return false;
    if (q_.operation.terms.size() != 1 || q_.operation.terms[0].factors.size() != 2) return false;
    if (q_.homes[out_.array] != Home::disk) return false;
    for (const Array array : all_arrays) {
      const Operand& x = operand(array);
      if (of(array).shape->order() == 0 || !of(array).shape->symmetry().empty()) return false;
      if (of(array).type != of(Array::c).type || q_.homes[x.array] == Home::file) return false;
      if (array != Array::c && x.array == out_.array) return false;
      for (const int label : x.labels) {
        int tensors = 0;
        for (const Array other : all_arrays) tensors += has(operand(other).labels, label) ? 1 : 0;
        if (tensors != 2 || std::count(x.labels.begin(), x.labels.end(), label) != 1) return false;
      }
    }
    return true;
  }

  std::vector<int> labels(Label label) const {
    if (label == Label::k) return ordered_set(operand(Array::a), operand(Array::b));
    return ordered_set(out_, operand(label == Label::i ? Array::a : Array::b));
  }

  std::int64_t extent(Label label) const {
    std::int64_t product = 1;
    for (const int l : labels(label)) product *= q_.formula.labels[l].extent;
    return product;
  }

  int element_bytes() const { return static_cast<int>(element_size(of(Array::c).type)); }

  ParallelDiskCase make_case() const {
    ParallelDiskCase c;
    c.i = std::max<std::int64_t>(1, extent(Label::i));  // an empty label is visited once
    c.j = std::max<std::int64_t>(1, extent(Label::j));
    c.k = std::max<std::int64_t>(1, extent(Label::k));
    c.ranks = q_.ranks;
    c.element_bytes = element_bytes();
    c.tile_elements = std::max<std::int64_t>(1, room_ / c.element_bytes / 3);
    // Thirds, as in the paper: where C gets most of the memory, tiles of A and B are thin, and products of them slow.
    c.divide_memory_freely = false;
    // Half of the traffic is thought to be reading.
    c.disk_bandwidth = 2 / (1 / q_.machine.disk_read_bandwidth + 1 / q_.machine.disk_write_bandwidth);
    c.network_bandwidth = q_.machine.network_bandwidth;
    // What comm::Traffic counts of a broadcast and of a reduction.
    const double others = q_.ranks - 1;
    c.replication_slowdown = others / q_.ranks;
    c.reduction_rounds = 2 * others / q_.ranks;
    c.accumulate = q_.operation.kind == compile::Operation::Kind::add;
    return c;
  }

  void force() {
    ParallelDiskPlan& plan = result_.plan;
    std::vector<ParallelDiskWay> ways = {plan.chosen};
    ways.insert(ways.end(), plan.rivals.begin(), plan.rivals.end());
    const auto found = std::find_if(ways.begin(), ways.end(), [&](const ParallelDiskWay& way) {
      return q_.method == name_of(way.method) || q_.method == fmt::format("{}", fmt::streamed(way.method));
    });
    if (found == ways.end()) refuse_unknown();
    if (!found->possible) throw InputError(fmt::format("{} {}", q_.method, found->reason));
    const ParallelDiskWay forced = *found;
    ways.erase(found);
    ways.front().reason = "not asked for";
    plan.chosen = forced;
    plan.chosen.reason.clear();
    plan.rivals = std::move(ways);
    plan.closed = closed_form(plan.problem, forced.method);
    plan.rounded_closed = rounded_closed_form(plan.problem, forced.method, forced.resident);
  }

  [[noreturn]] void refuse_unknown() const {
    std::string names;
    for (const ParallelDiskMethod& method : all_methods()) {
      if (method.order == DiskOrder::abc) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name_of(method));
    }
    throw InputError(fmt::format(
        "there is no disk method \"{}\"; there are {}, each with \", order ABC\" or another order after it, and "
        "\"blocks\"",
        q_.method, names));
  }

  /// What messages and moves need besides tiles depends on the tiles: they get smaller until all fits.
  bool make_program_that_fits() {
    result_.accumulate = result_.plan.problem.accumulate;
    result_.tilings = q_.tilings;
    for (const int label : out_.labels) result_.tiling.push_back(q_.blocks.operation.tile[label]);
    result_.product = {.program = {},
                       .type = of(Array::c).type,
                       .coefficient = q_.operation.terms[0].coefficient,
                       .conjugate_a = operand(Array::a).conjugate,
                       .conjugate_b = operand(Array::b).conjugate};
    for (int tries = 0; tries < 20 && result_.plan.problem.tile_elements > 1; ++tries) {
      make_product();
      if (result_.peak_bytes <= room_) return true;
      shrink();
    }
    return false;
  }

  void make_product() {
    ParallelDiskProgram& program = result_.product.program;
    program = result_.plan.program();
    for (const Label label : all_labels) program.labels[static_cast<std::size_t>(label)].extent = extent(label);
    for (const Array array : all_arrays) place(array);
    if (q_.read_ahead) read_ahead(program, room_ / element_bytes());
    result_.peak_bytes = std::max(held_elements(program) * element_bytes(), bytes_of_moves());
  }

  void shrink() {
    ParallelDiskPlan& plan = result_.plan;
    plan.problem.tile_elements -= (plan.problem.tile_elements + 9) / 10;
    if (plan.problem.tile_elements < 1) return;
    const RefinedTiles refined = refine(plan.problem, plan.chosen.method);
    plan.chosen.resident = refined.resident;
    plan.chosen.tiles = refined.tiles;
    plan.chosen.volumes = refined.volumes;
    plan.chosen.seconds = refined.seconds;
    plan.rounded_closed = rounded_closed_form(plan.problem, plan.chosen.method, refined.resident);
  }

  /// The columns are the set that has the array's last mode.
  void place(Array array) {
    const Operand& x = operand(array);
    const auto [first, second] = labels_of(array);
    const bool transposed = has(labels(first), x.labels.back());
    ResidentArrays& flags = result_.product.program.transposed;
    (array == Array::a ? flags.a : array == Array::b ? flags.b : flags.c) = transposed;
    const auto side = [&](Label label) {
      MatrixSide made;
      for (const int l : labels(label)) {
        const auto mode = std::find(x.labels.begin(), x.labels.end(), l) - x.labels.begin();
        made.modes.push_back(static_cast<int>(mode));
        made.extents.push_back(q_.formula.labels[l].extent);
      }
      return made;
    };
    const auto at = static_cast<std::size_t>(array);
    result_.arrays[at] = x.array;
    result_.matrices[at] = transposed ? ArrayMatrix{side(second), side(first)} : ArrayMatrix{side(first), side(second)};
  }

  static std::vector<std::int64_t> largest_block(const symmetry::Shape& shape, const compile::Cuts& cuts) {
    std::vector<std::int64_t> tiles;
    for (std::size_t m = 0; m < cuts.size(); ++m) tiles.push_back(compile::largest_tile(shape.extents()[m], cuts[m]));
    return tiles;
  }

  /// A tile, a rank's part of a block, and what is sent and received of both.
  std::int64_t bytes_of_moves() const {
    std::int64_t most = 0;
    for (const Array array : all_arrays) {
      const TileGrid grid = result_.product.program.grid(array);
      const std::int64_t tile = grid.share(0);
      const auto tiling = q_.tilings.find(operand(array).array);
      const auto part = [&](const std::vector<std::int64_t>& tiles) {
        const std::int64_t all = std::accumulate(tiles.begin(), tiles.end(), std::int64_t{1}, std::multiplies<>());
        return (all + q_.ranks - 1) / q_.ranks + 1;
      };
      std::int64_t block = 0;
      if (q_.homes[operand(array).array] == Home::disk && tiling != q_.tilings.end())
        block = part(largest_block(*of(array).shape, tiling->second));
      if (array == Array::c) block = std::max(block, part(result_.tiling));
      // Of an array in memory, only what the tiles of all ranks take is copied.
      const bool in_memory = q_.homes[operand(array).array] == Home::memory;
      const std::int64_t own = part({of(array).shape->full_size()});
      const std::int64_t sent = in_memory ? std::min(own, tile * q_.ranks) : block;
      most = std::max(most, 2 * tile + block + sent);
    }
    return most * element_bytes();
  }

  /// The tables choose; what is compared with doing it block by block is what the loops really move.
  void count_loops() {
    const ProgramVolumes loops = volumes_of(result_.product.program, 0);
    result_.seconds =
        element_bytes() *
            (loops.read / q_.machine.disk_read_bandwidth + loops.written / q_.machine.disk_write_bandwidth) +
        static_cast<double>(sent_bytes(result_.product.program, element_bytes())) / q_.machine.network_bandwidth;
  }

  void count_moves() {
    const DiskBytes all = predict_disk(q_.formula, result_, q_.homes, 0);
    const ProgramVolumes loops = volumes_of(result_.product.program, 0);
    const double read = static_cast<double>(all.read) - loops.read * element_bytes();
    const double written = static_cast<double>(all.written) - loops.written * element_bytes();
    double sent = 0;  // all but a P-th of each array that is not made on the spot
    for (const Array array : all_arrays) {
      if (array != Array::c && q_.homes[operand(array).array] == Home::formula) continue;
      const double times = array == Array::c && result_.accumulate ? 2 : 1;
      sent += times * static_cast<double>(of(array).shape->full_size()) * (q_.ranks - 1) / q_.ranks / q_.ranks;
    }
    result_.move_seconds = read / q_.machine.disk_read_bandwidth + written / q_.machine.disk_write_bandwidth +
                           sent * element_bytes() / q_.machine.network_bandwidth;
  }

  const ParallelDiskQuestion& q_;
  const Operand& out_;
  const std::int64_t room_;
  ParallelDiskOperation result_;
};

}  // namespace

std::optional<ParallelDiskOperation> choose_parallel_disk_operation(const ParallelDiskQuestion& question) {
  return Choice(question).run();
}

std::ostream& operator<<(std::ostream& out, const ParallelDiskOperation& operation) {
  return out << operation.plan
             << fmt::format("  {:.5g} s, and {:.5g} s to move arrays there and back; block by block: {:.5g} s\n",
                            operation.seconds, operation.move_seconds, operation.block_seconds);
}

}  // namespace ricci::program
