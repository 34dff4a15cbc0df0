#pragma once
// Statements such as C["ij"] += A["ik"] B["kj"] written with letters, for tests of what becomes of their symmetries.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "symmetry/fold.hpp"

namespace ricci::symmetry {

/// A tensor with one letter a mode.
struct Lettered {
  std::string letters;
  Symmetry symmetry;
};

/// C += A (· B); every letter's extent is given by `extent_of`.
class FoldStatement {
 public:
  FoldStatement(const Lettered& c, const Lettered& a, const std::vector<std::pair<char, std::int64_t>>& extent_of)
      : FoldStatement({c, a}, extent_of) {}
  FoldStatement(const Lettered& c, const Lettered& a, const Lettered& b,
                const std::vector<std::pair<char, std::int64_t>>& extent_of)
      : FoldStatement({c, a, b}, extent_of) {}

  Fold fold() const {
    const Labelled none;
    return symmetry::fold(labelled(0), labelled(1), shapes_.size() > 2 ? labelled(2) : none, extents_);
  }
  Labelled labelled(std::size_t tensor) const { return {&shapes_[tensor], labels_[tensor]}; }
  int label(char letter) const { return static_cast<int>(letters_.find(letter)); }

  /// The loop that has exactly these letters, in any order; null where there is none.
  static const Unit* unit(const FoldStatement& statement, const Fold& fold, const std::string& letters) {
    std::vector<int> wanted;
    for (const char letter : letters) wanted.push_back(statement.label(letter));
    for (const Unit& unit : fold.units) {
      if (std::is_permutation(unit.labels.begin(), unit.labels.end(), wanted.begin(), wanted.end())) return &unit;
    }
    return nullptr;
  }

 private:
  FoldStatement(const std::vector<Lettered>& tensors, const std::vector<std::pair<char, std::int64_t>>& extent_of) {
    for (const auto& [letter, extent] : extent_of) letters_ += letter, extents_.push_back(extent);
    for (const Lettered& tensor : tensors) {
      std::vector<int>& labels = labels_.emplace_back();
      Extents extents;
      for (const char letter : tensor.letters) {
        labels.push_back(label(letter));
        extents.push_back(extents_[static_cast<std::size_t>(label(letter))]);
      }
      shapes_.emplace_back(extents, tensor.symmetry);
    }
  }

  std::string letters_;
  std::vector<std::int64_t> extents_;
  std::vector<Shape> shapes_;
  std::vector<std::vector<int>> labels_;
};

}  // namespace ricci::symmetry
