#pragma once
// Plans for programs.
#include <nlohmann/json_fwd.hpp>

#include "plan/distributed_plan.hpp"

namespace ricci::planning {

nlohmann::ordered_json to_json(const LocalPlan& plan);
nlohmann::ordered_json to_json(const DistributedPlan& plan);

}  // namespace ricci::planning
