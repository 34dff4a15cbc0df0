#pragma once
// A tensor on disk: canonical blocks, each rank's share of them in a scratch file of its own.
#include <memory>
#include <optional>
#include <string>

#include <ricci/world.hpp>

#include "compile/block_catalog.hpp"
#include "program/any_tensor.hpp"
#include "program/direct_output.hpp"
#include "storage/disk_array.hpp"

namespace ricci::program {

/// A block between memory and disk: every rank moves its own share.
class SharedTransfer {
 public:
  SharedTransfer(const World& world, storage::TileTransfer mine) : world_(world), mine_(std::move(mine)) {}
  /// Until all ranks have theirs; throws on all of them or none. Collective.
  void wait();

 private:
  World world_;
  storage::TileTransfer mine_;
};

/// A block in memory, or on its way there.
class IncomingBlock {
 public:
  IncomingBlock(AnyTensor tensor, SharedTransfer transfer)
      : tensor_(std::move(tensor)), transfer_(std::move(transfer)) {}
  /// Waits for it when it is asked for the first time. Collective.
  AnyTensor& get() {
    if (transfer_) transfer_->wait();
    transfer_.reset();
    return tensor_;
  }

 private:
  AnyTensor tensor_;
  std::optional<SharedTransfer> transfer_;  // after the tensor: is waited for before that is freed
};

class DiskTensor {
 public:
  enum class Norm { kept, unknown };
  /// `path`: of this rank's file. Never written blocks are zero. Collective.
  DiskTensor(const World& world, ElementType type, compile::BlockCatalog catalog, storage::BlockIo& io,
             const std::string& path, Norm norm = Norm::kept);
  /// Not in a scratch file, but in the output's own: blocks are written once each, and never read. Collective.
  DiskTensor(const World& world, ElementType type, compile::BlockCatalog catalog,
             const notation::ProgramTensor& output);

  const compile::BlockCatalog& catalog() const { return catalog_; }
  /// Of a canonical block. Collective.
  std::unique_ptr<IncomingBlock> start_read(std::int64_t number);
  /// A tensor of the block's shape, in the layout that it has by default, which must stay as it is until then.
  /// Collective.
  SharedTransfer start_write(std::int64_t number, const AnyTensor& block);
  const storage::DiskTraffic& traffic() const { return output_ ? output_->traffic() : array_->traffic(); }
  /// In its output's own file.
  bool is_output() const { return output_ != nullptr; }
  /// All of it is written: the output's file gets its name. Collective.
  void finish_output() { output_->finish(); }
  /// The 2-norm of the unpacked tensor, from what the blocks had when they were written: nothing is read. InternalError
  /// where it was not to be kept. Collective.
  double norm() const;

 private:
  World world_;
  ElementType type_;
  compile::BlockCatalog catalog_;
  Norm norm_;
  std::unique_ptr<storage::DiskArray> array_;
  std::unique_ptr<DirectOutput> output_;  // in place of the array
  std::vector<double> squares_;           // [block]: of its elements, unpacked; none where the norm is not kept
};

}  // namespace ricci::program
