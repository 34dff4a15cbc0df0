#pragma once
// What the processor does with bytes that go to disk or come from there.
#include <ricci/machine.hpp>

namespace ricci::program {

/// Seconds a byte: checksums, pinned pages, norms, and copies that caches do not hold. Measured as five copies.
inline double handling(const MachineModel& machine) { return 5 / machine.copy_bandwidth; }

}  // namespace ricci::program
