#include "plan/json.hpp"

#include <sstream>

#include <nlohmann/json.hpp>

#include "plan/classify.hpp"

namespace ricci::planning {

using nlohmann::ordered_json;

namespace {

template <class T>
std::string text_of(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

ordered_json node_of(const LocalPlan& plan, const Node& node) {
  const char* const kind = node.kind == NodeKind::clear ? "clear" : node.kind == NodeKind::map ? "map" : "contract";
  ordered_json json{{"kind", kind}, {"statement", describe(plan, node)}, {"flops", node.cost.flops}};
  if (!node.folding.empty()) json["folded"] = node.folding;
  return json;
}

ordered_json tensors_of(const LocalPlan& plan) {
  ordered_json tensors = ordered_json::array();
  for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
    tensors.push_back({{"shape", text_of(*plan.slots[slot])},
                       {"stored", plan.slots[slot]->stored_size()},
                       {"temporary", plan.is_temporary(static_cast<int>(slot))}});
  }
  return tensors;
}

/// Where each label goes, by name.
ordered_json blocks_of(const DistributedPlan& plan, const std::vector<int>& labels, const Layout& blocks) {
  ordered_json json = ordered_json::object();
  for (std::size_t l = 0; l < labels.size(); ++l) {
    json[plan.local.statement.label_names[labels[l]]] = {{"grid", blocks.mapping()[l]}, {"tiles", blocks.tiles()[l]}};
  }
  return json;
}

ordered_json relay_of(const Relay& relay) {
  constexpr const char* names[] = {"direct", "tree", "chain"};
  return {{"way", names[static_cast<int>(relay.way)]}, {"pieces", relay.pieces}};
}

ordered_json spread_of(const DistributedPlan& plan, const SpreadNode& node) {
  const auto& [problem, spread] = node;
  ordered_json classes = ordered_json::object();
  for (int label : spread.labels) {
    classes[plan.local.statement.label_names[label]] = class_of_label(problem, spread, label);
  }
  ordered_json rivals = ordered_json::array();
  for (const Rival& rival : spread.rivals) {
    rivals.push_back({{"grid", rival.blocks.grid().extents()},
                      {"blocks", blocks_of(plan, spread.labels, rival.blocks)},
                      {"algorithm", rival.name},
                      {"words", rival.words},
                      {"seconds", rival.seconds}});
  }
  return {{"grid", spread.blocks.grid().extents()},
          {"blocks", blocks_of(plan, spread.labels, spread.blocks)},
          {"algorithm", name_of_algorithm(problem, spread)},
          {"classes", classes},
          {"phases", spread.phases},
          {"lean", spread.lean},
          {"relays",
           {{"a", relay_of(spread.fetch[0])}, {"b", relay_of(spread.fetch[1])}, {"sums", relay_of({spread.sums, 1})}}},
          {"output", text_of(spread.c)},
          {"words", spread.words},
          {"messages", spread.messages},
          {"flops", spread.products * problem.flops_per_product},
          {"buffers", spread.buffers},
          {"seconds", spread.seconds},
          {"lower_bound_words", lower_bound_words(problem)},
          {"rivals", rivals}};
}

}  // namespace

ordered_json to_json(const LocalPlan& plan) {
  ordered_json nodes = ordered_json::array();
  for (const Node& node : plan.nodes) {
    ordered_json json = node_of(plan, node);
    json["bytes"] = node.cost.bytes;
    json["temporaries"] = node.cost.peak_bytes;
    json["seconds"] = node.cost.seconds;
    nodes.push_back(std::move(json));
  }
  return {{"type", name_of(plan.statement.type)}, {"ranks", 1}, {"tensors", tensors_of(plan)}, {"nodes", nodes}};
}

ordered_json to_json(const DistributedPlan& plan) {
  ordered_json nodes = ordered_json::array();
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const Node& node = plan.local.nodes[n];
    ordered_json json = node_of(plan.local, node);
    if (node.kind != NodeKind::clear) json["spread"] = spread_of(plan, plan.nodes[n]);
    nodes.push_back(std::move(json));
  }
  ordered_json moves = ordered_json::array();
  for (const TensorMove& move : plan.moves) {
    moves.push_back({{"tensor", move.slot},
                     {"from", text_of(plan.before[move.slot])},
                     {"to", text_of(plan.layouts[move.slot])},
                     {"words", move.cost.words},
                     {"seconds", move.cost.seconds}});
  }
  return {{"type", name_of(plan.local.statement.type)},
          {"ranks", plan.ranks},
          {"tensors", tensors_of(plan.local)},
          {"moves", moves},
          {"nodes", nodes}};
}

}  // namespace ricci::planning
