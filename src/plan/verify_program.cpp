#include "plan/verify_program.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::planning {

namespace {

using Where = TilePlace::Where;

/// Elements that hold something, as intervals.
class Begun {
 public:
  /// False where some of them are there already.
  bool add(Range range) {
    if (range.size <= 0) return false;
    const auto after = intervals_.lower_bound(range.begin);
    if (after != intervals_.end() && after->first < range.begin + range.size) return false;
    if (after != intervals_.begin() && std::prev(after)->second > range.begin) return false;
    total_ += range.size;
    auto here = intervals_.emplace(range.begin, range.begin + range.size).first;
    if (after != intervals_.end() && after->first == here->second) {
      here->second = after->second;
      intervals_.erase(after);
    }
    if (here != intervals_.begin() && std::prev(here)->second == here->first) {
      std::prev(here)->second = here->second;
      intervals_.erase(here);
    }
    return true;
  }
  bool has(Range range) const {
    const auto after = intervals_.upper_bound(range.begin);
    return after != intervals_.begin() && std::prev(after)->second >= range.begin + range.size;
  }
  std::int64_t total() const { return total_; }

 private:
  std::map<std::int64_t, std::int64_t> intervals_;  // begin: end; neighbours are one
  std::int64_t total_ = 0;
};

/// The tiles in the buffer for sums, which is used anew in every step: what is written over is gone.
class Sums {
 public:
  void write(Range range) {
    if (range.size == 0) return;
    auto at = tiles_.lower_bound(range.begin);
    if (at != tiles_.begin() && std::prev(at)->first + std::prev(at)->second > range.begin) --at;
    while (at != tiles_.end() && at->first < range.begin + range.size) at = tiles_.erase(at);
    tiles_[range.begin] = range.size;
  }
  bool has(Range range) const {
    const auto at = tiles_.find(range.begin);
    return range.size == 0 || (at != tiles_.end() && at->second == range.size);
  }

 private:
  std::map<std::int64_t, std::int64_t> tiles_;  // begin: size
};

class Verifier {
 public:
  Verifier(const BlockProgram& program, const BlockContraction& contraction, int rank)
      : program_(program), contraction_(contraction), rank_(rank), has_b_(contraction.terms.b().exists()) {
    c_size_ = contraction.terms.c().distribution->local(rank).size();
    own_[0] = contraction.terms.a().stored->local(rank).size();
    if (has_b_) own_[1] = contraction.terms.b().stored->local(rank).size();
  }

  /// next_phase(): a pointer to each phase in order, then null.
  template <class F>
  void run(F next_phase) {
    for (const LocalOperation& operation : program_.operations) check(operation);
    begin_results();
    std::int64_t had[2] = {0, 0};  // elements that came in the phase before
    int count = 0;
    for (auto phase = next_phase(); phase; phase = next_phase(), ++count) {
      for (int x : {0, 1}) check_fetch(*phase, x, had[x]);
      for (int x : {0, 1}) had[x] = phase->fetched[x];
      for (const TileOperation& operation : phase->operations) check(operation, *phase);
    }
    require(count == contraction_.phases, "it has not as many phases as it should");
    finish_results();
  }

 private:
  void require(bool holds, const char* what) const {
    if (!holds) throw InternalError(fmt::format("the program of rank {} is broken: {}", rank_, what));
  }

  static bool is_within(Range range, std::int64_t size) {
    return range.begin >= 0 && range.size >= 0 && range.begin <= size - range.size;
  }

  static bool overlaps(Range range, const std::vector<Range>& others) {
    return std::any_of(others.begin(), others.end(), [&](const Range& other) {
      return range.begin < other.begin + other.size && other.begin < range.begin + range.size;
    });
  }

  // ---- Statements on tiles.

  void check(const LocalOperation& operation) const {
    const auto fits = [&](const symmetry::Shape& shape, const std::vector<int>& labels) {
      if (shape.extents().size() != labels.size()) return false;
      for (std::size_t mode = 0; mode < labels.size(); ++mode) {
        if (labels[mode] < 0 || labels[mode] >= static_cast<int>(operation.extents.size())) return false;
        if (operation.extents[labels[mode]] != shape.extents()[mode]) return false;
      }
      return true;
    };
    require(fits(operation.out_shape, operation.out_labels) && fits(operation.a_shape, operation.a_labels) &&
                (!operation.has_b || fits(operation.b_shape, operation.b_labels)),
            "the labels of a statement on tiles do not fit its shapes");
    require(operation.has_b || !operation.contract, "a product of matrices has one operand");
  }

