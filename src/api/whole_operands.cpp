#include "api/whole_operands.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace ricci::detail {

namespace {

/// The factors of all terms, then the output.
template <class F>
void for_each_operand(const StatementView& statement, F f) {
  for (const Term& term : statement.right.terms()) {
    for (const Factor& factor : term.factors) f(factor);
  }
  f(statement.output);
}

}  // namespace

std::string Gathering::describe() const { return fmt::format("gather [{}] on every rank", labels); }

bool all_whole(const StatementView& statement) {
  bool all = true;
  for_each_operand(statement, [&](const Factor& factor) { all = all && factor.tensor->placement->is_whole(); });
  return all;
}

std::vector<Gathering> gatherings(const StatementView& statement) {
  std::vector<Gathering> result;
  for_each_operand(statement, [&](const Factor& factor) {
    const TensorState* const tensor = factor.tensor.get();
    const bool known =
        std::any_of(result.begin(), result.end(), [&](const Gathering& g) { return g.tensor == tensor; });
    const bool only_written = &factor == &statement.output && statement.kind == Statement::Kind::assign;
    if (known || only_written || tensor->placement->is_whole()) return;
    result.push_back({tensor, factor.labels, WholeTensor::bytes_to_send(*tensor)});
  });
  return result;
}

WholeOperands::WholeOperands(const StatementView& statement, Report* report) : output_(*statement.output.tensor) {
  for (const Gathering& gathering : gatherings(statement)) {
    const comm::Communicator& communicator = communicator_of(*gathering.tensor);
    const std::int64_t before = communicator.traffic().bytes;
    const auto start = std::chrono::steady_clock::now();
    tensors_.push_back({gathering.tensor, WholeTensor(*gathering.tensor)});
    if (!report) continue;
    ReportLine line;
    line.what = gathering.describe();
    line.predicted.network_bytes = gathering.bytes_sent;
    line.measured.network_bytes = communicator.traffic().bytes - before;
    line.measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report->lines.push_back(std::move(line));
  }
  // What is whole already, and an output that is only written.
  for_each_operand(statement, [&](const Factor& factor) {
    if (!find(*factor.tensor)) tensors_.push_back({factor.tensor.get(), WholeTensor::room_for(*factor.tensor)});
  });
}

const WholeTensor* WholeOperands::find(const TensorState& state) const {
  const auto entry = std::find_if(tensors_.begin(), tensors_.end(), [&](const Entry& e) { return e.state == &state; });
  return entry == tensors_.end() ? nullptr : &entry->whole;
}

}  // namespace ricci::detail
