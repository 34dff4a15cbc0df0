#pragma once
// A plan decides and prints; running it does what it says.
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <ricci/expression.hpp>
#include <ricci/options.hpp>

namespace ricci {

namespace detail {
struct PlanState;
}

/// What something costs one rank.
struct Cost {
  double flops = 0;                 ///< multiplications and additions; a complex multiply-add counts 8
  std::int64_t bytes = 0;           ///< read from and written to tensors and temporaries
  std::int64_t peak_bytes = 0;      ///< temporaries and buffers alive at once, besides the statement's own tensors
  std::int64_t network_bytes = 0;   ///< sent to other ranks
  std::int64_t received_bytes = 0;  ///< from other ranks
  double seconds = 0;
};

/// One line of a report: predicted and measured.
struct ReportLine {
  std::string what;
  Cost predicted;
  Cost measured;
};

/// Prints as a table: a line for each node and the total, with the bytes that this rank was to send and has sent.
class Report {
 public:
  std::vector<ReportLine> lines;
  Cost predicted() const;
  Cost measured() const;
};

class Plan {
 public:
  /// Runs it once on the tensors that the statements refer to. Collective.
  Report run() const;
  /// The sum over all nodes; peak_bytes is the greatest.
  Cost cost() const;
  /// What printing gives.
  std::string explain() const;
  /// The same for programs: one object a statement, with its nodes.
  std::string json() const;

  explicit Plan(std::shared_ptr<const detail::PlanState> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const detail::PlanState> state_;
};

std::ostream& operator<<(std::ostream&, const Plan&);
std::ostream& operator<<(std::ostream&, const Report&);

/// Decides how to run a statement, or a sequence of them; runs nothing. InputError for what the shapes forbid,
/// ResourceError where the memory limit does not allow it.
Plan plan(const Statement& statement, const Options& options);
Plan plan(const std::vector<Statement>& statements, const Options& options);
/// The same with the options of the output's world.
Plan plan(const Statement& statement);
Plan plan(const std::vector<Statement>& statements);
inline Plan plan(std::initializer_list<Statement> statements) { return plan(std::vector<Statement>(statements)); }
inline Plan plan(std::initializer_list<Statement> statements, const Options& options) {
  return plan(std::vector<Statement>(statements), options);
}

}  // namespace ricci
