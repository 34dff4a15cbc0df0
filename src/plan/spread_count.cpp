#include "plan/spread_count.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "layout/redistribution.hpp"
#include "plan/spread_estimate.hpp"

namespace ricci::planning {

using layout::TensorTiles;
using layout::TileTuple;
using symmetry::Role;

namespace {

/// Sizes of tiles, and how much of them a rank has already in the tiles in which the tensor is stored: products over
/// the units, each worked out once.
class TileParts {
 public:
  TileParts(const TiledTensor& tensor, const TensorTiles& tiles, int rank)
      : tensor_(tensor),
        tiles_(tiles),
        coordinates_(tensor.stored->coordinates(rank)),
        known_(tensor.stored->units().size()),
        last_(known_.size()) {}

  struct Part {
    std::int64_t size = 1, own = 1;
  };
  /// Quick for numbers that come in order: what the slower units are at has been worked out before.
  Part operator()(std::int64_t number) {
    bool changed = false;
    Part product;
    for (std::size_t u = 0; u < known_.size(); ++u) {
      const std::int64_t rank = number / tiles_.stride(u);
      number %= tiles_.stride(u);
      if (changed || last_[u].rank != rank) {
        changed = true;
        const auto [entry, is_new] = known_[u].try_emplace(rank);
        if (is_new) entry->second = part_of(u, tiles_.unit_tile(u, rank));
        last_[u] = {rank, {product.size * entry->second.size, product.own * entry->second.own}};
      }
      product = last_[u].so_far;
    }
    return product;
  }
  /// What a rank has of the tensor, on average.
  std::int64_t own_size() const {
    return tensor_.stored->shape().stored_size() * tensor_.stored->copies() / tensor_.stored->ranks();
  }

 private:
  Part part_of(std::size_t u, const TileTuple& tile) const {
    const layout::Unit &unit = tensor_.distribution->units()[u], &stored = tensor_.stored->units()[u];
    Part part{unit.size(tile), 0};
    if (!tensor_.is_cut_anew()) {
      part.own = stored.is_at(tile, coordinates_) ? part.size : 0;
      return part;
    }
    for (const TileTuple& tuple : overlapping(unit, tile, stored)) {
      if (stored.is_at(tuple, coordinates_)) part.own += common_elements(unit, tile, stored, tuple);
    }
    return part;
  }

  const TiledTensor& tensor_;
  const TensorTiles& tiles_;
  std::vector<int> coordinates_;
  std::vector<std::unordered_map<std::int64_t, Part>> known_;
  struct Last {
    std::int64_t rank = -1;
    Part so_far;  // product over this unit and those before
  };
  std::vector<Last> last_;  // [unit]
};

/// Sizes of the rank's tiles of a unit: all of them together, and how many.
struct UnitPart {
  double elements = 0, tiles = 0;
};

UnitPart part_of_unit(const BlockContraction& contraction, int rank, int u) {
  const auto& labels = contraction.mapping.units()[u].labels;
  // The tiles of a label, from whichever tensor has it.
  const TiledTensor* tensor = nullptr;
  for (const TiledTensor* candidate : {&contraction.terms.c(), &contraction.terms.a(), &contraction.terms.b()}) {
    if (candidate->exists() && candidate->has(labels[0])) tensor = candidate;
  }
  const auto& tensor_labels = tensor->labelled.labels;
  const int mode =
      static_cast<int>(std::find(tensor_labels.begin(), tensor_labels.end(), labels[0]) - tensor_labels.begin());
  const layout::Tiling& tiling = tensor->distribution->units()[tensor->labelled.shape->dim_of_mode(mode)].tiling();
  UnitPart part;
  BlockTiles tiles = contraction.mapping.no_tiles();
  contraction.mapping.part(rank).for_each({u}, tiles, [&] {
    double elements = 1, repeats = 1;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      elements *= static_cast<double>(tiling.size(tiles[labels[i]]));
      repeats = i > 0 && tiles[labels[i]] == tiles[labels[i - 1]] ? repeats + 1 : 1;
      elements /= repeats;
    }
    part.elements += elements;
    part.tiles += 1;
  });
  return part;
}

// What a program takes by itself, in words: for every product and for every piece of an operand that is cut anew, as it
// is while its phase runs, and as it is kept where there are several phases (PackedPhases).
constexpr double words_of_operation = 11, words_of_piece = 40, words_of_cut = 250, kept = 0.05;

// Measured: small blocks of kernels are copied more often.
constexpr double slowdown_of_lean_kernels = 1.2;

/// What a kernel copies a block of these sides into (kernels::LocalContraction), in elements of 8 bytes.
std::int64_t kernel_buffers(double rows, double columns, double summed, bool lean) {
  const double depth = std::clamp(summed, 1.0, lean ? 64.0 : 384.0);
  const double most_rows = lean ? 24 : 98304 / depth, most_columns = lean ? 192 : 4096;
  const double panels = depth * (2 * std::min(rows, most_rows) + std::min(columns, most_columns));
  const double places = 3 * (std::min(rows, most_rows) + std::min(columns, most_columns) + depth);
  return static_cast<std::int64_t>(panels + places);
}

/// What packs and unpacks an operand that is cut anew, where so much of it comes in a phase from so many ranks
/// (exec::Redistribute).
std::int64_t packing_buffers(std::int64_t fetched, std::int64_t peers, const BlockContraction& contraction, bool lean) {
  const int ranks = contraction.mapping.ranks();
  const std::int64_t message =
      layout::Redistribution::longest_message(ranks, lean ? layout::Rounds::lean : layout::Rounds::usual) /
      static_cast<std::int64_t>(contraction.element_size);
  const std::int64_t round = message * std::clamp<std::int64_t>(peers, 1, ranks);
  return fetched > round ? 4 * round : 2 * fetched;
}

}  // namespace

