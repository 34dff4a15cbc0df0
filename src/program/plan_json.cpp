#include "program/plan_json.hpp"

#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "program/disk_space.hpp"

namespace ricci::program {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const DiskBytes& bytes) { return {{"read_bytes", bytes.read}, {"written_bytes", bytes.written}}; }

Json arrays_of(const ProgramPlan& plan) {
  Json arrays = Json::array();
  for (std::size_t a = 0; a < plan.formula.arrays.size(); ++a) {
    const compile::Array& array = plan.formula.arrays[a];
    std::ostringstream symmetry;
    symmetry << array.shape->symmetry();
    arrays.push_back({{"name", array.name},
                      {"type", std::string(name_of(array.type))},
                      {"extents", std::vector<std::int64_t>(array.shape->extents())},
                      {"symmetry", symmetry.str()},
                      {"stored_elements", array.shape->stored_size()},
                      {"home", name_of(plan.homes[a])}});
  }
  return arrays;
}

Json operations_of(const ProgramPlan& plan, const std::vector<PlannedOperation>& operations) {
  Json all = Json::array();
  for (const PlannedOperation& planned : operations) {
    Json one{{"text", planned.text}};
    if (planned.operation->kind == compile::Operation::Kind::repeat) {
      one["passes"] = compile::guessed_passes(*planned.operation);
      one["body"] = operations_of(plan, planned.body);
    } else if (planned.operation->writes()) {
      one["done"] = planned.loops ? "in loops" : planned.blocks ? "block by block" : "in memory";
      one["disk"] = to_json(plan.traffic(planned, 0));
    }
    if (planned.blocks) {
      Json& tiles = one["tiles"] = Json::object();
      for (std::size_t l = 0; l < plan.formula.labels.size(); ++l) {
        const std::int64_t tile = planned.blocks->operation.tile[l];
        if (tile < plan.formula.labels[l].extent) tiles[plan.formula.labels[l].name] = tile;
      }
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::string to_json(const ProgramPlan& plan) {
  Json json{{"program", plan.program.name},
            {"ranks", plan.ranks},
            {"memory_limit", plan.options.memory_limit},
            {"peak_bytes", plan.peak_bytes},
            {"seconds", plan.seconds},
            {"flops_as_written", compile::effort(plan.written).flops},
            {"flops", compile::effort(plan.formula).flops},
            {"scratch_bytes", scratch_bytes(plan, 0).most},
            {"arrays", arrays_of(plan)},
            {"operations", operations_of(plan, plan.operations)},
            {"outputs", to_json(plan.output_bytes(0))}};
  return json.dump(2);
}

}  // namespace ricci::program
