// The loops of a tree of contractions within the memory of the ranks: src/fusion finds those of least disk time, and
// here the time of the arithmetic is held beside it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "fusion/refine_tiles.hpp"
#include "fusion/simplify_loops.hpp"
#include "fusion/verify_loops.hpp"
#include "program/handling.hpp"
#include "program/nest_arithmetic.hpp"

namespace ricci::program {

using compile::Home;
using fusion::Buffer;
using fusion::LoopProgram;

namespace {

/// Sizes of a buffer's tiles, mode by mode.
std::vector<std::int64_t> tile_of(const LoopProgram& program, const Buffer& buffer) {
  std::vector<std::int64_t> tile;
  for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
    const int loop = buffer.loops[m];
    tile.push_back(loop < 0 ? program.extent(buffer.labels[m]) : program.loops[static_cast<std::size_t>(loop)].tile);
  }
  return tile;
}

/// Where arrays that are written are cut, so that whoever reads them in other tiles finds those made up of blocks.
std::map<int, compile::Cuts> cuts_of(const FusedTree& tree, const LoopProgram& program) {
  std::map<int, compile::Cuts> cuts;
  const auto cuts_of_buffer = [&](const Buffer& buffer) {
    Extents extents;
    for (int label : buffer.labels) extents.push_back(program.extent(label));
    return compile::cuts_of(extents, tile_of(program, buffer));
  };
  const std::vector<fusion::Transfer> transfers = fusion::transfers(program);
  for (const fusion::Transfer& transfer : transfers) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
    if (!transfer.is_read) cuts[tree.arrays[static_cast<std::size_t>(buffer.array)]] = cuts_of_buffer(buffer);
  }
  for (const fusion::Transfer& transfer : transfers) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
    const auto written = cuts.find(tree.arrays[static_cast<std::size_t>(buffer.array)]);
    if (written != cuts.end()) written->second = compile::common_refinement(written->second, cuts_of_buffer(buffer));
  }
  return cuts;
}

/// The largest block of arrays that are read in other tiles than they are written in: boxes are put together from such
/// blocks, one by one, the next of which is on its way.
std::int64_t bytes_to_put_together(const FusedTree& tree, const LoopProgram& program,
                                   const std::map<int, compile::Cuts>& cuts) {
  std::int64_t most = 0;
  for (const fusion::Transfer& transfer : fusion::transfers(program)) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
    const auto written = cuts.find(tree.arrays[static_cast<std::size_t>(buffer.array)]);
    if (written == cuts.end()) continue;
    std::int64_t bytes = program.arrays[static_cast<std::size_t>(buffer.array)].bytes_per_element;
    const std::vector<std::int64_t> tile = tile_of(program, buffer);
    bool is_cut = false;
    for (std::size_t m = 0; m < tile.size(); ++m) {
      const std::int64_t extent = program.extent(buffer.labels[m]);
      is_cut = is_cut || compile::size_of_tiles(extent, written->second[m]) != tile[m];
      bytes *= compile::largest_tile(extent, written->second[m]);
    }
    if (is_cut) most = std::max(most, bytes);
  }
  return most;
}

/// What it takes to write arrays in other tiles than they are read in: blocks are cut out and put together.
struct Regrouping {
  double parts = 0;  // so many blocks beyond one for each box
  double bytes = 0;  // that are copied
};
Regrouping regrouping(const FusedTree& tree, const LoopProgram& program, const std::map<int, compile::Cuts>& cuts) {
  Regrouping result;
  for (const fusion::Transfer& transfer : fusion::transfers(program)) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
    const auto written = cuts.find(tree.arrays[static_cast<std::size_t>(buffer.array)]);
    if (written == cuts.end()) continue;
    double boxes = 1, blocks = 1;  // of all turns of the loops; a box
    auto bytes = static_cast<double>(program.arrays[static_cast<std::size_t>(buffer.array)].bytes_per_element);
    for (int loop : transfer.around) boxes *= static_cast<double>(program.trips(loop));
    const std::vector<std::int64_t> tile = tile_of(program, buffer);
    for (std::size_t m = 0; m < tile.size(); ++m) {
      const std::int64_t extent = program.extent(buffer.labels[m]);
      blocks *= static_cast<double>(written->second[m].size()) / static_cast<double>((extent + tile[m] - 1) / tile[m]);
      bytes *= static_cast<double>(tile[m]);
    }
    result.parts += boxes * (blocks - 1);
    if (blocks > 1) result.bytes += boxes * bytes;
  }
  return result;
}

