#pragma once
// The arrays of a program that runs: where each of them is.
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ricci/world.hpp>

#include "compile/choose_tiles.hpp"
#include "compile/formula.hpp"
#include "notation/program.hpp"
#include "program/any_tensor.hpp"
#include "program/block_source.hpp"
#include "program/disk_tensor.hpp"
#include "storage/scratch.hpp"

namespace ricci::disk::detail {
struct ScratchState;
}

namespace ricci::program {

class ArrayStore {
 public:
  /// `homes`: of each array of the formula; `direct_outputs`: those on disk that are written to their files at once. A
  /// scratch directory is made under `scratch` where one of them is the disk. Collective, as are all calls.
  ArrayStore(const World& world, const notation::Program& program, const compile::Formula& formula,
             std::vector<compile::Home> homes, std::set<int> direct_outputs, const std::string& scratch,
             bool keep_scratch);

  const World& world() const { return world_; }
  const compile::Formula& formula() const { return formula_; }
  const notation::ProgramTensor* input(int array) const;
  compile::Home home(int array) const { return homes_[array]; }

  /// Of an array in memory: loaded or filled where it is an input that nobody has asked for yet, zero where it holds
  /// nothing.
  AnyTensor& tensor(int array);
  /// The array is this tensor of somebody else, who keeps it; before anything asks for it.
  void give(int array, AnyTensor tensor) { memory_[static_cast<std::size_t>(array)] = std::move(tensor); }
  /// The same on disk: an input, or an output that is to be made where somebody else's tensors are.
  void give(int array, std::shared_ptr<DiskTensor> tensor);
  void give(int array, std::shared_ptr<disk::detail::ScratchState> place);
  /// Arrays in memory leave their memory to others that come after them, in this run or the next.
  void recycle() { recycles_ = true; }
  /// Whether an array on disk has been written.
  bool is_on_disk(int array) const { return disk_[array] != nullptr; }
  DiskTensor& disk(int array) { return *disk_[array]; }
  /// For good, to whoever gave its place. Nothing where it was never written.
  std::shared_ptr<DiskTensor> take_disk(int array) { return disk_[static_cast<std::size_t>(array)]; }
  /// A new place for an array on disk, which becomes the array's when it is given to `put`.
  std::unique_ptr<DiskTensor> new_disk(int array, compile::BlockCatalog catalog);
  void put(int array, std::unique_ptr<DiskTensor> tensor);
  /// Blocks of an array, wherever it is. `tile`: of each mode, as they will be asked for.
  std::unique_ptr<BlockSource> source(int array, const std::vector<std::int64_t>& tile);
  void release(int array);

  /// Tells what has been moved so far whenever a block is asked for.
  using Watcher = std::function<void(const storage::DiskTraffic&)>;
  void watch(Watcher watcher) { watcher_ = std::move(watcher); }

  /// Of arrays that are there and of those that were, and of files.
  storage::DiskTraffic traffic() const;
  storage::DiskTraffic& traffic_of_files() { return past_; }

  /// For files of others in the scratch directory, which is there where an array is on disk.
  storage::BlockIo& io() { return *io_; }
  std::string new_file() { return scratch_->file(fmt::format("tiles.{}", ++files_)); }

 private:
  void fill_input(int array, AnyTensor& tensor) const;
  void find_norms(const std::vector<compile::Operation>& operations);
  std::unique_ptr<BlockSource> unwatched_source(int array, const std::vector<std::int64_t>& tile);

  World world_;
  const notation::Program& program_;
  const compile::Formula& formula_;
  std::vector<compile::Home> homes_;
  std::set<int> direct_outputs_;
  std::vector<bool> wants_norm_;  // by array: somebody will ask for it
  std::optional<storage::ScratchDirectory> scratch_;
  std::unique_ptr<storage::BlockIo> io_;
  std::vector<std::optional<AnyTensor>> memory_;
  std::vector<std::shared_ptr<DiskTensor>> disk_;
  std::vector<std::shared_ptr<disk::detail::ScratchState>> places_;  // by array: of the host
  storage::DiskTraffic past_;  // of arrays that are gone, and of files; without what given ones had moved before
  int files_ = 0;
  bool recycles_ = false;
  Watcher watcher_;
};

}  // namespace ricci::program
