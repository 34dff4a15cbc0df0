#include "fusion/loop_counts.hpp"

#include <algorithm>

namespace ricci::fusion {

namespace {

/// Finds transfers and contractions with the loops around them.
class Walk {
 public:
  explicit Walk(const LoopProgram& program) : program_(program) {}

  void operator()(const std::vector<Statement>& body) {
    for (const Statement& statement : body) std::visit(*this, statement.what);
  }
  void operator()(const Loop& loop) {
    around_.push_back(loop.loop);
    (*this)(loop.body);
    around_.pop_back();
  }
  void operator()(const Clear&) {}
  void operator()(const Read& read) { transfers.push_back({read.buffer, true, !read.unless_first.empty(), around_}); }
  void operator()(const Write& write) { transfers.push_back({write.buffer, false, false, around_}); }
  void operator()(const Contract& contract) {
    LabelSet labels = 0;
    for (const int buffer : {contract.out, contract.a, contract.b}) {
      if (buffer >= 0) labels |= set_of(program_.buffers[static_cast<std::size_t>(buffer)].labels);
    }
    double products = 1;
    for (std::size_t l = 0; l < program_.labels.size(); ++l) {
      if (contains(labels, static_cast<int>(l))) products *= static_cast<double>(program_.labels[l].extent);
    }
    flops += (contract.b >= 0 ? 2 : 1) * products;
  }

  std::vector<Transfer> transfers;
  double flops = 0;

 private:
  const LoopProgram& program_;
  std::vector<int> around_;
};

std::int64_t whole_bytes(const LoopProgram& program, const Buffer& buffer) {
  return size_in_elements(program.labels, buffer.labels) *
         program.arrays[static_cast<std::size_t>(buffer.array)].bytes_per_element;
}

std::int64_t product_of_trips(const LoopProgram& program, const std::vector<int>& loops) {
  std::int64_t product = 1;
  for (const int loop : loops) product *= program.trips(loop);
  return product;
}

/// How often a transfer moves each element, and how many blocks an array has.
struct Repeats {
  std::int64_t times = 1, blocks = 1;
};

Repeats repeats(const LoopProgram& program, const Transfer& transfer) {
  const Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
  Repeats result;
  for (const int loop : transfer.around) {
    const bool own = std::find(buffer.loops.begin(), buffer.loops.end(), loop) != buffer.loops.end();
    (own ? result.blocks : result.times) *= program.trips(loop);
  }
  return result;
}

}  // namespace

std::vector<Transfer> transfers(const LoopProgram& program) {
  Walk walk(program);
  walk(program.body);
  return walk.transfers;
}

std::int64_t bytes_in_memory(const LoopProgram& program, const Buffer& buffer, std::int64_t around) {
  std::int64_t bytes = program.arrays[static_cast<std::size_t>(buffer.array)].bytes_per_element;
  for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
    bytes *= buffer.loops[m] < 0 ? program.extent(buffer.labels[m])
                                 : program.loops[static_cast<std::size_t>(buffer.loops[m])].tile;
  }
  return buffer.doubled && around > 1 ? 2 * bytes : bytes;
}

std::int64_t resident_bytes(const LoopProgram& program) {
  std::vector<bool> seen(program.arrays.size(), false);
  std::int64_t bytes = 0;
  for (const Buffer& buffer : program.buffers) {
    if (!buffer.resident || seen[static_cast<std::size_t>(buffer.array)]) continue;
    seen[static_cast<std::size_t>(buffer.array)] = true;
    bytes += whole_bytes(program, buffer);
  }
  return bytes;
}

LoopCounts count(const LoopProgram& program) {
  Walk walk(program);
  walk(program.body);
  LoopCounts counts;
  counts.arrays.resize(program.arrays.size());
  counts.flops = walk.flops;
  std::vector<std::int64_t> around(program.buffers.size(), 1);
  for (const Transfer& transfer : walk.transfers) {
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(transfer.buffer)];
    ArrayTraffic& traffic = counts.arrays[static_cast<std::size_t>(buffer.array)];
    Repeats repeat = repeats(program, transfer);
    around[static_cast<std::size_t>(transfer.buffer)] = product_of_trips(program, transfer.around);
    if (transfer.reads_back) --repeat.times;  // in the first iteration it is cleared
    (transfer.is_read ? traffic.read_bytes : traffic.written_bytes) += repeat.times * whole_bytes(program, buffer);
    (transfer.is_read ? traffic.reads : traffic.writes) += repeat.times * repeat.blocks;
  }
  for (const std::vector<int>& set : live_together(program)) {
    std::int64_t bytes = 0;
    for (const int b : set) {
      bytes +=
          bytes_in_memory(program, program.buffers[static_cast<std::size_t>(b)], around[static_cast<std::size_t>(b)]);
    }
    counts.peak_bytes = std::max(counts.peak_bytes, bytes);
  }
  counts.peak_bytes += resident_bytes(program);
  return counts;
}

ArrayTraffic LoopCounts::total() const {
  ArrayTraffic sum;
  for (const ArrayTraffic& array : arrays) {
    sum.read_bytes += array.read_bytes;
    sum.written_bytes += array.written_bytes;
    sum.reads += array.reads;
    sum.writes += array.writes;
  }
  return sum;
}

double seconds(const LoopCounts& counts, const DiskModel& disk) {
  const ArrayTraffic total = counts.total();
  return static_cast<double>(total.read_bytes) / disk.read_bytes_per_second +
         static_cast<double>(total.written_bytes) / disk.write_bytes_per_second +
         static_cast<double>(total.reads + total.writes) * disk.seconds_per_request;
}

}  // namespace ricci::fusion
