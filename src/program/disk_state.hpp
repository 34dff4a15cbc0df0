#pragma once
// What the classes of <ricci/disk.hpp> hold.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ricci/disk.hpp>

#include "compile/block_catalog.hpp"
#include "notation/program.hpp"
#include "program/block_source.hpp"
#include "program/disk_tensor.hpp"
#include "program/tensor_view.hpp"
#include "program/window_product.hpp"
#include "storage/scratch.hpp"

namespace ricci::disk::detail {

struct ScratchState {
  ScratchState(const World& ranks, std::string where, bool stays) : world(ranks), base(std::move(where)), keep(stays) {}

  World world;
  std::string base;
  bool keep;
  std::optional<storage::ScratchDirectory> directory;
  std::unique_ptr<storage::BlockIo> io;
  std::set<const program::DiskTensor*> tensors;  // that are there
  storage::DiskTraffic past;                     // of those that were, and of files
  int files = 0;

  /// Collective.
  void make_directory();
  storage::DiskTraffic traffic() const;
};

struct DiskState {
  /// `file`: of the user's, in place of a scratch file; empty: none.
  DiskState(std::shared_ptr<ScratchState> scratch, ElementType type, compile::BlockCatalog catalog,
            std::string file = {});
  DiskState(const DiskState&) = delete;
  DiskState& operator=(const DiskState&) = delete;
  ~DiskState() { release(); }

  const symmetry::Shape& shape() const { return catalog.shape(); }
  /// Made when it is first wanted: until then the tensor is zero. Collective.
  program::DiskTensor& on_disk();
  void release();
  /// It is this one now; none: zero.
  void replace(std::shared_ptr<program::DiskTensor> by);

  std::shared_ptr<ScratchState> scratch;
  ElementType type;
  compile::BlockCatalog catalog;
  std::string file;
  std::shared_ptr<program::DiskTensor> tensor;
};

struct InputState {
  std::shared_ptr<ScratchState> scratch;
  notation::ProgramTensor input;
  std::map<std::vector<std::int64_t>, std::unique_ptr<program::BlockSource>> sources = {};  // by sizes of tiles
};

/// A block that is read, or a whole tensor of the user's.
struct BlockState {
  compile::Box box;
  std::unique_ptr<program::ReadBlock> read = {};
  std::optional<program::TensorView> whole = {};

  program::TensorView view() const { return read ? program::TensorView(&read->get()) : *whole; }
};

struct AddressState {
  const void* tensor;  // equal for the same tensor only
  compile::Box box;
  std::function<std::unique_ptr<program::ReadBlock>()> start;  // none: all of a tensor in memory, which is `whole`
  std::optional<program::TensorView> whole = {};
};

struct PartsState {
  explicit PartsState(const World& world) : products(world) {}
  program::WindowProducts products;
};

struct PartState {
  std::shared_ptr<PartsState> parts;
  program::TensorView tensor;
  compile::Box box;
  std::vector<std::string> labels = {};
  double coefficient = 1;
  bool conjugate = false;
};

/// A box in numbers.
compile::Box resolved(const Box& box, const Extents& extents);
/// The blocks of a tensor that is cut as the box's tiles say.
compile::BlockCatalog catalog_of(const symmetry::Shape& shape, const Box& box);

}  // namespace ricci::disk::detail
