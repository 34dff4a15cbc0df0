#pragma once
// Shape: extents and symmetry, validated, and the packed storage that follows from them.
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include <ricci/symmetry.hpp>
#include <ricci/tensor.hpp>

namespace ricci::symmetry {

/// One dimension of the packed array: a mode by itself, or a group of modes as the ranks of its sorted tuples.
struct StorageDim {
  std::vector<int> modes;
  SymmetryKind kind = SymmetryKind::symmetric;  // of a group
  std::int64_t extent = 0;                      // of each of its modes
  std::int64_t size = 0;                        // of the dimension
  std::int64_t stride = 0;
  bool grouped() const { return modes.size() > 1; }
};

/// A packed tensor is a dense row-major array over its storage dimensions, which stand in the order of their first
/// modes. Prints as `40,40,10,10 [0 1]- [2 3]-`.
class Shape {
 public:
  static constexpr std::size_t max_order = 64;

  Shape() = default;
  /// InputError for negative extents, modes out of range, groups of unequal extents, sizes beyond 64 bits.
  Shape(Extents extents, Symmetry symmetry);

  int order() const { return static_cast<int>(extents_.size()); }
  const Extents& extents() const { return extents_; }
  const Symmetry& symmetry() const { return symmetry_; }
  const std::vector<StorageDim>& dims() const { return dims_; }
  int dim_of_mode(int mode) const { return dim_of_mode_[mode]; }
  std::int64_t full_size() const { return full_size_; }
  std::int64_t stored_size() const { return stored_size_; }
  /// Row-major strides of the unpacked tensor: a key is Σ index · stride.
  std::span<const std::int64_t> full_strides() const { return full_strides_; }

  /// A box of an array without symmetry, where it lies: the extents are the box's, the strides in memory are those of
  /// the array, and offsets count from the box's first element. InternalError for packed shapes.
  Shape window(const Extents& box) const;

  bool operator==(const Shape& other) const { return extents_ == other.extents_ && symmetry_ == other.symmetry_; }

 private:
  Extents extents_;
  Symmetry symmetry_;
  std::vector<StorageDim> dims_;
  std::vector<int> dim_of_mode_;
  std::vector<std::int64_t> full_strides_;
  std::int64_t full_size_ = 1;
  std::int64_t stored_size_ = 1;
};

std::ostream& operator<<(std::ostream&, const Shape&);

/// `antisymmetric [0 1], symmetric [2 3]`: for messages.
std::string in_words(const Symmetry& symmetry);

/// Where an element of the unpacked tensor is stored, and the factor (±1, or 0 where it vanishes) to read it with.
struct Element {
  std::int64_t offset;
  int factor;
};
Element locate(const Shape& shape, std::span<const std::int64_t> index);

/// Sorts an index within each group, in place. The factor with which the element is read: ±1, or 0 where it vanishes.
int sort_index(const Shape& shape, std::int64_t* index);

/// Walks through the unique elements in the order of storage.
class UniqueElements {
 public:
  explicit UniqueElements(const Shape& shape);
  /// Starts at the element at an offset.
  void seek(std::int64_t offset);
  void next();
  std::span<const std::int64_t> index() const { return index_; }
  /// How many elements of the unpacked tensor equal this one up to sign.
  std::int64_t multiplicity() const;

 private:
  void store(std::size_t dim);
  const Shape* shape_;
  std::vector<std::int64_t> index_;
  std::vector<std::vector<std::int64_t>> tuples_;  // for each storage dimension
};

}  // namespace ricci::symmetry
