#include "plan/flow_simulation.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace ricci::planning {

namespace {

/// Rates are worked out anew when such a part of the flows has come or gone: to do so for each of them takes far longer
/// and changes the outcome by a percent. It takes a pass over all links of all flows, so where these are many, it is
/// done less often.
double part_of_flows(std::size_t uses) { return std::clamp(static_cast<double>(uses) / 5e6, 0.02, 0.2); }

}  // namespace

FlowSimulation::FlowSimulation(const MachineModel& machine, int ranks)
    : machine_(machine), torus_(ranks, machine.torus_dimensions), ranks_(ranks) {}

int FlowSimulation::add_step(std::vector<int> after, double delay) {
  const int step = static_cast<int>(steps_.size());
  for (int earlier : after) steps_[earlier].before.push_back(step);
  steps_.push_back({std::move(after), {}, delay});
  return step;
}

void FlowSimulation::add(int step, int from, int to, double bytes) {
  if (from == to || bytes <= 0) return;
  const MessageRate rate = machine_.rate_of_message(bytes);
  Flow flow{from, to, step, static_cast<std::uint32_t>(uses_.size()), 0, 0, bytes < machine_.eager_bytes, 0, 0};
  const auto use = [&](float part) {
    return [this, part](int direction, int rank) { uses_.push_back({direction * ranks_ + rank, part}); };
  };
  const int hops = torus_.for_each_link(from, to, use(1));
  if (machine_.reverse_traffic > 0) torus_.for_each_link(to, from, use(static_cast<float>(machine_.reverse_traffic)));
  flow.end = static_cast<std::uint32_t>(uses_.size());
  flow.weight = 1.0F / static_cast<float>(hops);
  flow.latency = (machine_.network_latency + hops * machine_.hop_latency) * rate.latency;
  flow.work = bytes / (machine_.network_bandwidth * rate.bandwidth);
  flows_.push_back(flow);
}

void FlowSimulation::prepare() {
  states_.assign(steps_.size() * static_cast<std::size_t>(ranks_), {});
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    const Flow& flow = flows_[f];
    for (int rank : {flow.from, flow.to}) {
      State& here = state(rank, flow.step);
      here.flows.push_back(static_cast<std::int32_t>(f));
      if (rank == flow.to || !flow.eager) ++here.open;
    }
  }
  const int steps = static_cast<int>(steps_.size());
  for (int step = 0; step < steps; ++step) {
    for (int rank = 0; rank < ranks_; ++rank)
      state(rank, step).waiting = static_cast<int>(steps_[step].after.size()) + 1;
  }
  for (int step = 0; step < steps; ++step) {
    for (int rank = 0; rank < ranks_; ++rank) release(rank, step, 0);
  }
}

void FlowSimulation::release(int rank, int step, double at) {
  State& here = state(rank, step);
  here.begun = std::max(here.begun, at);
  if (--here.waiting > 0) return;
  here.begun += steps_[step].delay;
  here.ended = here.begun;
  for (std::int32_t f : here.flows) {
    const Flow& flow = flows_[f];
    const State& other = state(flow.from == rank ? flow.to : flow.from, step);
    if (other.waiting == 0) starting_.emplace(std::max(here.begun, other.begun) + flow.latency, f);
  }
  if (here.open == 0) {
    for (int later : steps_[step].before) release(rank, later, here.ended);
  }
}

void FlowSimulation::end_message(int rank, int step, double at) {
  State& here = state(rank, step);
  here.ended = std::max(here.ended, at);
  if (--here.open > 0) return;
  for (int later : steps_[step].before) release(rank, later, here.ended);
}

void FlowSimulation::activate(double until) {
  for (; !starting_.empty() && starting_.top().first <= until; starting_.pop()) {
    const std::int32_t f = starting_.top().second;
    active_.push_back({f, flows_[f].work});
  }
}

double FlowSimulation::time_of_ends(std::vector<double> ends) const {
  const auto enough = ends.begin() + static_cast<std::ptrdiff_t>(part_ * static_cast<double>(ends.size()));
  std::nth_element(ends.begin(), enough, ends.end());
  return *enough;
}

double FlowSimulation::time_of_starts() {
  if (starting_.empty()) return std::numeric_limits<double>::infinity();
  const std::size_t all = active_.size() + starting_.size();
  const auto enough = std::min(starting_.size() - 1, static_cast<std::size_t>(part_ * static_cast<double>(all)));
  std::vector<Start> taken;
  for (; taken.size() < enough; starting_.pop()) taken.push_back(starting_.top());
  const double time = starting_.top().first;
  for (const Start& start : taken) starting_.push(start);
  return time;
}

void FlowSimulation::run() {
  prepare();
  part_ = part_of_flows(uses_.size());
  FairShares shares(torus_.directions() * ranks_);
  std::vector<FairFlow> fair;
  std::vector<double> ends;
  double now = 0;
  while (!active_.empty() || !starting_.empty()) {
    if (active_.empty()) now = std::max(now, starting_.top().first);
    activate(now);
    fair.clear();
    for (const Active& active : active_) {
      const Flow& flow = flows_[active.flow];
      fair.push_back({std::span<const LinkUse>(uses_).subspan(flow.begin, flow.end - flow.begin), flow.weight});
    }
    shares.solve(fair);
    ends.clear();
    for (std::size_t i = 0; i < active_.size(); ++i) ends.push_back(active_[i].left / fair[i].rate);
    const double length = std::max(0.0, std::min(time_of_ends(ends), time_of_starts() - now));
    std::size_t kept = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const Active active = active_[i];
      if (ends[i] > length) {
        active_[kept++] = {active.flow, active.left - length * fair[i].rate};
        continue;
      }
      const Flow& flow = flows_[active.flow];
      if (!flow.eager) end_message(flow.from, flow.step, now + ends[i]);
      end_message(flow.to, flow.step, now + ends[i]);
    }
    active_.resize(kept);
    now += length;
  }
}

double FlowSimulation::ended(int step) const {
  double last = 0;
  for (int rank = 0; rank < ranks_; ++rank) {
    last = std::max(last, states_[static_cast<std::size_t>(step * ranks_ + rank)].ended);
  }
  return last;
}

}  // namespace ricci::planning
