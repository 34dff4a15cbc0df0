#include "plan/block_program.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "plan/local_plan.hpp"

namespace ricci::planning {

using layout::TensorTiles;
using layout::TileTuples;
using symmetry::Role;

namespace {

enum Operand { first = 0, second = 1 };

/// Which tiles a rank needs or makes, found once for all ranks that agree in the coordinates that matter.
class TileSets {
 public:
  using Numbers = std::vector<std::int64_t>;  // sorted

  TileSets(const BlockContraction& contraction)
      : contraction_(contraction),
        tiles_c_(*contraction.terms.c().distribution),
        units_c_(contraction.mapping.units_of(contraction.terms.c())) {
    for (std::size_t u = 0; u < contraction.mapping.units().size(); ++u) {
      if (contraction.mapping.units()[u].role == Role::summed) summed_.push_back(static_cast<int>(u));
    }
  }

  /// The combinations of tiles of summed units that a rank runs in a phase.
  std::vector<BlockTiles> steps(int rank, int phase) const {
    std::vector<BlockTiles> all;
    BlockTiles tiles = contraction_.mapping.no_tiles();
    contraction_.mapping.part(rank).for_each(summed_, tiles, [&] { all.push_back(tiles); });
    const auto count = static_cast<std::int64_t>(all.size());
    const std::int64_t begin = count * phase / contraction_.phases, end = count * (phase + 1) / contraction_.phases;
    return {all.begin() + begin, all.begin() + end};
  }

  const Numbers& needed(Operand operand, int rank, int phase) {
    const TiledTensor& tensor = operand == first ? contraction_.terms.a() : contraction_.terms.b();
    std::vector<int> units = contraction_.mapping.units_of(tensor);
    // Which steps a phase has depends on the summed units, too.
    std::vector<int> relevant = units;
    relevant.insert(relevant.end(), summed_.begin(), summed_.end());
    std::vector<int> key = contraction_.mapping.coordinates(rank, relevant);
    key.push_back(phase);
    key.push_back(contraction_.mapping.works(rank));
    const auto [entry, is_new] = needed_[operand].try_emplace(std::move(key));
    if (!is_new) return entry->second;
    std::erase_if(units, [&](int u) { return contraction_.mapping.units()[u].role == Role::summed; });
    const TensorTiles all(*tensor.distribution);
    std::set<std::int64_t> numbers;
    const auto part = contraction_.mapping.part(rank);
    for (BlockTiles& tiles : steps(rank, phase)) {
      part.for_each(units, tiles, [&] {
        for (const TileUse& use :
             operand == first ? contraction_.terms.read_a(tiles) : contraction_.terms.read_b(tiles)) {
          if (all.size(use.tile) > 0) numbers.insert(all.number(use.tile));
        }
      });
    }
    entry->second.assign(numbers.begin(), numbers.end());
    return entry->second;
  }

  /// The tiles of C that a rank has results for.
  const Numbers& made(int rank) {
    std::vector<int> relevant = units_c_;
    relevant.insert(relevant.end(), summed_.begin(), summed_.end());
    std::vector<int> key = contraction_.mapping.coordinates(rank, relevant);
    key.push_back(contraction_.mapping.works(rank));
    const auto [entry, is_new] = made_.try_emplace(std::move(key));
    if (!is_new) return entry->second;
    std::set<std::int64_t> numbers;
    bool works = false;
    for (int phase = 0; phase < contraction_.phases; ++phase) works = works || !steps(rank, phase).empty();
    BlockTiles tiles = contraction_.mapping.no_tiles();
    if (works) {
      contraction_.mapping.part(rank).for_each(units_c_, tiles, [&] {
        const TileUse use = contraction_.terms.write_c(tiles);
        if (tiles_c_.size(use.tile) > 0) numbers.insert(tiles_c_.number(use.tile));
      });
    }
    entry->second.assign(numbers.begin(), numbers.end());
    return entry->second;
  }

 private:
  const BlockContraction& contraction_;
  TensorTiles tiles_c_;
  std::vector<int> units_c_, summed_;
  std::map<std::vector<int>, Numbers> needed_[2], made_;
};

/// Ranges that follow one another become one.
void append(std::vector<Range>& ranges, Range range) {
  if (!ranges.empty() && ranges.back().begin + ranges.back().size == range.begin) {
    ranges.back().size += range.size;
  } else {
    ranges.push_back(range);
  }
}

class Builder {
 public:
  Builder(const BlockContraction& contraction, int rank)
      : contraction_(contraction),
        terms_(contraction.terms),
        rank_(rank),
        sets_(contraction),
        c_tiles_(*terms_.c().distribution),
        c_own_(terms_.c().distribution->local(rank)) {
    for (const TiledTensor* tensor : {&terms_.a(), &terms_.b()}) {
      if (!tensor->exists()) continue;
      tiles_.emplace_back(*tensor->distribution);
      own_.push_back(tensor->distribution->local(rank));
    }
  }

