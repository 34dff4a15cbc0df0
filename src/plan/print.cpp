#include "plan/print.hpp"

#include <ostream>
#include <sstream>

#include <fmt/format.h>

namespace ricci::planning {

namespace {

std::string use_text(const LocalPlan& plan, const Use& use) {
  if (use.slot == Use::one) return "1";
  const std::string name = use.slot == 0                 ? "out"
                           : plan.is_temporary(use.slot) ? fmt::format("tmp{}", use.slot - plan.first_temporary + 1)
                                                         : fmt::format("op{}", use.slot);
  const std::string text = fmt::format("{}[{}]", name, notation::labels_text(plan.statement, use.labels));
  return use.conjugate ? "conj(" + text + ")" : text;
}

std::string shape_text(const symmetry::Shape& shape) {
  std::ostringstream out;
  out << shape;
  return out.str();
}

}  // namespace

std::string amount(double value, const char* unit) {
  const char* prefix[] = {"", "k", "M", "G", "T", "P"};
  int p = 0;
  while (value >= 1000 && p < 5) value /= 1000, ++p;
  return fmt::format("{:.4g} {}{}", value, prefix[p], unit);
}

std::string describe(const LocalPlan& plan, const Node& node) {
  if (node.kind == NodeKind::clear) return fmt::format("{} = 0", use_text(plan, node.out));
  std::string text = fmt::format("{} {} ", use_text(plan, node.out), node.accumulate ? "+=" : "=");
  if (node.term >= 0) text += fmt::format("c{} * ", node.term + 1);
  text += use_text(plan, node.a);
  if (node.b.slot != Use::none) text += " * " + use_text(plan, node.b);
  return text;
}

void print_slots(std::ostream& out, const LocalPlan& plan) {
  for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
    const std::string name = slot == 0 ? "out"
                             : plan.is_temporary(static_cast<int>(slot))
                                 ? fmt::format("tmp{}", slot - plan.first_temporary + 1)
                                 : fmt::format("op{}", slot);
    out << fmt::format("  {:<5} {}  ({} stored, {})\n", name, shape_text(*plan.slots[slot]),
                       plan.slots[slot]->stored_size(),
                       amount(static_cast<double>(plan.slot_bytes(static_cast<int>(slot))), "B"));
  }
}

void print_node(std::ostream& out, const LocalPlan& plan, int number) {
  const Node& node = plan.nodes[number];
  const char* kind = node.kind == NodeKind::clear ? "clear" : node.kind == NodeKind::map ? "map" : "contract";
  out << fmt::format("  {:>2}. {:<9} {}\n", number + 1, kind, describe(plan, node));
  if (!node.folding.empty()) out << fmt::format("                folded: {}\n", node.folding);
}

std::ostream& operator<<(std::ostream& out, const LocalPlan& plan) {
  out << fmt::format("plan: {} term{}, {}, on each rank\n", plan.statement.terms.size(),
                     plan.statement.terms.size() == 1 ? "" : "s", name_of(plan.statement.type));
  print_slots(out, plan);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const Node& node = plan.nodes[n];
    print_node(out, plan, static_cast<int>(n));
    out << fmt::format("                {}, {}, temporaries {}, {:.3g} s\n", amount(node.cost.flops, "flop"),
                       amount(static_cast<double>(node.cost.bytes), "B"),
                       amount(static_cast<double>(node.cost.peak_bytes), "B"), node.cost.seconds);
  }
  out << fmt::format("  total: {}, {}, temporaries {}, {:.3g} s\n", amount(plan.cost.flops, "flop"),
                     amount(static_cast<double>(plan.cost.bytes), "B"),
                     amount(static_cast<double>(plan.cost.peak_bytes), "B"), plan.cost.seconds);
  return out;
}

}  // namespace ricci::planning
