#include "exec/distributed.hpp"

#include <algorithm>
#include <chrono>
#include <span>

#include "exec/coefficient.hpp"
#include "exec/overhead.hpp"
#include "exec/redistribute.hpp"
#include "exec/refresh_copies.hpp"
#include "plan/verify_program.hpp"

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
    const planning::BlockContraction contraction = planning::block_contraction(spread.problem, spread.spread);
    planning::PackedProgram program = planning::make_packed_program(contraction, rank);
    planning::verify(program, contraction, rank);
    contractions_.back() = std::make_unique<BlockContraction>(std::move(program), local.statement.type);
    table_bytes_ += contractions_.back()->table_bytes();
  }
  freed_after_.resize(local.nodes.size());
  for (int slot = local.first_temporary; slot < static_cast<int>(local.slots.size()); ++slot) {
    if (!freed_after_.empty()) freed_after_[last_use[slot]].push_back(slot);
  }
  Held held{plan_.layouts, std::vector<std::int64_t>(local.slots.size(), 0)};
  held.where.resize(local.slots.size());
  const std::int64_t size = static_cast<std::int64_t>(element_size(local.statement.type));
  for (std::size_t slot = 0; slot < plan_.layouts.size(); ++slot) {
    tensor_bytes_ += Distribution(local.slots[slot], plan_.layouts[slot]).local(rank).size() * size;
  }
  for (std::size_t n = 0; n < local.nodes.size(); ++n) predictions_.push_back(predict(n, held));
}

DistributedExecutable::Prediction DistributedExecutable::predict(std::size_t n, Held& held) const {
  const Node& node = plan_.local.nodes[n];
  const auto& [problem, spread] = plan_.nodes[n];
  const int slot = node.out.slot;
  const Distribution made(plan_.local.slots[slot], spread.c);
  const std::int64_t elements = made.local(rank_).size();
  Prediction prediction;
  if (contractions_[n]) {
    prediction.sent = contractions_[n]->elements_sent() + elements * made.copies_served(rank_);
    prediction.received = contractions_[n]->elements_received() + (made.copy_of(rank_) > 0 ? elements : 0);
    if (problem.c.layout && !(*problem.c.layout == spread.c)) {
      const Distribution home(plan_.local.slots[slot], *problem.c.layout);
      const std::size_t size = element_size(plan_.local.statement.type);
      const auto add = [&](const Distribution& from, const Distribution& to) {
        const layout::Redistribution moves(from, to, rank_, size);
        prediction.sent += moves.total_sent();
        prediction.received += moves.total_received();
        const std::int64_t buffers = Redistribute::buffer_elements(moves) * static_cast<std::int64_t>(size);
        prediction.moving = std::max(prediction.moving, buffers + moves.table_bytes());
      };
      if (node.accumulate) add(home, made);
      if (problem.c.stays) add(made, home);
    }
  }
  const bool is_there = !plan_.local.is_temporary(slot) || held.elements[slot] > 0;
  const bool in_place = is_there && held.where[slot] == spread.c;
  for (std::int64_t temporary : held.elements) prediction.temporary += temporary;
  if (!in_place) {
    prediction.temporary += elements;  // beside what was there before
    if (!problem.c.stays || plan_.local.is_temporary(slot)) {
      held.elements[slot] = elements;
      held.where[slot] = spread.c;
    }
  }
  for (int freed : freed_after_[n]) held.elements[freed] = 0;
  return prediction;
}

std::int64_t DistributedExecutable::table_bytes() const { return table_bytes_ + table_overhead(table_bytes_); }

Cost DistributedExecutable::cost(std::size_t n, int threads) const {
  Cost cost;
  const std::int64_t size = static_cast<std::int64_t>(element_size(plan_.local.statement.type));
  cost.network_bytes = predictions_[n].sent * size;
  cost.received_bytes = predictions_[n].received * size;
  cost.peak_bytes = predictions_[n].temporary * size + table_bytes();
  cost.seconds = plan_.nodes[n].spread.seconds + (n == 0 ? plan_.agreement : 0);
  if (contractions_[n]) {
    cost.peak_bytes += std::max(contractions_[n]->peak_bytes(threads), predictions_[n].moving);
  }
  cost.peak_bytes += system_overhead(cost.peak_bytes + tensor_bytes_);
  if (!contractions_[n]) return cost;
  cost.flops = contractions_[n]->products() * plan_.nodes[n].problem.flops_per_product;
  cost.bytes = plan_.local.nodes[n].cost.bytes / plan_.ranks;
  return cost;
}

Cost DistributedExecutable::cost(int threads) const {
  Cost total;
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const Cost here = cost(n, threads);
    total.flops += here.flops;
    total.bytes += here.bytes;
    total.network_bytes += here.network_bytes;
    total.received_bytes += here.received_bytes;
    total.peak_bytes = std::max(total.peak_bytes, here.peak_bytes);
    total.seconds += here.seconds;
  }
  return total;
}

