#include "fusion/part_placements.hpp"

#include <algorithm>

#include "fusion/loop_scopes.hpp"

namespace ricci::fusion {

namespace {

struct MovedArray {
  int node;
  LabelSet dimens;
};

class PlacementMaker {
 public:
  PlacementMaker(const Tree& tree, const LoopStructure& skeleton, int contraction) {
    const Node& made = tree.nodes[static_cast<std::size_t>(contraction)];
    const auto add = [&](int v) {
      if (v < 0 || !skeleton[static_cast<std::size_t>(v)].on_disk) return;
      arrays_.push_back({v, set_of(tree.nodes[static_cast<std::size_t>(v)].labels)});
    };
    add(made.left);
    add(made.right);
    add(contraction);
    const LoopScopes scopes = loop_scopes(tree, skeleton);
    std::size_t width = 0;
    for (const int l : scopes.around[static_cast<std::size_t>(contraction)]) {
      const FusedLoop& loop = scopes.loops[static_cast<std::size_t>(l)];
      if (shared_.empty() || loop.scope.count() != width) shared_.push_back(0);
      width = loop.scope.count();
      shared_.back() |= bit(loop.label);
      all_shared_ |= bit(loop.label);
    }
  }

  std::vector<Placement> make() {
    choose(0, {});
    return std::move(result_);
  }

 private:
  /// Each array in front of an extra loop, or inside of all shared loops.
  void choose(std::size_t at, Placement placement) {
    if (at == arrays_.size()) {
      order_inner(std::move(placement));
      return;
    }
    placement.fusions.push_back({arrays_[at].node, inside});
    choose(at + 1, placement);
    LabelSet outer = 0;
    for (const LabelSet rank : shared_) {
      const LabelSet own = rank & arrays_[at].dimens;
      // All of its own loops of this rank come first, and it stops there. Another transfer may want another order of
      // them, in which it stops after some of its own and of the others.
      for (LabelSet extra = 0;; extra = (extra - (rank & ~own)) & (rank & ~own)) {
        if (extra == (rank & ~own)) break;  // inside of all of them: the next rank's business
        for (LabelSet part = own;; part = (part - 1) & own) {
          placement.fusions.back().loops = outer | part | extra;
          choose(at + 1, placement);
          if (part == 0) break;
        }
      }
      outer |= rank;
    }
  }

  /// Transfers inside of all shared loops, in every order.
  void order_inner(Placement placement) {
    std::vector<std::size_t> inner;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (placement.fusions[i].loops == inside) inner.push_back(i);
    }
    do {
      // Loops that the first transfer may leave to the third one, so as not to be extra to the second one.
      LabelSet late = 0;
      if (inner.size() == 3)
        late = arrays_[inner[0]].dimens & ~arrays_[inner[1]].dimens & arrays_[inner[2]].dimens & ~all_shared_;
      for (LabelSet left_out = late;; left_out = (left_out - 1) & late) {
        LabelSet loops = all_shared_;
        for (std::size_t i = 0; i < inner.size(); ++i) {
          loops |= arrays_[inner[i]].dimens & (i == 0 ? ~left_out : ~LabelSet{0});
          placement.fusions[inner[i]].loops = loops;
        }
        result_.push_back(placement);
        if (left_out == 0) break;
      }
    } while (std::next_permutation(inner.begin(), inner.end()));
  }

  static constexpr LabelSet inside = ~LabelSet{0};
  std::vector<MovedArray> arrays_;
  std::vector<LabelSet> shared_;  // by rank, widest scope first
  LabelSet all_shared_ = 0;
  std::vector<Placement> result_;
};

}  // namespace

std::vector<Placement> placements(const Tree& tree, const LoopStructure& skeleton, int contraction) {
  return PlacementMaker(tree, skeleton, contraction).make();
}

void place(const Placement& placement, int contraction, LoopStructure& structure) {
  for (const Placement::Fusion& fusion : placement.fusions) {
    EdgeFusion& edge = structure[static_cast<std::size_t>(fusion.node)];
    (fusion.node == contraction ? edge.produce : edge.consume) = fusion.loops;
  }
}

}  // namespace ricci::fusion
