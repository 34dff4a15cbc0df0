#pragma once
// An assignment, print or condition over spin orbitals as statements over blocks.
#include <set>
#include <vector>

#include "notation/syntax.hpp"
#include "spin/spin_names.hpp"

namespace ricci::spin {

/// A block's elements from before a statement, which later blocks of that statement read.
struct SavedBlock {
  int tensor = -1;
  Pattern block;
  std::string name;
};

class StatementWriter {
 public:
  StatementWriter(const SpinTensors& spins, const Blocks& blocks, SpinNames& names)
      : spins_(spins), blocks_(blocks), names_(names) {}

  std::vector<notation::syntax::Item> assignment(const notation::ProgramStatement& statement);
  /// `before`: statements that set what the scalar reads.
  notation::syntax::Expression scalar(const notation::ProgramStatement& statement,
                                      std::vector<notation::syntax::Item>& before);
  /// Whether the scalar is compared or printed as its square.
  bool is_squared(const notation::ProgramStatement& statement) const;

  const std::vector<SavedBlock>& saved() const { return saved_; }

 private:
  notation::syntax::Expression norm_squared(int tensor);
  notation::syntax::Expression square(int tensor, std::vector<notation::syntax::Item>& before);
  std::map<std::string, std::string> save_blocks(const notation::ProgramStatement& statement,
                                                 std::vector<notation::syntax::Item>& items);
  const std::string& saved_name(int tensor, const Pattern& block);
  const std::vector<Term>& scalar_terms(const notation::ProgramStatement& statement) const;

  const SpinTensors& spins_;
  const Blocks& blocks_;
  SpinNames& names_;
  std::set<int> set_;  // tensors that a statement has set
  std::vector<SavedBlock> saved_;
};

}  // namespace ricci::spin
