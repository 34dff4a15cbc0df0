#pragma once
// Elements by key, wherever they are.
#include <span>
#include <utility>
#include <vector>

#include <ricci/error.hpp>

#include "api/tensor_state.hpp"

namespace ricci::detail {

enum class KeyUpdate { write, accumulate };

/// Collective. Keys are row-major linear indices in the unpacked tensor; each rank gives any.
template <class T>
void update_keys(const TensorState& state, std::span<const std::int64_t> keys, std::span<const T> values,
                 KeyUpdate update);
template <class T>
std::vector<T> read_keys(const TensorState& state, std::span<const std::int64_t> keys);

/// One element after the other of a tensor that this rank has all of: nothing is sent, and nothing is kept.
template <class T>
class WholeAccess {
 public:
  explicit WholeAccess(const TensorState& state);
  T read(std::span<const std::int64_t> index) const;
  /// Nothing happens where the symmetry makes the element vanish.
  void write(std::span<const std::int64_t> index, T value) const;

 private:
  /// The place of the element, and the factor that makes the one stored there of it; 0: there is none.
  std::pair<std::int64_t, int> find(std::span<const std::int64_t> index) const;

  const symmetry::Shape& shape_;
  const layout::Locator& locator_;
  T* data_;
};

/// For an element, given under this key, that differs from what others make it that fold to the same place.
template <class T>
InputError contradiction(const symmetry::Shape& shape, std::int64_t key, T given, T expected);

/// Sets elements from unpacked ones, many of which may fold to one place. Where the tensor has symmetry they must
/// agree: then the first by `position` stands, else the last. Collective; InputError on all ranks, before anything
/// changes, where elements contradict each other.
template <class T>
class AgreeingUpdate {
 public:
  explicit AgreeingUpdate(const TensorState& target) : target_(target) {}
  void add(std::span<const std::int64_t> index, std::int64_t position, T value);
  void commit();

 private:
  struct Item {
    std::int64_t key, position;  // of the index as it was given
    T value;
  };
  const TensorState& target_;
  std::vector<Item> items_;
  std::vector<int> targets_;
};

}  // namespace ricci::detail