std::int64_t number_of_blocks(const std::map<int, compile::Cuts>& cuts) {
  std::int64_t blocks = 0;
  for (const auto& [array, modes] : cuts) blocks += compile::blocks_of(modes);
  return blocks;
}

/// Runs of neighbouring elements in which arrays that lie in rows are read: each is a request of its own.
double runs_in_rows(const LoopProgram& program) {
  double runs = 0;
  for (const fusion::Transfer& transfer : fusion::transfers(program)) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
    if (!program.arrays[static_cast<std::size_t>(buffer.array)].in_rows) continue;
    double all = 1, run = 1;
    for (int loop : transfer.around) {
      if (std::find(buffer.loops.begin(), buffer.loops.end(), loop) == buffer.loops.end())
        all *= static_cast<double>(program.trips(loop));
    }
    const std::vector<std::int64_t> tile = tile_of(program, buffer);
    bool whole = true;
    for (std::size_t m = tile.size(); m-- > 0;) {
      const std::int64_t extent = program.extent(buffer.labels[m]);
      all *= static_cast<double>(extent);
      if (whole) run *= static_cast<double>(tile[m]);
      whole = whole && tile[m] == extent;
    }
    runs += all / run;
  }
  return runs;
}

class NestPlanner {
 public:
  NestPlanner(const FusedTree& tree, const NestBudget& budget, const MachineModel& machine)
      : tree_(tree), budget_(budget), machine_(machine) {
    const double ranks = budget.ranks;
    disk_ = {machine.disk_read_bandwidth * ranks, machine.disk_write_bandwidth * ranks, 0};
    std::vector<bool> seen(tree.arrays.size(), false);
    for (const fusion::Node& node : tree.forest.trees[0].nodes) {
      const auto array = static_cast<std::size_t>(node.array);
      if (tree.forest.arrays[array].home != fusion::Home::memory || seen[array]) continue;
      seen[array] = true;
      resident_ += static_cast<std::int64_t>(fusion::size_in_bytes(tree.forest, node));
    }
  }

  /// A quarter of the memory for what is read ahead and written behind, where that leaves enough; small tiles only
  /// where larger ones take longer.
  std::unique_ptr<const FusedNest> run() {
    for (std::int64_t part : {4, 8, 0}) {
      for (std::int64_t least_tile : {1, 8, 32}) look_at(part == 0 ? 0 : budget_.bytes / part, least_tile);
      if (best_) break;
    }
    return std::move(best_);
  }

 private:
  void look_at(std::int64_t ahead, std::int64_t least_tile) {
    std::int64_t room = budget_.bytes - ahead;
    for (int tries = 0; tries < 3 && room > 0; ++tries) {
      std::unique_ptr<FusedNest> nest = nest_within(room, least_tile);
      if (!nest) return;
      const std::int64_t staging = bytes_to_put_together(tree_, nest->plan.program, nest->cuts);
      const std::int64_t blocks = share(nest->plan.counts.peak_bytes - resident_) + share(2 * staging) +
                                  number_of_blocks(nest->cuts) * budget_.bytes_a_block;
      nest->ahead_bytes = std::min(ahead, budget_.bytes - blocks);
      nest->peak_bytes = blocks + nest->ahead_bytes;
      if (nest->ahead_bytes >= ahead / 2) {
        take(std::move(nest));
        return;
      }
      room -= ahead - nest->ahead_bytes;
    }
  }

