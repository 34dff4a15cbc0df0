#include "simulated_ranks.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "kernels/local_contraction.hpp"
#include "kernels/local_map.hpp"
#include "plan/spread_count.hpp"
#include "plan/verify_program.hpp"
#include "simulated_moves.hpp"

namespace ricci::planning {

using layout::Distribution;
using layout::Redistribution;

namespace {

std::vector<double> unset(std::int64_t size) {
  return std::vector<double>(static_cast<std::size_t>(size), std::numeric_limits<double>::quiet_NaN());
}

/// What one rank has while its program runs.
struct Memory {
  std::vector<double> fetched[2], before[2], sums, partial;  // before: fetched in the last phase
};

class Simulation {
 public:
  Simulation(const BlockContraction& contraction, double alpha, RankData& c, const RankData& a, const RankData& b)
      : contraction_(contraction), alpha_(alpha), c_(c), own_{&a, &b}, memory_(c.size()) {
    for (int rank = 0; rank < ranks(); ++rank) programs_.push_back(make_program(contraction, rank));
  }

  void run() {
    check_counts();
    for (int rank = 0; rank < ranks(); ++rank) {
      const BlockProgram& program = programs_[rank];
      verify(program, contraction_, rank);
      memory_[rank].sums = unset(program.sums);
      memory_[rank].partial = unset(program.partial);
      for (const Range& range : program.cleared) std::fill_n(c_[rank].begin() + range.begin, range.size, 0.0);
      for (const Range& range : program.partial_cleared) {
        std::fill_n(memory_[rank].partial.begin() + range.begin, range.size, 0.0);
      }
    }
    for (int phase = 0; phase < contraction_.phases; ++phase) {
      for (int x : {0, 1}) fetch(phase, x);
      for (int rank = 0; rank < ranks(); ++rank) compute(rank, phase);
    }
    add_partials();
  }

 private:
  int ranks() const { return static_cast<int>(c_.size()); }

  void check_counts() const {
    std::int64_t sent = 0, received = 0;
    for (int rank = 0; rank < ranks(); ++rank) {
      const BlockProgram& program = programs_[rank];
      sent += program.elements_sent();
      received += program.elements_received();
      const RankCount count = count_for_rank(contraction_, rank);
      EXPECT_EQ(count.fetched, program.elements_received() - program.partials_received) << "rank " << rank;
      EXPECT_EQ(count.partial, program.partial) << "rank " << rank;
    }
    EXPECT_EQ(sent, received);
  }

  /// What a rank expects from others in a round, with what they send then: messages between two ranks come in order.
  template <class F>
  void for_each_message(int round, const std::function<const std::vector<TileMessage>&(int)>& received,
                        const std::function<const std::vector<TileMessage>&(int)>& sent, F f) const {
    for (int rank = 0; rank < ranks(); ++rank) {
      std::map<int, std::vector<const TileMessage*>> from;
      for (const TileMessage& message : received(rank)) {
        if (message.round == round) from[message.peer].push_back(&message);
      }
      for (int peer = 0; peer < ranks(); ++peer) {
        std::size_t count = 0;
        for (const TileMessage& message : sent(peer)) {
          if (message.round != round || message.peer != rank) continue;
          ASSERT_LT(count, from[peer].size()) << "rank " << rank << " does not expect a message from " << peer;
          ASSERT_EQ(message.size, from[peer][count]->size);
          f(peer, message, rank, *from[peer][count++]);
        }
        ASSERT_EQ(count, from[peer].size()) << "rank " << rank << " expects a message from " << peer;
      }
    }
  }

  int last_round(const std::function<const std::vector<TileMessage>&(int)>& messages) const {
    int last = 0;
    for (int rank = 0; rank < ranks(); ++rank) {
      for (const TileMessage& message : messages(rank)) last = std::max(last, message.round);
    }
    return last;
  }

  /// The elements of a message, as its sender puts them together.
  static std::vector<double> letter(const TileMessage& message, const std::vector<double>& own,
                                    const std::vector<double>& before, const std::vector<double>& fetched) {
    std::vector<double> content;
    const auto add = [&](const std::vector<Range>& ranges, const std::vector<double>& from) {
      for (const Range& range : ranges) {
        content.insert(content.end(), from.begin() + range.begin, from.begin() + range.begin + range.size);
      }
    };
    add(message.ranges, own);
    add(message.passed_on, before);
    add(message.forwarded, fetched);
    return content;
  }

