#pragma once
// What things are called in the program over blocks.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "notation/syntax.hpp"
#include "spin/find_blocks.hpp"

namespace ricci::spin {

class SpinNames {
 public:
  /// InputError where names of blocks or spaces are taken.
  SpinNames(const SpinTensors& spins, const SpinOptions& options, const Blocks& blocks,
            const std::vector<std::string>& spaces);

  /// `a` or `a'`; remembers that it is used.
  notation::syntax::Name label(int spin_label);
  std::vector<notation::syntax::Name> labels(const std::vector<int>& spin_labels);
  /// Of a tensor's modes as declared.
  std::vector<notation::syntax::Name> declared_labels(int tensor, const Pattern& block);
  bool is_used(int spin_label) const { return used_.contains(spin_label); }

  /// A name for a new tensor, this one if it is free.
  std::string new_tensor(std::string wish);

  const SpinSpace& space(const std::string& name) const { return spaces_.at(name); }
  bool is_split(const std::string& space) const { return spaces_.contains(space); }

 private:
  const SpinTensors& spins_;
  std::map<std::string, SpinSpace> spaces_;  // with names
  std::vector<std::string> beta_names_;      // of labels
  std::set<std::string> tensor_names_;
  std::set<int> used_;
};

}  // namespace ricci::spin