  BlockProgram run() {
    place_results();
    for (int phase = 0; phase < contraction_.phases; ++phase) add_phase(phase);
    finish_results();
    return std::move(program_);
  }

 private:
  const TiledTensor& tensor(std::size_t operand) const { return operand == first ? terms_.a() : terms_.b(); }

  // ---- What goes to whom.

  void add_phase(int phase) {
    Phase& here = program_.phases.emplace_back();
    fetched_.assign(tiles_.size(), {});
    for (std::size_t x = 0; x < tiles_.size(); ++x) {
      std::map<int, std::vector<std::int64_t>> from;  // peer: tiles
      for (std::int64_t number : sets_.needed(static_cast<Operand>(x), rank_, phase)) {
        const int source = tiles_[x].source(tiles_[x].tile(number), rank_);
        if (source != rank_) from[source].push_back(number);
      }
      for (const auto& [peer, numbers] : from) {
        TileMessage message{peer, 0, here.fetched[x], {}};
        for (std::int64_t number : numbers) {
          const std::int64_t size = tiles_[x].size(tiles_[x].tile(number));
          fetched_[x][number] = here.fetched[x];
          here.fetched[x] += size;
          message.size += size;
        }
        here.receives[x].push_back(std::move(message));
      }
      for (int away = 1; away < contraction_.mapping.ranks(); ++away) {
        const int peer = (rank_ + away) % contraction_.mapping.ranks();
        TileMessage message{peer, 0, 0, {}};
        for (std::int64_t number : sets_.needed(static_cast<Operand>(x), peer, phase)) {
          const TileTuples tile = tiles_[x].tile(number);
          if (tiles_[x].source(tile, peer) != rank_) continue;
          const std::int64_t size = tiles_[x].size(tile);
          append(message.ranges, {tiles_[x].begin(own_[x], tile), size});
          message.size += size;
        }
        if (message.size > 0) here.sends[x].push_back(std::move(message));
      }
    }
    for (BlockTiles& tiles : sets_.steps(rank_, phase)) add_step(tiles, here);
  }

  // ---- Results: own tiles, and partial sums for others.

  struct Result {
    TilePlace place;
    bool written = false;      // by an operation, or with what was there before
    bool overwritten = false;  // the first operation needs nothing to be there
  };

  void place_results() {
    for (std::int64_t number : sets_.made(rank_)) {
      const TileTuples tile = c_tiles_.tile(number);
      Result result;
      if (c_tiles_.owner(tile) == rank_) {
        result.place = {TilePlace::Where::own, c_tiles_.begin(c_own_, tile)};
        result.written = contraction_.accumulate;
      } else {
        result.place = {TilePlace::Where::partial, program_.partial};
        program_.partial += c_tiles_.size(tile);
      }
      results_.emplace(number, result);
    }
  }

  void finish_results() {
    std::map<int, TileMessage> to;
    for (const auto& [number, result] : results_) {
      if (result.place.where == TilePlace::Where::own) continue;
      const TileTuples tile = c_tiles_.tile(number);
      const Range range{result.place.begin, c_tiles_.size(tile)};
      const int peer = c_tiles_.owner(tile);
      TileMessage& message = to.try_emplace(peer, TileMessage{peer, 0, 0, {}}).first->second;
      append(message.ranges, range);
      message.size += range.size;
      if (!result.overwritten) append(program_.partial_cleared, range);
    }
    for (auto& [peer, message] : to) program_.partials_to.push_back(std::move(message));
    receive_partials();
    clear_unwritten();
  }

  void receive_partials() {
    for (int peer = 0; peer < contraction_.mapping.ranks(); ++peer) {
      if (peer == rank_) continue;
      TileMessage message{peer, 0, program_.partials_received, {}};
      for (std::int64_t number : sets_.made(peer)) {
        const TileTuples tile = c_tiles_.tile(number);
        if (c_tiles_.owner(tile) != rank_) continue;
        const std::int64_t size = c_tiles_.size(tile);
        append(message.ranges, {c_tiles_.begin(c_own_, tile), size});
        message.size += size;
      }
      if (message.size == 0) continue;
      program_.partials_received += message.size;
      program_.partials_from.push_back(std::move(message));
    }
  }

