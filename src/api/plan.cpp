#include <algorithm>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/error.hpp>
#include <ricci/plan.hpp>

#include "api/memory_need.hpp"
#include "api/sequence.hpp"
#include "api/tensor_state.hpp"

namespace ricci {

namespace detail {

struct PlanState {
  Options options;
  std::vector<Statement> statements;
  std::vector<std::shared_ptr<const PreparedStatement>> prepared;
};

}  // namespace detail

namespace {

detail::StatementView view(const Statement& statement) { return {statement.output, statement.kind, statement.right}; }

void add(Cost& total, const Cost& cost) {
  total.flops += cost.flops;
  total.bytes += cost.bytes;
  total.peak_bytes = std::max(total.peak_bytes, cost.peak_bytes);
  total.network_bytes += cost.network_bytes;
  total.received_bytes += cost.received_bytes;
  total.seconds += cost.seconds;
}

}  // namespace

Plan plan(const std::vector<Statement>& statements, const Options& options) {
  auto state = std::make_shared<detail::PlanState>();
  state->options = options;
  state->statements = statements;
  std::vector<detail::StatementView> views;
  for (const Statement& statement : state->statements) {
    if (!statement.output.tensor) throw InputError("a statement without an output cannot be planned");
    views.push_back(view(statement));
  }
  state->prepared = detail::prepare(views, options);
  return Plan(std::move(state));
}

Plan plan(const Statement& statement, const Options& options) {
  return plan(std::vector<Statement>{statement}, options);
}

Plan plan(const std::vector<Statement>& statements) {
  const bool known = !statements.empty() && statements[0].output.tensor && statements[0].output.tensor->shape;
  return plan(statements, known ? statements[0].output.tensor->world.options() : Options{});
}

Plan plan(const Statement& statement) { return plan(std::vector<Statement>{statement}); }

Report Plan::run() const {
  // A sequence is refused as a whole, before its first statement changes anything.
  std::vector<detail::StatementView> views;
  for (std::size_t i = 0; i < state_->statements.size(); ++i) {
    views.push_back(view(state_->statements[i]));
    state_->prepared[i]->check_ready(views.back());
  }
  detail::check_memory(views, state_->prepared, state_->options);
  Report report;
  for (std::size_t i = 0; i < state_->statements.size(); ++i) {
    state_->prepared[i]->run(views[i], state_->options, &report);
  }
  return report;
}

Cost Plan::cost() const {
  Cost total;
  for (const auto& prepared : state_->prepared) add(total, prepared->cost(state_->options));
  return total;
}

std::string Plan::explain() const {
  std::ostringstream out;
  for (std::size_t i = 0; i < state_->statements.size(); ++i) {
    out << state_->statements[i] << '\n';
    state_->prepared[i]->print(out);
    out << fmt::format("  peak: {} bytes on this rank, besides the tensors\n",
                       state_->prepared[i]->cost(state_->options).peak_bytes);
  }
  return out.str();
}

std::string Plan::json() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < state_->statements.size(); ++i) {
    std::ostringstream text;
    text << state_->statements[i];
    nlohmann::ordered_json plan = state_->prepared[i]->json();
    plan["statement"] = text.str();
    all.push_back(std::move(plan));
  }
  return all.dump(2);
}

std::ostream& operator<<(std::ostream& out, const Plan& plan) { return out << plan.explain(); }

Cost Report::predicted() const {
  Cost total;
  for (const ReportLine& line : lines) add(total, line.predicted);
  return total;
}

Cost Report::measured() const {
  Cost total;
  for (const ReportLine& line : lines) add(total, line.measured);
  return total;
}

std::ostream& operator<<(std::ostream& out, const Report& report) {
  out << fmt::format("{:<52} {:>11} {:>11} {:>11} {:>13} {:>13}\n", "node", "flop", "predicted s", "measured s",
                     "bytes to send", "bytes sent");
  const auto print = [&](const std::string& what, const Cost& predicted, const Cost& measured) {
    out << fmt::format("{:<52} {:>11.4g} {:>11.3g} {:>11.3g} {:>13} {:>13}\n", what, predicted.flops, predicted.seconds,
                       measured.seconds, predicted.network_bytes, measured.network_bytes);
  };
  for (const ReportLine& line : report.lines) print(line.what, line.predicted, line.measured);
  print("total", report.predicted(), report.measured());
  return out;
}

}  // namespace ricci
