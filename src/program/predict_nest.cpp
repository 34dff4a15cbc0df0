// What shared loops read and write, by walking through them.
#include <algorithm>
#include <map>
#include <set>

#include "fusion/loop_walk.hpp"
#include "program/blocks_on_disk.hpp"
#include "program/loop_boxes.hpp"
#include "program/predict_traffic.hpp"

namespace ricci::program {

using compile::Box;
using compile::Home;

namespace {

/// Walks through the loops as run_loops does.
class NestPrediction {
 public:
  NestPrediction(const compile::Formula& formula, const FusedNest& nest, const std::vector<Home>& homes,
                 const Tilings& tilings, int ranks, int rank)
      : formula_(formula), nest_(nest), program_(nest.plan.program), ranks_(ranks), rank_(rank) {
    for (const auto& [array, cuts] : nest.cuts)
      written_.emplace(array, BlocksOnDisk(formula.arrays[array], cuts, ranks, rank));
    for (int array : nest.tree.arrays) {
      if (homes[array] == Home::file) files_.insert(array);
      const auto tiling = tilings.find(array);
      if (homes[array] == Home::disk && tiling != tilings.end())
        before_.emplace(array, BlocksOnDisk(formula.arrays[array], tiling->second, ranks, rank));
    }
  }

  DiskBytes run() {
    fusion::LoopWalk walk(program_);
    while (walk.next(step_)) std::visit([this](const auto& what) { count(what); }, step_.statement->what);
    return bytes_;
  }

 private:
  void count(const fusion::Loop&) {}
  void count(const fusion::Clear& clear) { start_sum(clear.buffer); }
  void count(const fusion::Read& read) {
    if (read.unless_first.empty()) {
      const int array = array_of(read.buffer);
      const auto made = written_.find(array);
      bytes_.read +=
          made != written_.end() ? made->second.bytes_of(box(read.buffer)) : bytes_before(array, box(read.buffer));
      return;
    }
    const bool first = std::all_of(read.unless_first.begin(), read.unless_first.end(),
                                   [&](int loop) { return step_.turn[static_cast<std::size_t>(loop)] == 0; });
    if (first)
      start_sum(read.buffer);
    else
      bytes_.read += written_.at(array_of(read.buffer)).bytes_of(box(read.buffer));
    root_is_there_ = true;
  }
  void count(const fusion::Write& write) {
    bytes_.written += written_.at(array_of(write.buffer)).bytes_of(box(write.buffer));
    root_is_there_ = false;
  }
  void count(const fusion::Contract& contract) {
    if (array_of(contract.out) == nest_.tree.root().out.array && !root_is_there_) start_sum(contract.out);
  }

  /// Where the root is added to, what it held is read.
  void start_sum(int buffer) {
    const int array = array_of(buffer);
    if (array != nest_.tree.root().out.array || program_.buffers[static_cast<std::size_t>(buffer)].resident) return;
    root_is_there_ = true;
    if (nest_.tree.adds) bytes_.read += bytes_before(array, box(buffer));
  }

  int array_of(int buffer) const {
    const fusion::Buffer& used = program_.buffers[static_cast<std::size_t>(buffer)];
    return nest_.tree.arrays[static_cast<std::size_t>(used.array)];
  }
  Box box(int buffer) const {
    return box_of_buffer(program_, program_.buffers[static_cast<std::size_t>(buffer)], step_.turn);
  }
  std::int64_t bytes_before(int array, const Box& box) const {
    if (files_.count(array) > 0) {  // what is read in loops has no symmetry
      std::int64_t elements = 1;
      for (std::size_t m = 0; m < box.lo.size(); ++m) elements *= box.hi[m] - box.lo[m];
      return layout::part_of(elements, ranks_, rank_).count() *
             static_cast<std::int64_t>(element_size(formula_.arrays[array].type));
    }
    const auto found = before_.find(array);
    return found == before_.end() ? 0 : found->second.bytes_of(box);
  }

  const compile::Formula& formula_;
  const FusedNest& nest_;
  const fusion::LoopProgram& program_;
  std::map<int, BlocksOnDisk> written_, before_;  // by these loops; before them
  std::set<int> files_;
  int ranks_, rank_;
  fusion::LoopStep step_;
  bool root_is_there_ = false;  // its buffer has something
  DiskBytes bytes_;
};

}  // namespace

DiskBytes predict_traffic(const compile::Formula& formula, const FusedNest& nest, const std::vector<Home>& homes,
                          const Tilings& tilings, int ranks, int rank) {
  return NestPrediction(formula, nest, homes, tilings, ranks, rank).run();
}

}  // namespace ricci::program
