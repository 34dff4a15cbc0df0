#pragma once
// Tensors in blocks: on disk, in a file, or made when they are read, for what does not fit in memory. Programs that
// `ricci compile` writes are made of these and of loops; docs/guide.md shows one.
#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ricci/expression.hpp>
#include <ricci/symmetry.hpp>
#include <ricci/tensor.hpp>
#include <ricci/world.hpp>

namespace ricci::disk {

/// Of a mode that is cut into tiles of one size, the last of which may be shorter: lo <= index < hi.
struct Tile {
  std::int64_t lo = 0, hi = 0;
  std::int64_t size = 0;  ///< of the tiles of this mode
  std::int64_t length() const { return hi - lo; }
  auto operator<=>(const Tile&) const = default;
};

/// The whole of a mode, whatever its extent.
inline constexpr Tile all{0, -1, 0};

/// A tile of each mode. One that is asked for by tiles of symmetric modes is a block: those modes are cut alike.
using Box = std::vector<Tile>;

std::vector<Tile> tiles(std::int64_t extent, std::int64_t size);
/// The first index of each of those tiles.
std::vector<std::int64_t> cuts(std::int64_t extent, std::int64_t size);

/// In how many orders tiles can stand that ascend: how often a term counts that is summed over ascending tiles only.
double orders(const Box& ascending);

namespace detail {
struct ScratchState;
struct DiskState;
struct InputState;
struct BlockState;
struct AddressState;
struct PartState;
struct PartsState;
}  // namespace detail

/// A directory for tensors on disk, and what has been read and written. Copies refer to the same one. It is gone with
/// the last of them and of its tensors.
class Scratch {
 public:
  /// Made under `directory` (empty: $TMPDIR, else here) for the first tensor. `keep`: it stays.
  explicit Scratch(const World& world, const std::string& directory = {}, bool keep = false);

  const World& world() const;
  /// Of this rank: scratch files, and files of the user's that are read or written in blocks.
  std::int64_t bytes_read() const;
  std::int64_t bytes_written() const;

  const std::shared_ptr<detail::ScratchState>& state() const { return state_; }

 private:
  std::shared_ptr<detail::ScratchState> state_;
};

/// A block in memory, or on its way there. Copies refer to the same one.
class Block {
 public:
  Block() = default;  ///< no block: assign one before use
  /// Under labels for the modes of the box that was asked for. Waits for it.
  Expression operator[](std::string_view labels) const;
  double norm2() const;
  /// As a tensor of its own; the block is of no use afterwards. Collective.
  template <class T>
  Tensor<T> take();

  explicit Block(std::shared_ptr<detail::BlockState> state) : state_(std::move(state)) {}
  detail::BlockState& state() const { return *state_; }

 private:
  std::shared_ptr<detail::BlockState> state_;
};

/// A tensor on disk: only canonical blocks, packed, each rank's share of them in a file of its own. Blocks that were
/// never written are zero, and take nothing to read.
template <class T>
class DiskTensor {
 public:
  /// Zero. `cuts`: of each mode the first indices of its tiles; alike for modes of one group. Collective.
  DiskTensor(const Scratch& scratch, Extents extents, Symmetry symmetry, std::vector<std::vector<std::int64_t>> cuts);
  /// The same in a file of the user's, "file.h5:/name" or "file.npy", which gets that name by `save`: every block is
  /// written there, and none is read; nothing else may use that file meanwhile. On one rank, without symmetry; else an
  /// InputError. Collective.
  DiskTensor(const Scratch& scratch, Extents extents, Symmetry symmetry, std::vector<std::vector<std::int64_t>> cuts,
             const std::string& where);
  DiskTensor(DiskTensor&&) noexcept;
  DiskTensor& operator=(DiskTensor&&) noexcept;
  ~DiskTensor();

  const World& world() const;
  const Extents& extents() const;
  const Symmetry& symmetry() const;
  /// Of the unique elements, over all ranks.
  std::int64_t stored_size() const;
  /// From what blocks had when they were written: nothing is read. Collective.
  double norm2() const;
  /// "file.h5:/name" or "file.npy", block by block. What is in a file already only gets its name, which has to be that
  /// one. Collective.
  void save(const std::string& where) const;
  /// Zero again, and no file any more.
  void release();

  detail::DiskState& state() const { return *state_; }