template <class T>
class DistributedExecutable::Run {
 public:
  Run(const DistributedExecutable& executable, const Ranks& ranks, const Binding& binding)
      : executable_(executable), plan_(executable.plan_), ranks_(ranks), binding_(binding) {
    temporaries_.resize(plan_.local.slots.size());
  }

  std::optional<AlignedBuffer> run(Report* report) {
    MemoryMeter& meter = ranks_.pool.meter();
    const std::int64_t live_before = meter.live();
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      const std::int64_t bytes_before = ranks_.communicator.traffic().bytes;
      const std::int64_t received_before = ranks_.communicator.bytes_received();
      meter.restart();
      const auto start = std::chrono::steady_clock::now();
      run_node(n);
      for (int slot : executable_.freed_after_[n]) free(temporaries_[slot]);
      if (!report) continue;
      const Cost predicted = executable_.cost(n, binding_.threads);
      ReportLine line{planning::describe(plan_.local, plan_.local.nodes[n]), predicted, predicted};
      line.measured.network_bytes = ranks_.communicator.traffic().bytes - bytes_before;
      line.measured.received_bytes = ranks_.communicator.bytes_received() - received_before;
      line.measured.peak_bytes = meter.peak() - live_before;
      line.measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      report->lines.push_back(std::move(line));
    }
    if (!is_held(0)) return std::nullopt;
    return std::move(temporaries_[0].data);
  }

 private:
  struct Placed {
    std::shared_ptr<const Distribution> distribution;
    AlignedBuffer data;
  };

  void free(Placed& temporary) const {
    if (temporary.data.data()) ranks_.pool.give(std::move(temporary.data));
    temporary = {};
  }

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

  void move(const Distribution& from, const Distribution& to, const T* source, T* target) const {
    const auto moves = ranks_.redistributions.find_or_make(from, to, executable_.rank_, sizeof(T));
    Redistribute{*moves, sizeof(T), binding_.threads, ranks_.pool}.run(
        ranks_.communicator, reinterpret_cast<const std::byte*>(source), reinterpret_cast<std::byte*>(target));
  }

  const T* operand(const Use& use) const {
    if (use.slot == Use::none) return nullptr;
    return use.slot == Use::one ? &one_ : data_of(use.slot);
  }

  AlignedBuffer room_for(const Distribution& distribution) const {
    return ranks_.pool.take(distribution.local(executable_.rank_).size() * size());
  }

  void run_node(std::size_t n) {
    const Node& node = plan_.local.nodes[n];
    const planning::Spread& spread = plan_.nodes[n].spread;
    const int slot = node.out.slot;
    const auto target = distribution(slot, spread.c);
    const std::int64_t elements = target->local(executable_.rank_).size();
    if (plan_.local.is_temporary(slot) && !is_held(slot)) temporaries_[slot] = {target, room_for(*target)};
    T* const own = const_cast<T*>(data_of(slot));  // an output, or a temporary of this run
    if (node.kind == NodeKind::clear) {
      std::fill_n(own, elements, T(0));
      return;
    }
    AlignedBuffer made;  // where it is not made in place
    const auto home = distribution(slot, layout_of(slot));
    const bool away = !(home->layout() == spread.c);
    if (away) {
      made = room_for(*target);
      if (node.accumulate) move(*home, *target, own, made.as<T>());
    }
    T* const c = away ? made.as<T>() : own;
    const T alpha = node.term < 0 ? T(1) : coefficient_as<T>(binding_.coefficients[node.term]);
    const BlockContraction& contraction = *executable_.contractions_[n];
    contraction.template run<T>(ranks_.communicator, ranks_.pool, {c, operand(node.a), operand(node.b)},
                                {node.a.conjugate, node.b.conjugate}, alpha, binding_.threads);
    refresh_copies(ranks_.communicator, *target, std::as_writable_bytes(std::span(c, elements)));
    if (!away) return;
    if (plan_.nodes[n].problem.c.stays) {
      move(*target, *home, c, own);
    } else {
      std::swap(temporaries_[slot].data, made);
      temporaries_[slot].distribution = target;
    }
    if (made.data()) ranks_.pool.give(std::move(made));
  }

  const DistributedExecutable& executable_;
  const planning::DistributedPlan& plan_;
  const Ranks& ranks_;
  const Binding& binding_;
  std::vector<Placed> temporaries_;  // [slot]
  T one_ = 1;
};

std::optional<AlignedBuffer> DistributedExecutable::run(const Ranks& ranks, const Binding& binding,
                                                        Report* report) const {
  std::optional<AlignedBuffer> output;
  visit_element_type(plan_.local.statement.type, [&](auto* tag) {
    output = Run<std::remove_pointer_t<decltype(tag)>>(*this, ranks, binding).run(report);
  });
  return output;
}

}  // namespace ricci::exec
