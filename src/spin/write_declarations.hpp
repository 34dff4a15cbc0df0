#pragma once
// Declarations of spaces, indices and tensors over spin orbitals as those over alpha and beta.
#include <vector>

#include "notation/syntax.hpp"
#include "spin/spin_names.hpp"
#include "spin/write_statement.hpp"

namespace ricci::spin {

class DeclarationWriter {
 public:
  DeclarationWriter(const SpinTensors& spins, const Blocks& blocks, SpinNames& names)
      : spins_(spins), blocks_(blocks), names_(names) {}

  /// The blocks of a tensor, and what is saved of them; nothing for other items.
  std::vector<notation::syntax::Item> tensors(const notation::syntax::Item& item,
                                              const std::vector<SavedBlock>& saved) const;
  /// Two of each with spin; indices that nothing has used so far are left out. Nothing for other items.
  std::vector<notation::syntax::Item> spaces_and_indices(const notation::syntax::Item& item) const;
  /// A size in which a space of spin orbitals is the sum of its two parts.
  notation::syntax::Expression size(const notation::syntax::Expression& expression) const;

 private:
  notation::syntax::TensorDeclaration block_of(const notation::syntax::TensorDeclaration& tensor, int number,
                                               const Pattern& block) const;
  std::vector<notation::syntax::Attribute> attributes(const notation::syntax::TensorDeclaration& tensor,
                                                      const Pattern& block,
                                                      const std::vector<notation::syntax::Name>& labels) const;
  std::vector<notation::syntax::Item> indices(const notation::syntax::IndexDeclaration& index) const;

  const SpinTensors& spins_;
  const Blocks& blocks_;
  SpinNames& names_;
};

}  // namespace ricci::spin
