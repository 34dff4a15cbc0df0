#pragma once
#include <ricci/world.hpp>

namespace ricci {

/// The one world of a test program: tensors of one statement belong together.
inline const World& shared_world() {
  static const World world;
  return world;
}

}  // namespace ricci