int busiest_rank(const BlockContraction& contraction) {
  constexpr int most_ranks = 1024;
  const std::size_t units = contraction.mapping.units().size();
  std::vector<std::map<std::vector<int>, double>> elements(units);  // of ranks at these coordinates
  double most = -1;
  int busiest = 0;
  for (int rank = 0; rank < std::min(contraction.mapping.ranks(), most_ranks); ++rank) {
    if (!contraction.mapping.works(rank)) continue;
    double products = 1;
    for (std::size_t u = 0; u < units; ++u) {
      const int unit = static_cast<int>(u);
      const auto [entry, is_new] = elements[u].try_emplace(contraction.mapping.coordinates(rank, {unit}));
      if (is_new) entry->second = part_of_unit(contraction, rank, unit).elements;
      products *= entry->second;
    }
    if (products > most) {
      most = products;
      busiest = rank;
    }
  }
  return busiest;
}

RankCount count_for_rank(const BlockContraction& contraction, int rank) {
  TileSets sets(contraction);
  return count_for_rank(contraction, rank, sets);
}

RankCount count_for_rank(const BlockContraction& contraction, int rank, TileSets& sets, int looked_at) {
  RankCount count;
  count.blocks = count.products = 1;
  count.phases = contraction.phases;
  double rows = 1, columns = 1, summed = 1;  // of a block, on average
  for (std::size_t u = 0; u < contraction.mapping.units().size(); ++u) {
    const UnitPart part = part_of_unit(contraction, rank, static_cast<int>(u));
    count.blocks *= part.tiles;
    count.products *= part.elements;
    const Role role = contraction.mapping.units()[u].role;
    (role == Role::row ? rows : role == Role::summed ? summed : columns) *= part.elements / std::max(1.0, part.tiles);
  }
  count.slowdown = slowdown_of_blocks(rows, columns, summed);
  count.lean_slowdown = count.slowdown * slowdown_of_lean_kernels;
  const int phases = std::min(contraction.phases, looked_at);
  const auto of_all = [&](std::int64_t counted) { return counted * contraction.phases / phases; };
  std::vector<std::int64_t> of_phase(static_cast<std::size_t>(phases) + 1, 0);
  std::int64_t sums = 0, packing[2] = {0, 0};  // the latter: as usual, and lean
  bool any_cut = false;
  const double tables_there = contraction.phases > 1 ? kept + 2.0 / contraction.phases : 1;
  double tables = words_of_operation * count.blocks * tables_there;
  for (const Operand operand : {first, second}) {
    const TiledTensor& tensor = operand == first ? contraction.terms.a() : contraction.terms.b();
    if (!tensor.exists()) continue;
    const TensorTiles tiles(*tensor.distribution);
    TileParts parts(tensor, tiles, rank);
    const bool cut_anew = tensor.is_cut_anew();
    const std::int64_t before = count.fetched;
    std::int64_t most = 0;  // of a step
    std::int64_t most_fetched = 0, most_peers = 1, all_missing = 0;
    for (int i = 0; i < phases; ++i) {
      const int phase = static_cast<int>(std::int64_t{i} * contraction.phases / phases);
      std::int64_t touched = 0, fetched = 0, missing = 0;  // the last: tiles
      for (std::int64_t number : sets.needed(operand, rank, phase)) {
        const auto [size, own] = parts(number);
        touched += size;
        fetched += size - own;
        of_phase[i] += cut_anew ? size : size - own;
        missing += size > own ? 1 : 0;
        if (cut_anew) tables += 2.0 * words_of_piece * contraction.phases / phases * tables_there;
      }
      count.touched += of_all(touched);
      count.fetched += of_all(fetched);
      most_fetched = std::max(most_fetched, fetched);
      all_missing += missing;
      // Messages of several tiles are packed: about as much goes out as comes in.
      const std::int64_t peers = fetched / std::max<std::int64_t>(1, parts.own_size()) + 1;
      if (!cut_anew && missing > peers) of_phase[i] += fetched;
      most_peers = std::max(most_peers, peers);
      const auto steps = static_cast<std::int64_t>(sets.steps(rank, phase).size());
      most = std::max(most, touched / std::max<std::int64_t>(1, steps));
    }
    if (cut_anew) {
      any_cut = true;
      for (int lean : {0, 1}) {
        packing[lean] = std::max(packing[lean], packing_buffers(most_fetched, most_peers, contraction, lean == 1));
      }
      tables += words_of_cut * contraction.phases * tables_there;
    }
    if (contraction.terms.is_symmetrised(operand == second)) sums += most;
    const std::int64_t from_others = count.fetched - before;
    if (from_others == 0) continue;
    const std::int64_t holders = std::min<std::int64_t>(
        tensor.stored->ranks(), parts.own_size() > 0 ? from_others / parts.own_size() + 1 : all_missing);
    count.messages += holders;
    FanOut& fan_out = count.fetches[operand];
    const double all_phases = contraction.phases;
    fan_out.bytes = static_cast<double>(from_others) * static_cast<double>(contraction.element_size) / all_phases;
    fan_out.holders = std::max(1.0, static_cast<double>(std::min(holders, of_all(all_missing))) / all_phases);
    // Ranks begin with different phases.
    fan_out.receivers = cut_anew ? 1 : std::max(1.0, (contraction.mapping.sharing(tensor) - 1) / all_phases);
  }
  int owners = 0;  // others
  for (const auto& [owner, elements] : sets.made_for(rank)) {
    if (owner == rank) continue;
    ++owners;
    count.partial += static_cast<std::int64_t>(elements);
  }
  count.messages += owners;
  count.sums = {static_cast<double>(count.partial) * static_cast<double>(contraction.element_size),
                static_cast<double>(owners),
                static_cast<double>(contraction.mapping.sharing(contraction.terms.c()) - 1)};
  std::int64_t fetched = 0;  // that is there at a time: phases that are cut anew come alone
  for (std::size_t phase = 0; phase + 1 < of_phase.size(); ++phase) {
    const std::int64_t next = phases < contraction.phases ? of_phase[phase] : of_phase[phase + 1];
    fetched = std::max(fetched, of_phase[phase] + (any_cut ? 0 : next));
  }
  const std::int64_t always = sums + 2 * count.partial + static_cast<std::int64_t>(tables) + fetched;
  count.buffers = always + std::max(packing[0], kernel_buffers(rows, columns, summed, false));
  count.lean_buffers = always + std::max(packing[1], kernel_buffers(rows, columns, summed, true));
  return count;
}

}  // namespace ricci::planning
