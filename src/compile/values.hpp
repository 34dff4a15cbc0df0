#pragma once
// Which value of its array an operand has: arrays are assigned to again and again, values never change.
#include <vector>

#include "compile/formula.hpp"

namespace ricci::compile {

/// Follows a formula from operation to operation.
class Values {
 public:
  explicit Values(std::size_t arrays) : current_(arrays) {
    for (std::size_t a = 0; a < arrays; ++a) set(static_cast<int>(a));
  }

  /// The array has a value that it never had before.
  void set(int array) {
    if (array >= static_cast<int>(current_.size())) current_.resize(static_cast<std::size_t>(array) + 1);
    ++current_[array].version;
    current_[array].depth = depth_;
  }
  /// The same number for the same value of the same array only.
  std::int64_t of(int array) const { return (std::int64_t{array} << 32) + current_[array].version; }
  std::vector<std::int64_t> of(const std::vector<Operand>& factors) const {
    std::vector<std::int64_t> result;
    for (const Operand& factor : factors) result.push_back(of(factor.array));
    return result;
  }
  /// How many loops stand around the place where the array got its value.
  int depth(int array) const { return current_[array].depth; }

  /// What a loop assigns to has another value in each pass, from its beginning on.
  void enter(const Operation& repeat) {
    ++depth_;
    set_written(repeat.body);
  }
  void leave(const Operation& repeat) {
    --depth_;
    set_written(repeat.body);
  }
  /// The array got its value before some of the loops that stand around this place.
  void move_to_depth(int array, int depth) { current_[array].depth = depth; }

 private:
  struct Value {
    std::int32_t version = 0;
    int depth = 0;
  };

  void set_written(const std::vector<Operation>& operations) {
    for (const Operation& operation : operations) {
      if (operation.writes()) set(operation.out.array);
      set_written(operation.body);
    }
  }

  std::vector<Value> current_;
  int depth_ = 0;
};

}  // namespace ricci::compile
