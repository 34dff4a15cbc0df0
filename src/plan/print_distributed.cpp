// A distributed plan for people.
#include <ostream>
#include <sstream>

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

std::string layout_text(const DistributedPlan& plan, const PlacedTensor& tensor, const Layout& layout) {
  return blocks_text(plan, tensor.labels, layout);
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
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const Node& local = plan.local.nodes[n];
    const auto& [problem, spread] = plan.nodes[n];
    print_node(out, plan.local, static_cast<int>(n));
    if (local.kind == NodeKind::clear) continue;
    out << fmt::format("                blocks: {}  ({})\n", blocks_text(plan, spread.labels, spread.blocks),
                       name_of_algorithm(problem, spread));
    out << fmt::format("                labels: {}\n", classes_text(plan, plan.nodes[n]));
    if (!problem.c.layout || !(*problem.c.layout == spread.c)) {
      out << fmt::format("                output made as {}{}\n", layout_text(plan, problem.c, spread.c),
                         problem.c.layout && problem.c.stays ? ", then moved back" : "");
    }
    out << fmt::format("                a rank: {}, receives {} ({}) in {} messages, {:.3g} s\n",
                       amount(spread.products * problem.flops_per_product, "flop"),
                       amount(static_cast<double>(spread.words), "words"),
                       amount(static_cast<double>(spread.words) * size, "B"), spread.messages, spread.seconds);
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
