#include "exec/executable.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "exec/coefficient.hpp"
#include "exec/overhead.hpp"

namespace ricci::exec {

using planning::Node;
using planning::NodeKind;
using planning::Use;

Executable::Executable(planning::LocalPlan plan, kernels::Blocks blocks) : plan_(std::move(plan)) {
  const auto labelled = [this](const Use& use) -> symmetry::Labelled {
    if (use.slot == Use::none) return {};
    return {use.slot == Use::one ? &scalar_ : plan_.slots[use.slot].get(), use.labels};
  };
  std::vector<std::size_t> last_use(plan_.slots.size(), 0);
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const Node& node = plan_.nodes[n];
    for (const Use* use : {&node.out, &node.a, &node.b}) {
      if (use->slot >= 0) last_use[use->slot] = n;
    }
    Prepared& prepared = prepared_.emplace_back();
    if (node.kind == NodeKind::contract) {
      prepared.contraction =
          std::make_unique<kernels::LocalContraction>(labelled(node.out), labelled(node.a), labelled(node.b),
                                                      plan_.statement.extents, plan_.statement.type, blocks);
    } else if (node.kind == NodeKind::map) {
      prepared.map = std::make_unique<kernels::LocalMap>(labelled(node.out), labelled(node.a), labelled(node.b),
                                                         plan_.statement.extents, element_size(plan_.statement.type));
    }
  }
  for (int slot = plan_.first_temporary; slot < static_cast<int>(plan_.slots.size()); ++slot) {
    if (!prepared_.empty()) prepared_[last_use[slot]].freed_after.push_back(slot);
  }
}

Cost Executable::cost(std::size_t n, int threads) const {
  Cost cost = plan_.nodes[n].cost;
  visit_element_type(plan_.statement.type, [&](auto* tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    if (prepared_[n].contraction) cost.peak_bytes += prepared_[n].contraction->template buffer_bytes<T>(threads);
    if (prepared_[n].map) cost.peak_bytes += prepared_[n].map->template buffer_bytes<T>(threads);
  });
  std::int64_t tensors = 0;
  for (int slot = 0; slot < plan_.first_temporary; ++slot) tensors += plan_.slot_bytes(slot);
  cost.peak_bytes += system_overhead(cost.peak_bytes + tensors);
  return cost;
}

std::int64_t Executable::peak_bytes(int threads) const {
  std::int64_t peak = 0;
  for (std::size_t n = 0; n < prepared_.size(); ++n) peak = std::max(peak, cost(n, threads).peak_bytes);
  return peak;
}

void Executable::run(const Binding& binding, Report* report) const {
  visit_element_type(plan_.statement.type,
                     [&](auto* tag) { run_typed<std::remove_pointer_t<decltype(tag)>>(binding, report); });
}

template <class T>
void Executable::run_typed(const Binding& binding, Report* report) const {
  const T one = 1;
  std::vector<AlignedBuffer> temporaries(plan_.slots.size() - plan_.first_temporary);
  const auto writable = [&](int slot) -> T* {
    if (slot == 0) return static_cast<T*>(binding.output);
    AlignedBuffer& buffer = temporaries[slot - plan_.first_temporary];
    if (!buffer.data()) buffer = binding.pool.take(plan_.slot_bytes(slot));
    return buffer.as<T>();
  };
  const auto readable = [&](int slot) -> const T* {
    if (slot == Use::none) return nullptr;
    if (slot == Use::one) return &one;
    if (plan_.is_temporary(slot)) return temporaries[slot - plan_.first_temporary].as<T>();
    return static_cast<const T*>(binding.factors[slot - 1]);
  };
  const kernels::Workers workers(binding.threads, &binding.pool);
  MemoryMeter& meter = binding.pool.meter();
  const std::int64_t live_before = meter.live();
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const Node& node = plan_.nodes[n];
    if (report) meter.restart();
    const auto start = report ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
    const T alpha = node.term < 0 ? T(1) : coefficient_as<T>(binding.coefficients[node.term]);
    T* const out = writable(node.out.slot);
    switch (node.kind) {
      case NodeKind::clear:
        std::fill_n(out, plan_.slots[node.out.slot]->stored_size(), T(0));
        break;
      case NodeKind::map:
        prepared_[n].map->run(readable(node.a.slot), readable(node.b.slot), {node.a.conjugate, node.b.conjugate}, alpha,
                              node.accumulate, out, workers);
        break;
      case NodeKind::contract:
        prepared_[n].contraction->run(readable(node.a.slot), readable(node.b.slot),
                                      {node.a.conjugate, node.b.conjugate}, alpha, node.accumulate, out, workers);
        break;
    }
    for (int slot : prepared_[n].freed_after) {
      AlignedBuffer& buffer = temporaries[slot - plan_.first_temporary];
      if (buffer.data()) binding.pool.give(std::exchange(buffer, {}));
    }
    if (report) {
      const Cost predicted = cost(n, binding.threads);
      Cost measured = predicted;
      measured.peak_bytes = meter.peak() - live_before;
      measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      report->lines.push_back({planning::describe(plan_, node), predicted, measured});
    }
  }
}

}  // namespace ricci::exec
