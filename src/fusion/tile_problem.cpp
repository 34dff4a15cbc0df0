#include "fusion/tile_problem.hpp"

#include <algorithm>

namespace ricci::fusion {

std::vector<int> TileProblem::costly_loops() const {
  std::vector<bool> costly(extents.size(), false);
  for (const Flow& flow : flows) {
    for (const int loop : flow.extra) costly[static_cast<std::size_t>(loop)] = true;
    if (disk.seconds_per_request <= 0) continue;
    for (const int loop : flow.own) costly[static_cast<std::size_t>(loop)] = true;
  }
  std::vector<int> result;
  for (std::size_t l = 0; l < extents.size(); ++l) {
    if (costly[l] && extents[l] > 1) result.push_back(static_cast<int>(l));
  }
  return result;
}

double TileProblem::seconds(const std::vector<std::int64_t>& trips) const {
  double total = 0;
  for (const Flow& flow : flows) {
    double times = 1, blocks = 1;
    for (const int loop : flow.extra) times *= static_cast<double>(trips[static_cast<std::size_t>(loop)]);
    for (const int loop : flow.own) blocks *= static_cast<double>(trips[static_cast<std::size_t>(loop)]);
    if (flow.reads_back) times -= 1;
    total += times * (flow.bytes / (flow.is_read ? disk.read_bytes_per_second : disk.write_bytes_per_second) +
                      blocks * disk.seconds_per_request);
  }
  return total;
}

double TileProblem::bytes(const std::vector<std::int64_t>& tiles, const std::vector<std::int64_t>& trips) const {
  double peak = 0;
  for (const std::vector<int>& set : live) {
    double sum = 0;
    for (const int b : set) {
      const Block& block = blocks[static_cast<std::size_t>(b)];
      double size = block.whole_bytes;
      for (const int loop : block.tiles) size *= static_cast<double>(tiles[static_cast<std::size_t>(loop)]);
      const bool twice = std::any_of(block.doubled_when.begin(), block.doubled_when.end(),
                                     [&](int loop) { return trips[static_cast<std::size_t>(loop)] > 1; });
      sum += twice ? 2 * size : size;
    }
    peak = std::max(peak, sum);
  }
  return peak;
}

namespace {

/// Of the modes that a buffer has whole.
double untiled_bytes(const LoopProgram& program, const Buffer& buffer) {
  auto bytes = static_cast<double>(program.arrays[static_cast<std::size_t>(buffer.array)].bytes_per_element);
  for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
    if (buffer.loops[m] < 0) bytes *= static_cast<double>(program.extent(buffer.labels[m]));
  }
  return bytes;
}

double disk_bytes(const LoopProgram& program, const Buffer& buffer) {
  return static_cast<double>(size_in_elements(program.labels, buffer.labels) *
                             program.arrays[static_cast<std::size_t>(buffer.array)].bytes_per_element);
}

}  // namespace

TileProblem make_tile_problem(const LoopProgram& program, const DiskModel& disk) {
  TileProblem problem;
  problem.disk = disk;
  for (const TileLoop& loop : program.loops) problem.extents.push_back(program.extent(loop.label));
  for (const Buffer& buffer : program.buffers) {
    TileProblem::Block block{untiled_bytes(program, buffer), {}, {}};
    std::copy_if(buffer.loops.begin(), buffer.loops.end(), std::back_inserter(block.tiles),
                 [](int l) { return l >= 0; });
    problem.blocks.push_back(std::move(block));
  }
  problem.live = live_together(program);
  for (Transfer& transfer : transfers(program)) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
    TileProblem::Flow flow{disk_bytes(program, buffer), {}, {}, transfer.is_read, transfer.reads_back, {}};
    if (program.arrays[static_cast<std::size_t>(buffer.array)].in_rows) {
      for (std::size_t m = buffer.loops.size(); m-- > 0;) {
        if (buffer.loops[m] >= 0) flow.rows.push_back(buffer.loops[m]);
      }
    }
    for (const int loop : transfer.around) {
      const bool own = std::find(buffer.loops.begin(), buffer.loops.end(), loop) != buffer.loops.end();
      (own ? flow.own : flow.extra).push_back(loop);
    }
    if (buffer.doubled) {
      problem.blocks[static_cast<std::size_t>(transfer.buffer)].doubled_when = std::move(transfer.around);
    }
    problem.flows.push_back(std::move(flow));
  }
  return problem;
}

}  // namespace ricci::fusion
