#include "exec/distributed.hpp"

#include <algorithm>
#include <chrono>
#include <span>

#include "exec/redistribute.hpp"
#include "exec/refresh_copies.hpp"

namespace ricci::exec {

using layout::Distribution;
using planning::Node;
using planning::NodeKind;
using planning::SpreadNode;
using planning::Use;

DistributedExecutable::DistributedExecutable(planning::DistributedPlan plan, int rank)
    : plan_(std::move(plan)), rank_(rank) {
  const planning::LocalPlan& local = plan_.local;
  std::vector<std::size_t> last_use(local.slots.size(), 0);
  for (std::size_t n = 0; n < local.nodes.size(); ++n) {
    const Node& node = local.nodes[n];
    for (const Use* use : {&node.out, &node.a, &node.b}) {
      if (use->slot >= 0) last_use[use->slot] = n;
    }
    contractions_.push_back(nullptr);
    if (node.kind == NodeKind::clear) continue;
    const SpreadNode& spread = plan_.nodes[n];
    contractions_.back() = std::make_unique<BlockContraction>(
        planning::make_program(planning::block_contraction(spread.problem, spread.spread), rank), local.statement.type);
  }
  freed_after_.resize(local.nodes.size());
  for (int slot = local.first_temporary; slot < static_cast<int>(local.slots.size()); ++slot) {
    if (!freed_after_.empty()) freed_after_[last_use[slot]].push_back(slot);
  }
}

Cost DistributedExecutable::cost(int) const {
  Cost total = plan_.local.cost;
  return total;
}

namespace {

template <class T>
T coefficient_as(std::complex<double> value) {
  if constexpr (std::is_same_v<T, kernels::Real<T>>) {
    return static_cast<T>(value.real());
  } else {
    return T(value);
  }
}

}  // namespace

template <class T>
class DistributedExecutable::Run {
 public:
  Run(const DistributedExecutable& executable, const Ranks& ranks, const Binding& binding)
      : executable_(executable), plan_(executable.plan_), ranks_(ranks), binding_(binding) {
    temporaries_.resize(plan_.local.slots.size());
  }

  AlignedBuffer run(Report* report) {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      const std::int64_t bytes_before = ranks_.communicator.traffic().bytes;
      const auto start = std::chrono::steady_clock::now();
      const std::int64_t predicted = run_node(n);
      for (int slot : executable_.freed_after_[n]) temporaries_[slot] = {};
      if (!report) continue;
      ReportLine line{planning::describe(plan_.local, plan_.local.nodes[n]), plan_.local.nodes[n].cost, {}};
      line.predicted.network_bytes = predicted * size();
      line.measured = line.predicted;
      line.measured.network_bytes = ranks_.communicator.traffic().bytes - bytes_before;
      line.measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      report->lines.push_back(std::move(line));
    }
    return std::move(temporaries_[0].data);
  }

 private:
  struct Placed {
    std::shared_ptr<const Distribution> distribution;
    AlignedBuffer data;
  };

  static std::int64_t size() { return static_cast<std::int64_t>(sizeof(T)); }

  /// A temporary, or an output that has left its layout.
  bool is_held(int slot) const { return temporaries_[slot].distribution != nullptr; }
  const Layout& layout_of(int slot) const {
    return is_held(slot) ? temporaries_[slot].distribution->layout() : plan_.layouts[slot];
  }
  const T* data_of(int slot) const {
    if (is_held(slot)) return temporaries_[slot].data.template as<T>();
    return static_cast<const T*>(slot == 0 ? binding_.output : binding_.factors[slot - 1]);
  }
  std::shared_ptr<const Distribution> distribution(int slot, const Layout& layout) const {
    return std::make_shared<const Distribution>(plan_.local.slots[slot], layout);
  }

  /// Moves a tensor to another layout; elements sent.
  std::int64_t move(const Distribution& from, const Distribution& to, const T* source, T* target) const {
    const auto moves = ranks_.redistributions.find_or_make(from, to, executable_.rank_, sizeof(T));
    Redistribute{*moves, sizeof(T), binding_.threads, ranks_.pool}.run(
        ranks_.communicator, reinterpret_cast<const std::byte*>(source), reinterpret_cast<std::byte*>(target));
    return moves->total_sent();
  }

  const T* operand(const Use& use) const {
    if (use.slot == Use::none) return nullptr;
    return use.slot == Use::one ? &one_ : data_of(use.slot);
  }

  AlignedBuffer room_for(const Distribution& distribution) const {
    return ranks_.pool.take(distribution.local(executable_.rank_).size() * size());
  }

  /// Elements that this rank is predicted to send.
  std::int64_t run_node(std::size_t n) {
    const Node& node = plan_.local.nodes[n];
    const planning::Spread& spread = plan_.nodes[n].spread;
    const int slot = node.out.slot;
    const auto target = distribution(slot, spread.c);
    const std::int64_t elements = target->local(executable_.rank_).size();
    if (plan_.local.is_temporary(slot) && !is_held(slot)) temporaries_[slot] = {target, room_for(*target)};
    T* const own = const_cast<T*>(data_of(slot));  // an output, or a temporary of this run
    if (node.kind == NodeKind::clear) {
      std::fill_n(own, elements, T(0));
      return 0;
    }
    std::int64_t sent = 0;
    AlignedBuffer made;  // where it is not made in place
    const auto home = distribution(slot, layout_of(slot));
    const bool away = !(home->layout() == spread.c);
    if (away) {
      made = room_for(*target);
      if (node.accumulate) sent += move(*home, *target, own, made.as<T>());
    }
    T* const c = away ? made.as<T>() : own;
    const T alpha = node.term < 0 ? T(1) : coefficient_as<T>(binding_.coefficients[node.term]);
    const BlockContraction& contraction = *executable_.contractions_[n];
    contraction.template run<T>(ranks_.communicator, ranks_.pool, {c, operand(node.a), operand(node.b)},
                                {node.a.conjugate, node.b.conjugate}, alpha, binding_.threads);
    sent += contraction.program().elements_sent();
    refresh_copies(ranks_.communicator, *target, std::as_writable_bytes(std::span(c, elements)));
    sent += elements * target->copies_served(executable_.rank_);
    if (!away) return sent;
    if (plan_.nodes[n].problem.c.stays) {
      sent += move(*target, *home, c, own);
    } else {
      std::swap(temporaries_[slot].data, made);
      temporaries_[slot].distribution = target;
    }
    if (made.data()) ranks_.pool.give(std::move(made));
    return sent;
  }

  const DistributedExecutable& executable_;
  const planning::DistributedPlan& plan_;
  const Ranks& ranks_;
  const Binding& binding_;
  std::vector<Placed> temporaries_;  // [slot]
  T one_ = 1;
};

AlignedBuffer DistributedExecutable::run(const Ranks& ranks, const Binding& binding, Report* report) const {
  AlignedBuffer output;
  visit_element_type(plan_.local.statement.type, [&](auto* tag) {
    output = Run<std::remove_pointer_t<decltype(tag)>>(*this, ranks, binding).run(report);
  });
  return output;
}

}  // namespace ricci::exec