  /// Own elements that no operation overwrites.
  void clear_unwritten() {
    if (contraction_.accumulate) return;
    std::set<std::int64_t> overwritten;
    for (const auto& [number, result] : results_) {
      if (result.place.where == TilePlace::Where::own && result.overwritten) overwritten.insert(result.place.begin);
    }
    std::int64_t begin = 0;
    std::vector<int> at(c_own_.tiles().size(), 0);
    while (begin < c_own_.size()) {
      std::int64_t size = 1;
      for (std::size_t u = 0; u < at.size(); ++u) size *= c_own_.unit_size(u, at[u]);
      if (size > 0 && !overwritten.contains(begin)) append(program_.cleared, {begin, size});
      begin += size;
      for (std::size_t u = at.size(); u-- > 0;) {
        if (++at[u] < static_cast<int>(c_own_.tiles()[u].size())) break;
        at[u] = 0;
      }
    }
  }

  // ---- One step: sums of readings first, then products.

  struct Reading {
    TileUse use;
    TilePlace place;
  };

  void add_step(BlockTiles& tiles, Phase& phase) {
    const BlockMapping& mapping = contraction_.mapping;
    const auto part = mapping.part(rank_);
    std::vector<int> open;  // units that are not summed
    std::vector<int> of_operand[2];
    for (std::size_t u = 0; u < mapping.units().size(); ++u) {
      if (mapping.units()[u].role == Role::summed) continue;
      open.push_back(static_cast<int>(u));
      for (std::size_t x = 0; x < tiles_.size(); ++x) {
        if (tensor(x).has(mapping.units()[u].labels[0])) of_operand[x].push_back(static_cast<int>(u));
      }
    }
    const auto key_of = [&](std::size_t x) {
      std::vector<std::int64_t> key;
      for (int u : of_operand[x]) {
        for (int label : mapping.units()[u].labels) key.push_back(tiles[label]);
      }
      return key;
    };
    std::map<std::vector<std::int64_t>, std::vector<Reading>> readings[2];
    sums_ = 0;
    for (std::size_t x = 0; x < tiles_.size(); ++x) {
      part.for_each(of_operand[x], tiles, [&] { readings[x].emplace(key_of(x), read(x, tiles, phase)); });
    }
    part.for_each(open, tiles, [&] {
      const std::vector<Reading>& of_a = readings[first].at(key_of(first));
      static const std::vector<Reading> nothing(1);
      const std::vector<Reading>& of_b = tiles_.size() > 1 ? readings[second].at(key_of(second)) : nothing;
      for (const Reading& a : of_a) {
        for (const Reading& b : of_b) multiply(tiles, a, b, phase);
      }
    });
    program_.sums = std::max(program_.sums, sums_);
  }

  /// The readings of an operand in a block, summed up where they are alike.
  std::vector<Reading> read(std::size_t x, const BlockTiles& tiles, Phase& phase) {
    std::vector<Reading> readings;
    for (TileUse& use : x == first ? terms_.read_a(tiles) : terms_.read_b(tiles)) {
      if (tiles_[x].size(use.tile) == 0) continue;
      readings.push_back({std::move(use), {}});
      readings.back().place = place_of(x, readings.back().use);
    }
    const auto alike = [&](const Reading& reading) { return groups_of(reading.use) == groups_of(readings[0].use); };
    if (readings.size() < 2 || !std::all_of(readings.begin(), readings.end(), alike)) return readings;
    // A sum is an assignment, and there a label that stands twice means something else.
    const std::set<int> distinct(readings[0].use.labels.begin(), readings[0].use.labels.end());
    if (distinct.size() < readings[0].use.labels.size()) return readings;
    Reading sum{readings[0].use, {TilePlace::Where::summed, sums_}};
    sum.use.factor = 1;
    bool accumulate = false;
    for (const Reading& reading : readings) {
      const int operation = find_operation(sum.use, x, reading.use, x, nullptr);
      phase.operations.push_back(
          {operation, static_cast<int>(x), sum.place, reading.place, {}, reading.use.factor, accumulate});
      accumulate = true;
    }
    sums_ += tiles_[x].size(sum.use.tile);
    return {std::move(sum)};
  }

  /// The packed groups of a tile, as sets of labels.
  static std::set<std::set<int>> groups_of(const TileUse& use) {
    std::map<int, std::set<int>> groups;
    for (std::size_t m = 0; m < use.labels.size(); ++m) {
      if (use.group[m] >= 0) groups[use.group[m]].insert(use.labels[m]);
    }
    std::set<std::set<int>> result;
    for (auto& [number, labels] : groups) result.insert(std::move(labels));
    return result;
  }

  TilePlace place_of(std::size_t x, const TileUse& use) const {
    const std::int64_t own = tiles_[x].begin(own_[x], use.tile);
    if (own >= 0) return {TilePlace::Where::own, own};
    return {TilePlace::Where::fetched, fetched_[x].at(tiles_[x].number(use.tile))};
  }

