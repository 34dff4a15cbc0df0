#include "fusion/part_search.hpp"

#include <algorithm>

namespace ricci::fusion {

namespace {

bool has(const Members& members, int v) { return std::find(members.begin(), members.end(), v) != members.end(); }

}  // namespace

std::vector<Members> parts_with_root(const Forest& forest, const Tree& tree, int root, const std::vector<bool>& may_cut,
                                     int most_fused, bool& exhaustive) {
  std::vector<Members> parts = {{}};
  const Node& node = tree.nodes[static_cast<std::size_t>(root)];
  for (const int child : {node.left, node.right}) {
    if (child < 0 || tree.nodes[static_cast<std::size_t>(child)].is_leaf()) continue;
    const Home home = forest.arrays[static_cast<std::size_t>(tree.nodes[static_cast<std::size_t>(child)].array)].home;
    std::vector<Members> choices;
    if (may_cut[static_cast<std::size_t>(child)]) choices.push_back({});
    if (home != Home::disk) {
      const int most = home == Home::memory ? most_fused : most_fused - 1;
      if (most < 1)
        exhaustive = false;
      else {
        for (Members& members : parts_with_root(forest, tree, child, may_cut, most, exhaustive))
          choices.push_back(std::move(members));
      }
    }
    std::vector<Members> longer;
    for (const Members& part : parts) {
      for (const Members& choice : choices) {
        longer.push_back(part);
        longer.back().insert(longer.back().end(), choice.begin(), choice.end());
      }
    }
    parts = std::move(longer);
  }
  for (Members& part : parts) part.push_back(root);
  std::stable_sort(parts.begin(), parts.end(), [](const Members& a, const Members& b) { return a.size() < b.size(); });
  return parts;
}

double PartSearch::moved_bytes(int contraction, const LoopStructure& structure) const {
  const Node& node = tree_.nodes[static_cast<std::size_t>(contraction)];
  double bytes = 0;
  for (const int v : {node.left, node.right, contraction}) {
    if (v >= 0 && structure[static_cast<std::size_t>(v)].on_disk)
      bytes += size_in_bytes(forest_, tree_.nodes[static_cast<std::size_t>(v)]);
  }
  return bytes;
}

double PartSearch::least_seconds(const Members& members, const LoopStructure& structure) const {
  double seconds = 0;
  for (const int v : members) {
    const Node& node = tree_.nodes[static_cast<std::size_t>(v)];
    for (const int child : {node.left, node.right}) {
      if (child < 0 || !structure[static_cast<std::size_t>(child)].on_disk) continue;
      seconds +=
          size_in_bytes(forest_, tree_.nodes[static_cast<std::size_t>(child)]) / options_.disk.read_bytes_per_second;
    }
    if (structure[static_cast<std::size_t>(v)].on_disk)
      seconds += size_in_bytes(forest_, node) / options_.disk.write_bytes_per_second;
  }
  return seconds;
}

std::optional<PartSearch::Result> PartSearch::run(const Members& members, const LoopStructure& structure,
                                                  double below) {
  members_ = members;
  order_ = members;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return moved_bytes(a, structure) > moved_bytes(b, structure); });
  for_memory_ = false;
  below_ = below;
  best_.reset();
  LoopStructure skeleton = structure;
  fuse(members.size(), skeleton);
  return best_;
}

double PartSearch::least_memory(const Members& members, const LoopStructure& structure) {
  members_ = order_ = members;
  for_memory_ = true;
  least_bytes_ = std::numeric_limits<double>::infinity();
  LoopStructure skeleton = structure;
  fuse(members.size(), skeleton);
  return least_bytes_;
}

void PartSearch::fuse(std::size_t member, LoopStructure& structure) {
  while (member > 0 && members_[member - 1] == members_.back()) --member;  // the root has no fusion with a consumer
  if (member == 0) {
    order_operands(0, structure);
    return;
  }
  const int v = members_[member - 1];
  EdgeFusion& edge = structure[static_cast<std::size_t>(v)];
  const LabelSet dimens = set_of(tree_.nodes[static_cast<std::size_t>(v)].labels);
  for (LabelSet loops = dimens;; loops = (loops - 1) & dimens) {
    edge.produce = edge.consume = loops;
    if (is_legal(tree_, structure)) fuse(member - 1, structure);
    if (loops == 0) break;
  }
  edge.produce = edge.consume = 0;
}

void PartSearch::order_operands(std::size_t member, LoopStructure& skeleton) {
  if (member == members_.size()) {
    place_all(skeleton);
    return;
  }
  order_operands(member + 1, skeleton);
  const Node& node = tree_.nodes[static_cast<std::size_t>(members_[member])];
  if (!has(members_, node.left) || !has(members_, node.right)) return;
  bool& right_first = skeleton[static_cast<std::size_t>(members_[member])].right_first;
  right_first = true;
  order_operands(member + 1, skeleton);
  right_first = false;
}

TileProblem PartSearch::problem_of(const LoopStructure& structure, const std::vector<int>& undecided) const {
  const LoweredPart part = lower(forest_, tree_, structure, members_.back(), options_.lower);
  TileProblem problem = make_tile_problem(part.program, options_.disk);
  for (std::size_t b = 0; b < part.nodes.size(); ++b) {  // takes no memory, and each array once: a bound from below
    if (has(undecided, part.nodes[b])) problem.blocks[b].whole_bytes = 0;
  }
  return problem;
}

void PartSearch::look_at(const TileProblem& problem, const LoopStructure& structure, bool complete, bool& promising) {
  if (for_memory_) {
    const double bytes = least_bytes(problem, options_.tiles);
    promising = bytes < least_bytes_;
    if (promising && complete) least_bytes_ = bytes;
    return;
  }
  if (!complete && !options_.prune) {
    promising = true;
    return;
  }
  const double below = !best_ ? below_ : std::min(below_, best_->seconds * (1 - options_.tiles.tolerance));
  TileOptions tiles = options_.tiles;
  tiles.any = !complete;
  candidates += complete ? 1 : 0;
  const std::optional<TileChoice> choice = search_tiles(problem, limit_, tiles, below);
  promising = choice.has_value();
  if (!choice || !complete) return;
  exhaustive = exhaustive && choice->proven;
  best_ = Result{structure, choice->seconds};
}

void PartSearch::place_all(const LoopStructure& skeleton) {
  std::vector<std::vector<Placement>> ways;
  for (const int v : order_) ways.push_back(placements(tree_, skeleton, v));
  LoopStructure structure = skeleton;
  place_next(skeleton, 0, structure, ways);
}

void PartSearch::place_next(const LoopStructure& skeleton, std::size_t at, LoopStructure& structure,
                            const std::vector<std::vector<Placement>>& ways) {
  std::vector<int> undecided;
  for (std::size_t i = at; i < order_.size(); ++i) {
    for (const Placement::Fusion& fusion : ways[i].front().fusions) undecided.push_back(fusion.node);
  }
  const bool complete = at == order_.size();
  bool promising = true;
  look_at(problem_of(structure, undecided), structure, complete, promising);
  if (!promising || complete) return;
  for (const Placement& way : ways[at]) {
    place(way, order_[at], structure);
    if (is_legal(tree_, structure)) place_next(skeleton, at + 1, structure, ways);
  }
  for (const Placement::Fusion& fusion : ways[at].front().fusions) {
    place({{{fusion.node, 0}}}, order_[at], structure);
  }
}

}  // namespace ricci::fusion