  void fetch(int phase, int x) {
    for (Memory& memory : memory_) memory.before[x] = std::move(memory.fetched[x]);
    for (int rank = 0; rank < ranks(); ++rank) {
      const Phase& here = programs_[rank].phases[phase];
      memory_[rank].fetched[x] = unset(here.fetched[x]);
      ASSERT_EQ(here.cut_anew[x] != nullptr, programs_[0].phases[phase].cut_anew[x] != nullptr);
    }
    const auto received = [&](int rank) -> const auto& { return programs_[rank].phases[phase].receives[x]; };
    const auto sent = [&](int rank) -> const auto& { return programs_[rank].phases[phase].sends[x]; };
    for (int round = 0; round <= last_round(received); ++round) {
      for_each_message(round, received, sent,
                       [&](int from, const TileMessage& message, int to, const TileMessage& expected) {
                         const std::vector<double> content =
                             letter(message, (*own_[x])[from], memory_[from].before[x], memory_[from].fetched[x]);
                         std::copy(content.begin(), content.end(), memory_[to].fetched[x].begin() + expected.at);
                       });
    }
    if (!programs_[0].phases[phase].cut_anew[x]) return;
    std::vector<const Redistribution*> of_rank;
    for (const BlockProgram& program : programs_) of_rank.push_back(program.phases[phase].cut_anew[x].get());
    for (int rank = 0; rank < ranks(); ++rank) {
      layout::move_pieces(of_rank, rank, *own_[x], kernels::PieceCopy{sizeof(double), 1}, memory_[rank].fetched[x]);
    }
  }

  const double* source(int rank, const TilePlace& place, int operand) const {
    switch (place.where) {
      case TilePlace::Where::own:
        return (*own_[operand])[rank].data() + place.begin;
      case TilePlace::Where::fetched:
        return memory_[rank].fetched[operand].data() + place.begin;
      default:
        return memory_[rank].sums.data() + place.begin;
    }
  }

  double* target(int rank, const TilePlace& place) {
    switch (place.where) {
      case TilePlace::Where::own:
        return c_[rank].data() + place.begin;
      case TilePlace::Where::partial:
        return memory_[rank].partial.data() + place.begin;
      default:
        return memory_[rank].sums.data() + place.begin;
    }
  }

  void compute(int rank, int phase) {
    for (const TileOperation& operation : programs_[rank].phases[phase].operations) {
      const LocalOperation& local = programs_[rank].operations[operation.operation];
      const symmetry::Labelled out{&local.out_shape, local.out_labels}, a{&local.a_shape, local.a_labels};
      const symmetry::Labelled b =
          local.has_b ? symmetry::Labelled{&local.b_shape, local.b_labels} : symmetry::Labelled{};
      const double* const from_a = source(rank, operation.a, operation.operand);
      const double* const from_b = local.has_b ? source(rank, operation.b, 1) : nullptr;
      const bool is_sum = operation.out.where == TilePlace::Where::summed;
      const double factor = operation.factor * (is_sum ? 1 : alpha_);
      double* const to = target(rank, operation.out);
      if (local.contract) {
        kernels::LocalContraction(out, a, b, local.extents, ElementType::f64)
            .run(from_a, from_b, {}, factor, operation.accumulate, to, 1);
      } else {
        kernels::LocalMap(out, a, b, local.extents, sizeof(double))
            .run(from_a, from_b, {}, factor, operation.accumulate, to, 1);
      }
    }
  }

  void add_partials() {
    const auto received = [&](int rank) -> const auto& { return programs_[rank].partials_from; };
    const auto sent = [&](int rank) -> const auto& { return programs_[rank].partials_to; };
    for (int round = 0; round <= last_round(received); ++round) {
      // What is sent in a round is there before anything of that round has come.
      const std::vector<Memory> before = memory_;
      for_each_message(round, received, sent,
                       [&](int from, const TileMessage& message, int to, const TileMessage& expected) {
                         const std::vector<double> content = letter(message, before[from].partial, {}, {});
                         std::size_t at = 0;
                         const auto add = [&](const std::vector<Range>& ranges, std::vector<double>& sums) {
                           for (const Range& range : ranges) {
                             for (std::int64_t i = 0; i < range.size; ++i) sums[range.begin + i] += content[at++];
                           }
                         };
                         add(expected.ranges, c_[to]);
                         add(expected.forwarded, memory_[to].partial);
                       });
    }
  }