  void multiply(const BlockTiles& tiles, const Reading& a, const Reading& b, Phase& phase) {
    const TileUse c = terms_.write_c(tiles);
    if (c_tiles_.size(c.tile) == 0) return;
    const bool has_b = tiles_.size() > 1;
    const int operation = find_operation(c, result_tile, a.use, first, has_b ? &b.use : nullptr);
    if (operation < 0) return;
    Result& result = results_.at(c_tiles_.number(c.tile));
    const double factor = c.factor * a.use.factor * (has_b ? b.use.factor : 1);
    const bool overwrites = !result.written && program_.operations[operation].covers;
    if (overwrites) result.overwritten = true;
    result.written = true;
    phase.operations.push_back({operation, first, result.place, a.place, b.place, factor, !overwrites});
  }

  // ---- Statements on tiles, each kind once.

  static constexpr std::size_t result_tile = 2;  // in place of an operand: C

  const TensorTiles& tiles_of(std::size_t which) const { return which == result_tile ? c_tiles_ : tiles_[which]; }

  /// -1 where the symmetries make it vanish. `out_is`, `a_is`: whose tiles they are.
  int find_operation(const TileUse& out, std::size_t out_is, const TileUse& a, std::size_t a_is, const TileUse* b) {
    LocalOperation operation;
    operation.extents.assign(contraction_.extents.size(), 1);
    const auto add = [&](const TileUse& use, std::size_t which, symmetry::Shape& shape, std::vector<int>& labels) {
      shape = tiles_of(which).shape(use.tile).shape;
      labels = use.labels;
      for (std::size_t m = 0; m < labels.size(); ++m) operation.extents[labels[m]] = shape.extents()[m];
    };
    add(out, out_is, operation.out_shape, operation.out_labels);
    add(a, a_is, operation.a_shape, operation.a_labels);
    operation.has_b = b != nullptr;
    if (b) add(*b, second, operation.b_shape, operation.b_labels);
    for (std::size_t i = 0; i < program_.operations.size(); ++i) {
      if (same(program_.operations[i], operation)) return vanishes_[i] ? -1 : static_cast<int>(i);
    }
    const symmetry::Labelled c{&operation.out_shape, operation.out_labels}, x{&operation.a_shape, operation.a_labels};
    const symmetry::Labelled y = b ? symmetry::Labelled{&operation.b_shape, operation.b_labels} : symmetry::Labelled{};
    const symmetry::Fold fold = symmetry::fold(c, x, y, operation.extents);
    operation.covers = fold.covers;
    operation.products = fold.products();
    operation.contract = b && wants_matrix_product(fold);
    program_.operations.push_back(std::move(operation));
    vanishes_.push_back(fold.vanishes);
    return fold.vanishes ? -1 : static_cast<int>(program_.operations.size()) - 1;
  }

  static bool same(const LocalOperation& x, const LocalOperation& y) {
    return x.out_labels == y.out_labels && x.a_labels == y.a_labels && x.b_labels == y.b_labels &&
           x.extents == y.extents && x.has_b == y.has_b && x.out_shape == y.out_shape && x.a_shape == y.a_shape &&
           x.b_shape == y.b_shape;
  }

  const BlockContraction& contraction_;
  const TileTerms& terms_;
  int rank_;
  TileSets sets_;
  TensorTiles c_tiles_;
  layout::LocalTiles c_own_;
  std::vector<TensorTiles> tiles_;
  std::vector<layout::LocalTiles> own_;
  std::vector<std::map<std::int64_t, std::int64_t>> fetched_;  // [operand]: where a tile is in the phase's buffer
  std::map<std::int64_t, Result> results_;
  std::vector<bool> vanishes_;
  std::int64_t sums_ = 0;
  BlockProgram program_;
};

}  // namespace

double BlockProgram::products() const {
  double sum = 0;
  for (const Phase& phase : phases) {
    for (const TileOperation& operation : phase.operations) sum += operations[operation.operation].products;
  }
  return sum;
}

std::int64_t BlockProgram::elements_sent() const {
  std::int64_t sum = 0;
  for (const Phase& phase : phases) {
    for (const auto& messages : phase.sends) {
      for (const TileMessage& message : messages) sum += message.size;
    }
  }
  for (const TileMessage& message : partials_to) sum += message.size;
  return sum;
}

std::int64_t BlockProgram::elements_received() const {
  std::int64_t sum = partials_received;
  for (const Phase& phase : phases) sum += phase.fetched[0] + phase.fetched[1];
  return sum;
}

std::int64_t BlockProgram::messages_sent() const {
  std::size_t sum = partials_to.size();
  for (const Phase& phase : phases) sum += phase.sends[0].size() + phase.sends[1].size();
  return static_cast<std::int64_t>(sum);
}

BlockProgram make_program(const BlockContraction& contraction, int rank) { return Builder(contraction, rank).run(); }

}  // namespace ricci::planning