  // ---- What is fetched.

  void check_fetch(const Phase& phase, int x, std::int64_t had) const {
    if (x == 1 && !has_b_) {
      require(phase.sends[1].empty() && phase.receives[1].empty() && phase.fetched[1] == 0 && !phase.cut_anew[1],
              "it fetches an operand that is not there");
      return;
    }
    if (phase.cut_anew[x]) {
      require(phase.sends[x].empty() && phase.receives[x].empty(), "an operand that is cut anew has messages of tiles");
      std::int64_t size = phase.cut_anew[x]->total_received();
      for (const layout::Piece& piece : phase.cut_anew[x]->stays()) size += piece.size;
      require(size == phase.fetched[x], "the pieces of an operand do not fill the tiles of the phase");
      return;
    }
    const bool in_pieces = contraction_.fetch[x].way == Relay::Way::chain;
    check_peers(phase.sends[x], !in_pieces);
    check_peers(phase.receives[x], !in_pieces);
    for (const TileMessage& message : phase.sends[x]) {
      check_ranges(message, own_[x], had);
      if (message.forwarded.empty()) continue;
      Begun come;
      for (const TileMessage& received : phase.receives[x]) {
        if (received.round < message.round) come.add({received.at, received.size});
      }
      for (const Range& range : message.forwarded) {
        require(come.has(range), "a message passes on elements that have not come");
      }
    }
    Begun arrived;
    for (const TileMessage& message : phase.receives[x]) {
      require(is_within({message.at, message.size}, phase.fetched[x]), "a message does not fit its buffer");
      require(arrived.add({message.at, message.size}), "messages lie over one another in their buffer");
    }
    require(arrived.total() == phase.fetched[x], "messages do not fill their buffer");
  }

  /// `once`: between two ranks there is one message of a round, not several pieces of chains.
  void check_peers(const std::vector<TileMessage>& messages, bool once) const {
    std::set<std::pair<int, int>> peers;
    int round = 0;
    for (const TileMessage& message : messages) {
      require(message.round >= round, "messages are not in the order of their rounds");
      round = message.round;
      require(message.peer != rank_, "it sends a message to itself");
      require(message.peer >= 0 && message.peer < contraction_.mapping.ranks(), "a message goes to no rank");
      require(peers.insert({message.round, message.peer}).second || !once,
              "two messages of one kind go between the same ranks");
      require(message.size > 0, "a message is empty");
    }
  }

  /// `had`: elements that came in the phase before.
  void check_ranges(const TileMessage& message, std::int64_t size, std::int64_t had) const {
    std::int64_t sum = 0;
    for (const Range& range : message.passed_on) {
      require(is_within(range, had), "a message passes on elements that have not come");
      sum += range.size;
    }
    for (const Range& range : message.ranges) {
      require(is_within(range, size), "a message has elements that the rank does not have");
      sum += range.size;
    }
    for (const Range& range : message.forwarded) sum += range.size;
    require(sum == message.size, "a message is not as long as its elements");
  }

  /// Messages fill their buffer, one after the other.
  void check_arrivals(const std::vector<TileMessage>& messages, std::int64_t size) const {
    std::int64_t at = 0;
    for (const TileMessage& message : messages) {
      require(message.at == at, "messages do not lie one after the other in their buffer");
      at += message.size;
    }
    require(at == size, "messages do not fill their buffer");
  }

  // ---- What is computed.

  void begin_results() {
    require(!contraction_.accumulate || program_.cleared.empty(), "it clears elements that are added to");
    if (contraction_.accumulate && c_size_ > 0) results_.add({0, c_size_});
    const auto clear = [&](const std::vector<Range>& ranges, std::int64_t size, Begun& begun) {
      for (const Range& range : ranges) {
        require(is_within(range, size), "it clears elements that are not there");
        require(begun.add(range), "it clears elements twice");
      }
    };
    clear(program_.cleared, c_size_, results_);
    clear(program_.partial_cleared, program_.partial, partials_);
  }