 private:
  std::unique_ptr<detail::DiskState> state_;
};

/// A tensor that is only read, block by block.
template <class T>
class InputTensor {
 public:
  /// As Tensor::load has it. `name`: for messages. InputError where the file does not hold this. Collective.
  static InputTensor from_file(const Scratch& scratch, const std::string& where, Extents extents, Symmetry symmetry,
                               const std::string& name);
  /// The elements of Tensor::fill_random(seed).
  static InputTensor random(const Scratch& scratch, Extents extents, Symmetry symmetry, std::uint64_t seed);
  static InputTensor zero(const Scratch& scratch, Extents extents, Symmetry symmetry);
  InputTensor(InputTensor&&) noexcept;
  InputTensor& operator=(InputTensor&&) noexcept;
  ~InputTensor();

  detail::InputState& state() const { return *state_; }

 private:
  explicit InputTensor(std::unique_ptr<detail::InputState> state);
  std::unique_ptr<detail::InputState> state_;
};

/// A block that may be read: of which tensor, and where. The tensor has to stay.
class Address {
 public:
  explicit Address(std::shared_ptr<const detail::AddressState> state) : state_(std::move(state)) {}
  const detail::AddressState& state() const { return *state_; }

 private:
  std::shared_ptr<const detail::AddressState> state_;
};

template <class T>
Address at(const Tensor<T>& tensor, const Box& box);
template <class T>
Address at(const DiskTensor<T>& tensor, const Box& box);
template <class T>
Address at(const InputTensor<T>& tensor, const Box& box);

/// Begins to read it. Collective.
Block read(const Address& address);
template <class X>
Block read(const X& tensor, const Box& box) {
  return read(at(tensor, box));
}

/// Reads the factors of products. What the product before has had, too, is not read again. Collective.
class Factors {
 public:
  template <class... A>
  std::array<Block, sizeof...(A)> read(const A&... addresses) {
    const std::vector<Block> blocks = read_all({&addresses...});
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return std::array<Block, sizeof...(A)>{blocks[i]...}; }
    (std::index_sequence_for<A...>{});
  }
  /// A product without factors: after it nothing is there.
  void forget() { held_.clear(); }

 private:
  struct Held {
    Address address;
    Block block;
  };
  std::vector<Block> read_all(const std::vector<const Address*>& addresses);
  std::vector<Held> held_;
};

/// A sum that becomes a block of `tensor`, zero to begin with. It has the symmetry of the groups that are not cut:
/// terms have to be summed over the permutations of the others. Collective.
template <class T>
Tensor<T> zero_block(const Tensor<T>& tensor, const Box& box);
template <class T>
Tensor<T> zero_block(const DiskTensor<T>& tensor, const Box& box);

/// Such a sum packed as the block is stored, where that has more symmetry. Collective.
template <class T>
Tensor<T> packed_block(const Tensor<T>& tensor, const Box& box, Tensor<T> sum);
template <class T>
Tensor<T> packed_block(const DiskTensor<T>& tensor, const Box& box, Tensor<T> sum);

/// Packs a sum, and puts it in its place. A box of a tensor on disk without symmetry may be several blocks. Collective.
template <class T>
void write_block(Tensor<T>& tensor, const Box& box, Tensor<T> sum);
template <class T>
void write_block(DiskTensor<T>& tensor, const Box& box, Tensor<T> sum);

/// A product of parts of tensors.
class PartProduct;

/// A part of a tensor under labels.
class IndexedPart {
 public:
  /// Over all labels that are not here. Collective; on one rank nothing is copied.
  void operator=(const PartProduct& product) const;
  void operator+=(const PartProduct& product) const;
  IndexedPart(const IndexedPart&) = default;
  void operator=(const IndexedPart&) = delete;  // not a product

  explicit IndexedPart(std::shared_ptr<const detail::PartState> state) : state_(std::move(state)) {}
  const detail::PartState& state() const { return *state_; }

 private:
  std::shared_ptr<const detail::PartState> state_;
};

IndexedPart operator*(double number, const IndexedPart& part);
IndexedPart conj(const IndexedPart& part);
PartProduct operator*(const IndexedPart& left, const IndexedPart& right);

class PartProduct {
 public:
  IndexedPart left, right;
};

class Part {
 public:
  IndexedPart operator[](std::string_view labels) const;
  explicit Part(std::shared_ptr<const detail::PartState> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const detail::PartState> state_;
};

/// Parts of tensors and of blocks without symmetry, where they lie, and the kernels of their products.
class Parts {
 public:
  explicit Parts(const World& world);
  /// Counted from the tensor's first element; an empty box is all of it. The tensor has to stay.
  template <class T>
  Part operator()(const Tensor<T>& tensor, const Box& box = {}) const;
  Part operator()(const Block& block, const Box& box = {}) const;

 private:
  std::shared_ptr<detail::PartsState> state_;
};

}  // namespace ricci::disk
