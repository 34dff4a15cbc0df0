#pragma once
// What a Tensor<T> holds, without its type: expressions refer to it.
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <ricci/layout.hpp>
#include <ricci/world.hpp>

#include "layout/distribution.hpp"
#include "layout/locator.hpp"
#include "symmetry/shape.hpp"
#include "util/aligned_buffer.hpp"
#include "util/element_type.hpp"

namespace ricci::detail {

/// Where the elements of a tensor are, and which of them this rank has.
class Placement {
 public:
  Placement(std::shared_ptr<const symmetry::Shape> shape, Layout layout, int rank);

  const layout::Distribution& distribution() const { return distribution_; }
  const layout::LocalTiles& tiles() const { return tiles_; }
  /// Elements of this rank.
  std::int64_t size() const { return tiles_.size(); }
  /// This rank has every element, in the order of the packed tensor.
  bool is_whole() const { return is_whole_; }
  /// Of several copies this rank has the first: the one that counts.
  bool is_first_copy() const { return is_first_copy_; }
  /// Made when first asked for.
  const layout::Locator& locator() const;
  /// The layout as bytes, for the keys of the plan cache.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  layout::Distribution distribution_;
  layout::LocalTiles tiles_;
  bool is_whole_, is_first_copy_;
  std::string fingerprint_;
  mutable std::once_flag locator_made_;
  mutable std::optional<layout::Locator> locator_;
};

struct TensorState {
  World world;
  ElementType type;
  std::shared_ptr<const symmetry::Shape> shape;
  std::shared_ptr<const Placement> placement;
  AlignedBuffer data;       // this rank's elements
  std::string fingerprint;  // extents and symmetry as bytes, for the keys of the plan cache
  bool stays = false;       // in the layout that the user gave it, whatever is assigned to it
  bool recycled = false;    // its memory goes to the pool in the end (make_recycled_state), as does that of its slices
};

}  // namespace ricci::detail
