#pragma once
#include <ricci/machine.hpp>

namespace ricci::planning {

/// Links of 1 byte a second; a message takes 10 seconds and 100 a link.
inline MachineModel slow_torus(int dimensions) {
  MachineModel machine;
  machine.network_latency = 10;
  machine.network_bandwidth = 1;
  machine.torus_dimensions = dimensions;
  machine.hop_latency = 100;
  return machine;
}

}  // namespace ricci::planning
