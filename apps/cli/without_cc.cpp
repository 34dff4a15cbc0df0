// Where apps/cc is not built (simulated ranks), there is no such verb.
#include "verbs.hpp"

namespace cli {

void add_cc(const CommandLine&) {}

}  // namespace cli
