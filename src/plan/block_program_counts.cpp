// What a program comes to: work, messages, memory.
#include <algorithm>

#include "plan/block_program.hpp"

namespace ricci::planning {

bool Phase::passes_on() const {
  const auto any = [](const std::vector<TileMessage>& messages) {
    return std::any_of(messages.begin(), messages.end(),
                       [](const TileMessage& message) { return !message.passed_on.empty(); });
  };
  return any(sends[0]) || any(sends[1]);
}

std::int64_t Phase::elements_sent() const {
  std::int64_t sum = 0;
  for (const auto& messages : sends) {
    for (const TileMessage& message : messages) sum += message.size;
  }
  for (const auto& moves : cut_anew) {
    if (moves) sum += moves->total_sent();
  }
  return sum;
}

std::int64_t Phase::elements_received() const {
  std::int64_t sum = 0;
  for (int x : {0, 1}) sum += cut_anew[x] ? cut_anew[x]->total_received() : fetched[x];
  return sum;
}

double BlockProgram::products(const Phase& phase) const {
  double sum = 0;
  for (const TileOperation& operation : phase.operations) sum += operations[operation.operation].products;
  return sum;
}

double BlockProgram::products() const {
  double sum = 0;
  for (const Phase& phase : phases) sum += products(phase);
  return sum;
}

std::int64_t BlockProgram::partials_sent() const {
  std::int64_t sum = 0;
  for (const TileMessage& message : partials_to) sum += message.size;
  return sum;
}

std::int64_t BlockProgram::elements_sent() const {
  std::int64_t sum = partials_sent();
  for (const Phase& phase : phases) sum += phase.elements_sent();
  return sum;
}

std::int64_t BlockProgram::elements_received() const {
  std::int64_t sum = partials_received;
  for (const Phase& phase : phases) sum += phase.elements_received();
  return sum;
}

std::int64_t BlockProgram::messages_sent() const {
  std::size_t sum = partials_to.size();
  for (const Phase& phase : phases) {
    for (int x : {0, 1}) {
      sum += phase.sends[x].size();
      if (!phase.cut_anew[x]) continue;
      for (const layout::Round& round : phase.cut_anew[x]->sends().rounds) sum += round.messages.size();
    }
  }
  return static_cast<std::int64_t>(sum);
}

namespace {

std::int64_t bytes_of(const std::vector<TileMessage>& messages) {
  std::size_t sum = messages.size() * sizeof(TileMessage);
  for (const TileMessage& message : messages) {
    sum += (message.ranges.size() + message.passed_on.size() + message.forwarded.size()) * sizeof(Range);
  }
  return static_cast<std::int64_t>(sum);
}

}  // namespace

std::int64_t Phase::table_bytes() const {
  auto sum = static_cast<std::int64_t>(sizeof(Phase) + operations.size() * sizeof(TileOperation));
  for (int x : {0, 1}) {
    sum += bytes_of(sends[x]) + bytes_of(receives[x]);
    if (cut_anew[x]) sum += cut_anew[x]->table_bytes();
  }
  return sum;
}

std::int64_t BlockProgram::table_bytes() const {
  return bytes_of(partials_to) + bytes_of(partials_from) +
         static_cast<std::int64_t>((cleared.size() + partial_cleared.size()) * sizeof(Range) +
                                   operations.size() * sizeof(LocalOperation));
}

}  // namespace ricci::planning
