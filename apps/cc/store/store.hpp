#pragma once
// Where the tensors of a calculation are made: in memory, or, where that is limited, the large ones on disk.
#include <cstdint>
#include <optional>
#include <string>

#include <ricci/disk.hpp>
#include <ricci/world.hpp>

#include "store/held.hpp"

namespace cc {

/// About, where there is symmetry.
std::int64_t stored_size(const ricci::Extents& extents, const ricci::Symmetry& symmetry);

class Store {
 public:
  /// Everything is in memory. The limit is that of the world's options. `scratch`: where scratch directories are made.
  explicit Store(const ricci::World& world, std::string scratch = {});

  const ricci::World& world() const { return world_; }
  const std::string& scratch() const { return scratch_; }
  /// From now on large tensors are made on disk, or nearly all of them. There has to be a limit.
  void use_disk(bool nearly_all = false);
  bool uses_disk() const { return disk_.has_value(); }

  /// Zero. All tensors that are on disk are cut alike: into tiles of so many indices. Collective.
  Held make(const ricci::Extents& extents, const ricci::Symmetry& symmetry) const;
  std::int64_t tile() const { return tile_; }
  bool is_large(std::int64_t elements) const;
  /// A tensor on disk, whatever its size. Collective.
  ricci::disk::DiskTensor<double> make_on_disk(const ricci::Extents& extents, const ricci::Symmetry& symmetry) const;

  /// So many bytes of the limit are for other things than tensors.
  void reserve(std::int64_t bytes) { reserved_ = bytes; }
  std::int64_t reserved() const { return reserved_; }
  /// Of one rank, for tensors; 0: no limit.
  std::int64_t limit() const;
  /// The options of the world, for programs.
  ricci::Options plan_options() const;

 private:
  ricci::World world_;
  std::string scratch_;
  std::optional<ricci::disk::Scratch> disk_;
  std::int64_t tile_ = 0, small_bytes_ = 0;  // as the limit was when the disk came into use
  std::int64_t reserved_ = 0;
};

}  // namespace cc
