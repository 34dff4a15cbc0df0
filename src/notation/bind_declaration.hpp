#pragma once
// Declarations into the labels and tensors of a program.
#include "notation/binding.hpp"

namespace ricci::notation {

// What has an error is added nevertheless, marked as broken, so that its uses are not reported, too.
void bind_space(Binding& binding, const syntax::SpaceDeclaration& space);
void bind_index(Binding& binding, const syntax::IndexDeclaration& index);
void bind_tensor(Binding& binding, const syntax::TensorDeclaration& tensor);

/// The shape over labels that are all known. Reports at `where` what no tensor can have, such as sizes beyond 64 bits.
std::optional<symmetry::Shape> make_shape(Binding& binding, const std::vector<int>& labels, const Symmetry& symmetry,
                                          Where where);

}  // namespace ricci::notation
