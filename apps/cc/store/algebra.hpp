#pragma once
// Sums and products of tensors that may be on disk.
#include <string>
#include <vector>

#include "store/store.hpp"

namespace cc {

/// A tensor, and what it is multiplied by.
struct Scaled {
  double factor = 1;
  Held* tensor = nullptr;
};

/// `out` becomes the sum; all of one shape, and none of them is `out`. Collective, as are all.
void assign_sum(const Store& store, Held& out, const std::vector<Scaled>& terms);

/// The scalar product with each of them, unpacked.
std::vector<double> dots(const Store& store, Held& one, const std::vector<Held*>& others);

/// What has been saved with this shape.
void load(const Store& store, Held& out, const std::string& where);

/// The declaration of a tensor in a program: `input A[x,y] symmetric(x,y)`. Labels: one a mode.
std::string declaration(const std::string& role, const std::string& name, const std::vector<std::string>& labels,
                        const ricci::Symmetry& symmetry);

}  // namespace cc
