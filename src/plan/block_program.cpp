#include "plan/block_program.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "plan/operation_table.hpp"
#include "plan/partial_sums.hpp"
#include "plan/tile_routes.hpp"
#include "plan/tile_sets.hpp"

namespace ricci::planning {

using layout::TensorTiles;
using layout::TileTuples;
using symmetry::Role;

namespace {

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
      const auto operand = static_cast<Operand>(tiles_.size());
      tiles_.emplace_back(*tensor->distribution);
      own_.push_back(tensor->stored->local(rank));
      routes_.emplace_back(contraction, sets_, operand, rank);
    }
  }

  BlockProgram run(const std::function<void(Phase)>& take) {
    program_.lean = contraction_.lean;
    place_results();
    for (int phase = 0; phase < contraction_.phases; ++phase) take(make_phase(phase));
    finish_results();
    return std::move(program_);
  }

 private:
  const TiledTensor& tensor(std::size_t operand) const { return operand == first ? terms_.a() : terms_.b(); }

  // ---- What goes to whom.

  Phase make_phase(int phase) {
    Phase here;
    fetched_.resize(tiles_.size());
    for (std::size_t x = 0; x < tiles_.size(); ++x) {
      if (tensor(x).is_cut_anew()) {
        cut_anew(x, phase, here);
      } else {
        routes_[x].add_phase(phase, here);
        fetched_[x] = routes_[x].fetched();
      }
    }
    for (const BlockTiles& tiles : sets_.steps(rank_, phase)) add_step(tiles, here);
    return here;
  }

  void cut_anew(std::size_t x, int phase, Phase& here) {
    const auto wanted = [&](int rank) -> const std::vector<std::int64_t>& {
      return sets_.needed(static_cast<Operand>(x), rank, phase);
    };
    here.cut_anew[x] = std::make_shared<const layout::Redistribution>(layout::Redistribution::fetch(
        *tensor(x).stored, *tensor(x).distribution, wanted, rank_, contraction_.element_size,
        contraction_.lean ? layout::Rounds::lean : layout::Rounds::usual));
    fetched_[x].clear();
    for (std::int64_t number : wanted(rank_)) {
      fetched_[x][number] = here.fetched[x];
      here.fetched[x] += tiles_[x].size(tiles_[x].tile(number));
    }
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
    std::map<std::int64_t, std::int64_t> begin;  // of partial sums
    for (const auto& [number, result] : results_) {
      if (result.place.where == TilePlace::Where::own) continue;
      begin[number] = result.place.begin;
      if (!result.overwritten) {
        append(program_.partial_cleared, {result.place.begin, c_tiles_.size(c_tiles_.tile(number))});
      }
    }
    add_partial_messages(contraction_, sets_, rank_, begin, program_);
    clear_unwritten();
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
    LabelledTile tile;
    TilePlace place;
    double factor;
  };

  void add_step(BlockTiles tiles, Phase& phase) {
    const BlockMapping& mapping = contraction_.mapping;
    const auto& part = mapping.part(rank_);
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
    std::int64_t blocks = 0;
    part.for_each(open, tiles, [&] { ++blocks; });
    for (std::size_t x = 0; x < tiles_.size(); ++x) {
      std::int64_t own = 0;
      part.for_each(of_operand[x], tiles, [&] { ++own; });
      part.for_each(of_operand[x], tiles, [&] {
        std::vector<Reading> here = read(x, tiles, phase);
        if (here.size() == 1 && blocks > own) symmetrise(x, tiles, here[0], phase);
        readings[x].emplace(key_of(x), std::move(here));
      });
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
    for (const TileUse& use : x == first ? terms_.read_a(tiles) : terms_.read_b(tiles)) {
      if (tiles_[x].size(use.tile) == 0) continue;
      readings.push_back({{tiles_[x].shape(use.tile).shape, use.labels}, place_of(x, use), use.factor});
    }
    const auto alike = [&](const Reading& reading) { return groups_of(reading.tile) == groups_of(readings[0].tile); };
    if (readings.size() < 2 || !std::all_of(readings.begin(), readings.end(), alike)) return readings;
    if (repeats_label(readings[0].tile)) return readings;
    const Reading sum{readings[0].tile, room_for(readings[0].tile), 1};
    bool accumulate = false;
    for (const Reading& reading : readings) {
      const int operation = table_.find(sum.tile, reading.tile, nullptr, contraction_.extents.size());
      phase.operations.push_back(
          {operation, static_cast<int>(x), sum.place, reading.place, {}, reading.factor, accumulate});
      accumulate = true;
    }
    return {sum};
  }

  /// Where a tile takes part in several products that would each symmetrise it, it is done once.
  void symmetrise(std::size_t x, const BlockTiles& tiles, Reading& reading, Phase& phase) {
    const std::vector<Symmetrisation> wanted = terms_.within_tiles(x == second, tiles);
    if (wanted.empty() || repeats_label(reading.tile)) return;
    LabelledTile result = reading.tile;
    std::set<int> taken;
    Symmetry symmetry;
    double factor = 1;
    const auto add = [&](SymmetryKind kind, const std::vector<int>& labels) {
      std::vector<int> modes;
      for (int label : labels) {
        taken.insert(label);
        modes.push_back(
            static_cast<int>(std::find(result.labels.begin(), result.labels.end(), label) - result.labels.begin()));
      }
      std::sort(modes.begin(), modes.end());
      symmetry = symmetry * Symmetry(kind, modes);
    };
    for (const Symmetrisation& unit : wanted) {
      add(unit.kind, unit.labels);
      factor /= unit.weight;
    }
    // Its own groups stay, but for the labels that now belong to another one: what products do with the tile depends on
    // all the symmetry that it has.
    for (const SymmetryGroup& group : reading.tile.shape.symmetry().groups()) {
      std::vector<int> labels;
      for (int mode : group.modes) {
        if (!taken.contains(reading.tile.labels[mode])) labels.push_back(reading.tile.labels[mode]);
      }
      if (labels.size() > 1) add(group.kind, labels);
    }
    result.shape = symmetry::Shape(reading.tile.shape.extents(), symmetry);
    const int operation = table_.find(result, reading.tile, nullptr, contraction_.extents.size());
    if (operation < 0 || !program_.operations[operation].covers) return;
    const TilePlace place = room_for(result);
    phase.operations.push_back({operation, static_cast<int>(x), place, reading.place, {}, 1, false});
    reading = {std::move(result), place, reading.factor * factor};
  }

  TilePlace room_for(const LabelledTile& tile) {
    const TilePlace place{TilePlace::Where::summed, sums_};
    sums_ += tile.shape.stored_size();
    return place;
  }

  /// A sum is an assignment, and there a label that stands twice means something else.
  static bool repeats_label(const LabelledTile& tile) {
    const std::set<int> distinct(tile.labels.begin(), tile.labels.end());
    return distinct.size() < tile.labels.size();
  }

  /// The packed groups of a tile, as sets of labels.
  static std::set<std::set<int>> groups_of(const LabelledTile& tile) {
    std::set<std::set<int>> groups;
    for (const SymmetryGroup& group : tile.shape.symmetry().groups()) {
      std::set<int> labels;
      for (int mode : group.modes) labels.insert(tile.labels[mode]);
      groups.insert(std::move(labels));
    }
    return groups;
  }

  TilePlace place_of(std::size_t x, const TileUse& use) const {
    const std::int64_t own = tensor(x).is_cut_anew() ? -1 : tiles_[x].begin(own_[x], use.tile);
    if (own >= 0) return {TilePlace::Where::own, own};
    return {TilePlace::Where::fetched, fetched_[x].at(tiles_[x].number(use.tile))};
  }

  void multiply(const BlockTiles& tiles, const Reading& a, const Reading& b, Phase& phase) {
    const TileUse c = terms_.write_c(tiles);
    if (c_tiles_.size(c.tile) == 0) return;
    const bool has_b = tiles_.size() > 1;
    const int operation = table_.find({c_tiles_.shape(c.tile).shape, c.labels}, a.tile, has_b ? &b.tile : nullptr,
                                      contraction_.extents.size());
    if (operation < 0) return;
    Result& result = results_.at(c_tiles_.number(c.tile));
    const double factor = c.factor * a.factor * (has_b ? b.factor : 1);
    const bool overwrites = !result.written && program_.operations[operation].covers;
    if (overwrites) result.overwritten = true;
    result.written = true;
    phase.operations.push_back({operation, first, result.place, a.place, b.place, factor, !overwrites});
  }

  BlockProgram program_;
  const BlockContraction& contraction_;
  const TileTerms& terms_;
  int rank_;
  TileSets sets_;
  TensorTiles c_tiles_;
  layout::LocalTiles c_own_;
  std::vector<TensorTiles> tiles_;
  std::vector<layout::LocalTiles> own_;
  std::vector<TileRoutes> routes_;
  std::vector<std::map<std::int64_t, std::int64_t>> fetched_;  // [operand]: where a tile is in the phase's buffer
  std::map<std::int64_t, Result> results_;
  OperationTable table_{program_.operations};
  std::int64_t sums_ = 0;
};

}  // namespace

BlockProgram make_program(const BlockContraction& contraction, int rank, const std::function<void(Phase)>& take) {
  return Builder(contraction, rank).run(take);
}

BlockProgram make_program(const BlockContraction& contraction, int rank) {
  std::vector<Phase> phases;
  BlockProgram program = make_program(contraction, rank, [&](Phase phase) { phases.push_back(std::move(phase)); });
  program.phases = std::move(phases);
  return program;
}

}  // namespace ricci::planning
