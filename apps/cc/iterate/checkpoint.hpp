#pragma once
// Amplitudes in a file, from which any number of ranks can go on.
#include <optional>
#include <string>
#include <vector>

#include "iterate/solve.hpp"

namespace cc {

class Checkpoint {
 public:
  /// Makes the folder. InputError where that fails. Collective, as all calls.
  explicit Checkpoint(std::string folder);

  /// The file is there as a whole or not at all, whenever the machine stops; the one before is replaced.
  void keep(int iteration, const Tensors& given, const std::vector<Unknown>& unknowns) const;

  /// Fills the amplitudes, and tells after which iteration they were kept. InputError where there is no checkpoint, or
  /// one of other amplitudes.
  int restore(Tensors& given, const std::vector<Unknown>& unknowns) const;

 private:
  std::string folder_;
};

}  // namespace cc