  std::int64_t share(std::int64_t bytes) const { return (bytes + budget_.ranks - 1) / budget_.ranks; }

  std::unique_ptr<FusedNest> nest_within(std::int64_t room, std::int64_t least_tile) const {
    fusion::OutOfCoreOptions options;
    options.least_tile = least_tile;
    auto nest = std::make_unique<FusedNest>();
    try {
      nest->plan = fusion::plan_out_of_core(tree_.forest, room * budget_.ranks + resident_, disk_, options);
    } catch (const ResourceError&) {
      return nullptr;
    }
    nest->tree = tree_;
    refine(nest->plan, static_cast<double>(room * budget_.ranks));
    nest->cuts = cuts_of(tree_, nest->plan.program);
    const fusion::ArrayTraffic traffic = nest->plan.counts.total();
    nest->disk_seconds = nest->plan.seconds +
                         static_cast<double>(traffic.reads + traffic.writes) * machine_.disk_latency +
                         runs_in_rows(nest->plan.program) * seconds_a_run / budget_.ranks;
    nest->compute_seconds =
        arithmetic_seconds(nest->plan.program, budget_, machine_) + handling_seconds(nest->plan.program, nest->cuts) +
        static_cast<double>(traffic.read_bytes + traffic.written_bytes) * handling(machine_) / budget_.ranks;
    nest->seconds = beside_each_other(nest->disk_seconds, nest->compute_seconds, budget_.ranks);
    return nest;
  }

  /// Of all tiles that the disk likes as well, those with which the processor has least to do: large products, and
  /// boxes that lie on disk as they are wanted.
  void refine(fusion::LoopPlan& plan, double limit) const {
    fusion::refine_tiles(plan.program, limit, disk_, [&](const LoopProgram& program) {
      return arithmetic_seconds(program, budget_, machine_) + runs_in_rows(program) * seconds_a_run / budget_.ranks +
             handling_seconds(program, cuts_of(tree_, program));
    });
    fusion::simplify(plan.program);
    fusion::verify(plan.program);
    plan.counts = fusion::count(plan.program);
    plan.seconds = fusion::seconds(plan.counts, disk_);
  }

  double handling_seconds(const LoopProgram& program, const std::map<int, compile::Cuts>& cuts) const {
    const Regrouping regrouped = regrouping(tree_, program, cuts);
    // Ranks exchange what the others have of a box.
    const double exchanged = budget_.ranks > 1 ? partition(machine_, false) + fresh_pages(machine_) : 0;
    return regrouped.parts * seconds_a_part + regrouped.bytes * (handling(machine_) + exchanged) / budget_.ranks;
  }

  void take(std::unique_ptr<FusedNest> nest) {
    if (!best_ || nest->seconds < best_->seconds) best_ = std::move(nest);
  }

  static constexpr double seconds_a_run = 2e-6;   // a call to the system and its share of a page
  static constexpr double seconds_a_part = 2e-5;  // of a box, to be asked for and put in its place

  const FusedTree& tree_;
  const NestBudget& budget_;
  const MachineModel& machine_;
  fusion::DiskModel disk_;
  std::int64_t resident_ = 0;  // of all ranks
  std::unique_ptr<FusedNest> best_;
};

}  // namespace

std::unique_ptr<const FusedNest> plan_nest(const FusedTree& tree, const NestBudget& budget,
                                           const MachineModel& machine) {
  return NestPlanner(tree, budget, machine).run();
}

std::string to_string(const FusedNest& nest) {
  std::string text = fusion::to_string(nest.plan.program);
  text += fmt::format("reads ahead {} bytes; disk {:.4g} s, arithmetic {:.4g} s\n", nest.ahead_bytes, nest.disk_seconds,
                      nest.compute_seconds);
  for (const fusion::Rival& rival : nest.plan.rivals) text += fmt::format("rival: {}: {}\n", rival.what, rival.reason);
  return text;
}

}  // namespace ricci::program
