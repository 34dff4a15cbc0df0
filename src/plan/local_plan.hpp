#pragma once
// The plan of one statement as data: nodes in order, on numbered slots. It prints; the executor runs it as it stands.
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include <ricci/machine.hpp>
#include <ricci/plan.hpp>

#include "notation/bound_statement.hpp"
#include "symmetry/fold.hpp"

namespace ricci::planning {

/// A tensor used by a node. Slot 0 is the output, then come the factors of all terms in order, then temporaries.
struct Use {
  static constexpr int none = -1;
  static constexpr int one = -2;  // the number 1, of order 0

  int slot = none;
  std::vector<int> labels;
  bool conjugate = false;
};

enum class NodeKind {
  clear,     // out = 0
  map,       // out (+)= coefficient · Σ a, or · Σ a · b element by element
  contract,  // out (+)= coefficient · Σ a · b by matrix products
};

struct Node {
  NodeKind kind = NodeKind::clear;
  Use out, a, b;
  int term = -1;  // whose coefficient multiplies; -1: none
  bool accumulate = true;
  double products = 0;  // multiply-adds that are really done
  std::string folding;  // how the symmetries are used, for people
  Cost cost;
};

struct LocalPlan {
  notation::BoundStatement statement;
  std::vector<notation::ShapePointer> slots;
  int first_temporary = 0;  // slots from here on are temporaries
  std::vector<Node> nodes;
  Cost cost;

  bool is_temporary(int slot) const { return slot >= first_temporary; }
  std::int64_t slot_bytes(int slot) const;
};

/// Products without a sum are done element by element, and so are dot products.
bool wants_matrix_product(const symmetry::Fold& fold);

/// Decides how to run a statement on one rank. Pure: no data, no MPI.
LocalPlan plan_statement(notation::BoundStatement statement, const MachineModel& machine, const Options& options);

/// InternalError where a plan contradicts itself: slots out of range, temporaries read before they are written,
/// labels that do not fit their shapes, an output that is not cleared or overwritten first where it must be.
void verify(const LocalPlan& plan);

std::ostream& operator<<(std::ostream&, const LocalPlan&);
std::string describe(const LocalPlan& plan, const Node& node);

}  // namespace ricci::planning
