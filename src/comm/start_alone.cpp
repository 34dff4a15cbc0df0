#include "comm/start_alone.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace ricci::comm {

namespace {

/// One of them is there in every process that mpirun or a batch system has started as a rank.
constexpr const char* told_by_launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK",   "PMI_RANK",    "PMI_FD",
                                             "SLURM_PROCID",         "PALS_RANKID", "ALPS_APP_PE", "FLUX_TASK_RANK",
                                             "JSM_NAMESPACE_RANK",   "LSB_JOBINDEX"};

/// No helper that could start more processes; no networks to be looked for.
constexpr std::pair<const char*, const char*> settings[] = {
    {"OMPI_MCA_ess_singleton_isolated", "1"}, {"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_btl", "self"}};

}  // namespace

StartAlone::StartAlone() {
  if (std::any_of(std::begin(told_by_launchers), std::end(told_by_launchers),
                  [](const char* name) { return std::getenv(name) != nullptr; }))
    return;
  for (const auto& [name, value] : settings) {
    if (std::getenv(name) != nullptr) continue;
    setenv(name, value, 1);
    set_.push_back(name);
  }
}

StartAlone::~StartAlone() {
  for (const char* name : set_) unsetenv(name);
}

}  // namespace ricci::comm