  void check(const TileOperation& operation, const Phase& phase) {
    require(operation.operation >= 0 && operation.operation < static_cast<int>(program_.operations.size()),
            "it runs a statement that is not there");
    const LocalOperation& local = program_.operations[operation.operation];
    require(operation.operand == 0 || (operation.operand == 1 && has_b_), "it reads an operand that is not there");
    require(std::isfinite(operation.factor), "a factor is no number");
    require(operation.accumulate || local.covers, "it overwrites a tile of which a statement leaves elements out");
    check_source(operation.a, operation.operand, local.a_shape.stored_size(), phase);
    if (local.has_b) {
      require(has_b_ && operation.operand == 0, "a product has the wrong operands");
      check_source(operation.b, 1, local.b_shape.stored_size(), phase);
    }
    check_target(operation, local);
  }

  void check_source(const TilePlace& place, int operand, std::int64_t size, const Phase& phase) const {
    const Range range{place.begin, size};
    switch (place.where) {
      case Where::own:
        require(!phase.cut_anew[operand], "it reads stored tiles of an operand that is cut anew");
        return require(is_within(range, own_[operand]), "it reads elements that the rank does not have");
      case Where::fetched:
        return require(is_within(range, phase.fetched[operand]), "it reads elements that are not fetched");
      case Where::summed:
        return require(sums_.has(range), "it reads a sum that is not there");
      case Where::partial:
        return require(false, "it reads results as an operand");
    }
  }

  void check_target(const TileOperation& operation, const LocalOperation& local) {
    const Range range{operation.out.begin, local.out_shape.stored_size()};
    if (operation.out.where == Where::summed) {
      require(!local.has_b, "a sum of readings is a product");
      require(is_within(range, program_.sums), "it writes outside of the sums");
      require(!operation.accumulate || sums_.has(range), "it adds to a sum that is not begun");
      return sums_.write(range);
    }
    require(operation.out.where != Where::fetched, "it writes to what it has fetched");
    require(local.has_b == has_b_, "a result lacks an operand");
    const bool own = operation.out.where == Where::own;
    require(is_within(range, own ? c_size_ : program_.partial), "it writes outside of the results");
    Begun& begun = own ? results_ : partials_;
    if (operation.accumulate) {
      require(begun.has(range), "it adds to results that are neither cleared nor written");
    } else {
      require(begun.add(range), "it overwrites results that are cleared or written already");
    }
  }

  // ---- What becomes of it.

  void finish_results() {
    require(results_.total() == c_size_, "some of its elements are neither cleared nor written");
    require(partials_.total() == program_.partial, "some partial sums are neither cleared nor written");
    check_peers(program_.partials_to, true);
    check_peers(program_.partials_from, true);
    Begun sent;
    for (const TileMessage& message : program_.partials_to) {
      check_ranges(message, program_.partial, 0);
      for (const Range& range : message.ranges) require(sent.add(range), "a partial sum is sent twice");
      for (const TileMessage& received : program_.partials_from) {
        if (received.round < message.round) continue;  // it has come
        for (const Range& range : received.forwarded) {
          require(!overlaps(range, message.ranges), "a partial sum is sent before all has come that it is made of");
        }
      }
    }
    require(sent.total() == program_.partial, "a partial sum is not sent");
    for (const TileMessage& message : program_.partials_from) {
      check_ranges(message, c_size_, 0);
      for (const Range& range : message.forwarded) {
        require(is_within(range, program_.partial), "it adds to partial sums that are not there");
      }
    }
    check_arrivals(program_.partials_from, program_.partials_received);
  }

  const BlockProgram& program_;
  const BlockContraction& contraction_;
  int rank_;
  bool has_b_;
  std::int64_t c_size_, own_[2] = {0, 0};
  Begun results_, partials_;
  Sums sums_;
};

}  // namespace

void verify(const BlockProgram& program, const BlockContraction& contraction, int rank) {
  std::size_t at = 0;
  Verifier(program, contraction, rank).run([&]() -> const Phase* {
    return at < program.phases.size() ? &program.phases[at++] : nullptr;
  });
}

void verify(const PackedProgram& packed, const BlockContraction& contraction, int rank) {
  PackedProgram::Reader reader(packed);
  Verifier(packed.program, contraction, rank).run([&] { return reader.next(); });
}

}  // namespace ricci::planning
