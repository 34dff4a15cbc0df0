// A distributed plan for people.
#include <ostream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "plan/classify.hpp"
#include "plan/distributed_plan.hpp"
#include "plan/print.hpp"

namespace ricci::planning {

namespace {

/// `a:g0/2 b:* on 2x2`, with the labels of the statement.
std::string blocks_text(const DistributedPlan& plan, const std::vector<int>& labels, const Layout& blocks) {
  std::string text;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    text += plan.local.statement.label_names[labels[l]] + ':';
    std::string dims;
    for (int dim : blocks.mapping()[l]) dims += fmt::format("{}g{}", dims.empty() ? "" : "+", dim);
    text += dims.empty() ? "*" : dims;
    if (blocks.tiles()[l] > 1) text += fmt::format("/{}", blocks.tiles()[l]);
    text += ' ';
  }
  std::ostringstream grid;
  grid << blocks.grid();
  return text + "on " + grid.str();
}

/// `op2`, as the slots are listed.
std::string slot_text(int slot) { return slot == 0 ? "out" : fmt::format("op{}", slot); }

const std::vector<int>& labels_of_slot(const DistributedPlan& plan, int slot) {
  if (slot == 0) return plan.local.statement.output.labels;
  int at = 0;
  for (const auto& term : plan.local.statement.terms) {
    for (const auto& factor : term) {
      if (++at == slot) return factor.labels;
    }
  }
  return plan.local.statement.output.labels;
}

/// How tiles and partial sums go from rank to rank, where they do.
std::string relays_text(const Node& node, const Spread& spread) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (int x : {0, 1}) {
    const std::string name = slot_text(x == 0 ? node.a.slot : node.b.slot);
    const Relay& relay = spread.fetch[x];
    if (relay.way == Relay::Way::tree) add(name + " comes down trees");
    if (relay.way == Relay::Way::chain) add(fmt::format("{} comes along chains in {} pieces", name, relay.pieces));
  }
  if (spread.sums == Relay::Way::tree) add("partial sums go up trees");
  return text;
}

std::string classes_text(const DistributedPlan& plan, const SpreadNode& node) {
  std::string text;
  for (int label : node.spread.labels) {
    if (!text.empty()) text += ' ';
    text +=
        fmt::format("{}:{}", plan.local.statement.label_names[label], class_of_label(node.problem, node.spread, label));
  }
  return text;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const DistributedPlan& plan) {
  const double size = static_cast<double>(element_size(plan.local.statement.type));
  out << fmt::format("plan: {} term{}, {}, on {} ranks\n", plan.local.statement.terms.size(),
                     plan.local.statement.terms.size() == 1 ? "" : "s", name_of(plan.local.statement.type), plan.ranks);
  print_slots(out, plan.local);
  double words = 0, seconds = 0;
  for (const TensorMove& move : plan.moves) {
    out << fmt::format("      move      {} to {}: a rank receives {}, {:.3g} s\n", slot_text(move.slot),
                       blocks_text(plan, labels_of_slot(plan, move.slot), plan.layouts[move.slot]),
                       amount(static_cast<double>(move.cost.words), "words"), move.cost.seconds);
    words += static_cast<double>(move.cost.words);
    seconds += move.cost.seconds;
  }
  bool first_of_output = true;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const Node& local = plan.local.nodes[n];
    const auto& [problem, spread] = plan.nodes[n];
    print_node(out, plan.local, static_cast<int>(n));
    if (local.kind == NodeKind::clear) continue;
    out << fmt::format("                blocks: {}  ({})\n", blocks_text(plan, spread.labels, spread.blocks),
                       name_of_algorithm(problem, spread));
    out << fmt::format("                labels: {}\n", classes_text(plan, plan.nodes[n]));
    const bool comes_there = local.out.slot == 0 && std::exchange(first_of_output, false) &&
                             output_is_only_written(plan.local) && !(plan.before[0] == spread.c);
    if (comes_there || !problem.c.layout || !(*problem.c.layout == spread.c)) {
      out << fmt::format("                output made as {}{}\n", blocks_text(plan, problem.c.labels, spread.c),
                         problem.c.layout && problem.c.stays ? ", then moved back" : "");
    }
    if (const std::string relays = relays_text(local, spread); !relays.empty()) {
      out << fmt::format("                {}\n", relays);
    }
    out << fmt::format("                a rank: {}, receives {} ({}) in {} messages, {:.3g} s\n",
                       amount(spread.products * problem.flops_per_product, "flop"),
                       amount(static_cast<double>(spread.words), "words"),
                       amount(static_cast<double>(spread.words) * size, "B"), spread.messages, spread.seconds);
    out << fmt::format("                {} phase{}{}, buffers of {}\n", spread.phases, spread.phases == 1 ? "" : "s",
                       spread.lean ? ", lean" : "", amount(static_cast<double>(spread.buffers) * size, "B"));
    if (problem.b.shape) {
      out << fmt::format("                at least {} for full operands and unlimited memory\n",
                         amount(lower_bound_words(problem), "words"));
    }
    for (const Rival& rival : spread.rivals) {
      out << fmt::format("                rival: {}  ({}), {}, {:.3g} s: {:.2f} times as long\n",
                         blocks_text(plan, spread.labels, rival.blocks), rival.name,
                         amount(static_cast<double>(rival.words), "words"), rival.seconds,
                         rival.seconds / (spread.before + spread.seconds));
    }
    words += static_cast<double>(spread.words);
    seconds += spread.seconds;
  }
  return out << fmt::format("  total: {} on all ranks, a rank receives {}, {:.3g} s\n",
                            amount(plan.local.cost.flops, "flop"), amount(words * size, "B"), seconds);
}

}  // namespace ricci::planning
