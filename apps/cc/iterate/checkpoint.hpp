#pragma once
// Amplitudes in a file, from which any number of ranks can go on.
#include <map>
#include <string>
#include <vector>

#include "iterate/diis.hpp"
#include "iterate/solve.hpp"

namespace cc {

class Checkpoint {
 public:
  /// Makes the folder. InputError where that fails. Collective, as all calls.
  Checkpoint(const Store& store, std::string folder);

  /// The amplitudes of the next iteration, and what DIIS remembers of this one, in files of their own. Each is there as
  /// a whole or not at all, whenever the machine stops; those that nobody wants any more are removed.
  void keep(int iteration, const Tensors& given, const std::vector<Unknown>& unknowns, Diis& diis) const;

  /// Fills the amplitudes and what DIIS has remembered, so that iterations go on as they would have, and tells after
  /// which one they were kept. InputError where there is no checkpoint, or one of other amplitudes.
  int restore(Tensors& given, const std::vector<Unknown>& unknowns, Diis& diis) const;

 private:
  std::string history_file(int iteration) const;
  /// To a file of that name, all or nothing.
  void save(const std::string& file, const std::map<std::string, const Held*>& tensors) const;

  const Store& store_;
  std::string folder_;
};

}  // namespace cc