  const BlockContraction& contraction_;
  double alpha_;
  RankData& c_;
  const RankData* own_[2];
  std::vector<Memory> memory_;
  std::vector<BlockProgram> programs_;
};

RankData moved(const Distribution& from, const Distribution& to, const RankData& source) {
  std::vector<Redistribution> moves;
  moves.reserve(source.size());
  for (int rank = 0; rank < from.ranks(); ++rank) moves.emplace_back(from, to, rank, sizeof(double));
  RankData result;
  for (int rank = 0; rank < from.ranks(); ++rank) {
    result.push_back(layout::moved(moves, rank, source, static_cast<std::size_t>(to.local(rank).size())));
  }
  return result;
}

/// Runs the nodes of a plan.
class PlanSimulation {
 public:
  PlanSimulation(const DistributedPlan& plan, SimulatedBinding& binding)
      : plan_(plan), binding_(binding), held_(plan.local.slots.size()) {
    for (const Layout& layout : plan.layouts) where_.push_back(layout);
    where_.resize(held_.size());
  }

  void run() {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) run_node(n);
    if (held_[0]) binding_.output = *held_[0];
    EXPECT_EQ(where_[0], plan_.output);
  }

 private:
  RankData& output_of(int slot) { return held_[slot] ? *held_[slot] : binding_.output; }
  const RankData& operand(const Use& use) {
    if (use.slot == Use::none) return none_;
    if (use.slot == Use::one) return one_;
    if (held_[use.slot]) return *held_[use.slot];
    return use.slot == 0 ? binding_.output : *binding_.factors[use.slot - 1];
  }

  void run_node(std::size_t n) {
    const Node& node = plan_.local.nodes[n];
    const auto& [problem, spread] = plan_.nodes[n];
    const int slot = node.out.slot;
    const Distribution target(plan_.local.slots[slot], spread.c);
    if (plan_.local.is_temporary(slot) && !held_[slot]) {
      held_[slot] = std::make_unique<RankData>(planning::unset(target));
      where_[slot] = spread.c;
    }
    if (node.kind == NodeKind::clear) {
      ASSERT_EQ(where_[slot], spread.c);
      for (auto& own : output_of(slot)) std::fill(own.begin(), own.end(), 0.0);
      return;
    }
    const Distribution home(plan_.local.slots[slot], where_[slot]);
    const bool away = !(where_[slot] == spread.c);
    RankData made;
    if (away) made = node.accumulate ? moved(home, target, output_of(slot)) : planning::unset(target);
    RankData& c = away ? made : output_of(slot);
    const double alpha = node.term < 0 ? 1 : binding_.coefficients[node.term];
    run_programs(block_contraction(problem, spread), alpha, c, operand(node.a), operand(node.b));
    for (int rank = 0; rank < plan_.ranks; ++rank) {
      if (target.copy_of(rank) > 0) c[rank] = c[target.with_copy(rank, 0)];
    }
    if (!away) return;
    if (problem.c.stays) {
      output_of(slot) = moved(target, home, made);
    } else {
      held_[slot] = std::make_unique<RankData>(std::move(made));
      where_[slot] = spread.c;
    }
  }

  const DistributedPlan& plan_;
  SimulatedBinding& binding_;
  std::vector<std::unique_ptr<RankData>> held_;  // [slot]: temporaries, and an output that has left its layout
  std::vector<Layout> where_;                    // [slot]
  const RankData none_;
  const RankData one_ = RankData(plan_.ranks, std::vector<double>{1});
};

}  // namespace

RankData scatter(const Distribution& distribution, const std::vector<double>& dense) {
  RankData data;
  for (int rank = 0; rank < distribution.ranks(); ++rank) {
    const layout::LocalTiles tiles = distribution.local(rank);
    layout::LocalElements elements(distribution, tiles);
    auto& own = data.emplace_back();
    for (std::int64_t i = 0; i < elements.size(); ++i, elements.next()) {
      own.push_back(dense[layout::key_of(distribution.shape(), elements.index())]);
    }
  }
  return data;
}

RankData unset(const Distribution& distribution) {
  RankData data;
  for (int rank = 0; rank < distribution.ranks(); ++rank) data.push_back(unset(distribution.local(rank).size()));
  return data;
}

void run_programs(const BlockContraction& contraction, double alpha, RankData& c, const RankData& a,
                  const RankData& b) {
  Simulation(contraction, alpha, c, a, b).run();
}

void run_plan(const DistributedPlan& plan, SimulatedBinding& binding) { PlanSimulation(plan, binding).run(); }

}  // namespace ricci::planning
