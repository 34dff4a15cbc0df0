#include "compile/parallel_disk_program.hpp"

#include <utility>

namespace ricci::compile::parallel_disk {

namespace {

class ProgramMaker {
 public:
  ProgramMaker(const ParallelDiskCase& c, const ParallelDiskMethod& method, ResidentArrays resident,
               const TileNumbers& tiles)
      : case_(c), method_(method), tiles_(tiles), blocks_(c, method, resident), loops_(blocks_.loops()) {}

  ParallelDiskProgram make() const {
    ParallelDiskProgram program{.method = method_,
                                .ranks = case_.ranks,
                                .log_p = case_.log_p(),
                                .labels = {},
                                .resident = blocks_.resident(),
                                .steps = {}};
    for (const Label label : all_labels) {
      const bool cut = label == loops_.last;
      program.labels[static_cast<std::size_t>(label)] = {blocks_.extent(label), blocks_.parts(label),
                                                         blocks_.local(label, tiles_, false),
                                                         blocks_.local(label, tiles_, cut)};
    }
    program.steps = steps();
    return program;
  }

 private:
  bool is(ParallelAlgorithm algorithm) const { return method_.algorithm == algorithm; }
  bool inside() const { return method_.communication == Communication::inside; }
  bool is_replicated(Array array) const { return is(ParallelAlgorithm::replication) && array == method_.replicated; }
  bool resident(Array array) const { return blocks_.resident().of(array); }

  std::vector<DiskStep> steps() const {
    std::vector<DiskStep> steps;
    for (const Array array : all_arrays) {
      if (!resident(array)) continue;
      steps.push_back(whole(DiskStepKind::read, array));
    }
    if (is(ParallelAlgorithm::replication) && (resident(method_.replicated) || !inside())) {
      steps.push_back(moved(method_.replicated));
    }
    if (is(ParallelAlgorithm::rotation) && !inside()) {
      DiskStep rotations{.kind = DiskStepKind::rotations, .rotations = blocks_.parts(Label::i), .body = {group(1)}};
      rotations.body.push_back(moved(Array::a));
      rotations.body.push_back(moved(Array::b));
      steps.push_back(std::move(rotations));
    } else {
      steps.push_back(group(1));
    }
    if (is(ParallelAlgorithm::accumulation) && (resident(Array::c) || !inside())) steps.push_back(moved(Array::c));
    if (resident(Array::c)) steps.push_back(whole(DiskStepKind::write, Array::c));
    return steps;
  }

  DiskStep whole(DiskStepKind kind, Array array) const {
    DiskStep step = sized(kind, array, {}, false);
    step.zero_first = kind == DiskStepKind::read && array == Array::c && !case_.accumulate;
    if (is_replicated(array)) step.sharing = case_.ranks;
    return step;
  }

  // The communication of a whole array: on disk, or in memory where the array is.
  DiskStep moved(Array array) const {
    DiskStep step = sized(collective(), array, {}, false);
    step.out_of_core = !resident(array);
    return step;
  }

  DiskStepKind collective() const {
    if (is(ParallelAlgorithm::rotation)) return DiskStepKind::shift;
    return is(ParallelAlgorithm::replication) ? DiskStepKind::broadcast : DiskStepKind::reduce;
  }

  DiskStep sized(DiskStepKind kind, Array array, const TileNumbers& tiles, bool with_inner) const {
    DiskStep step{.kind = kind, .array = array};
    for (const Label label : all_labels) {
      if (kind != DiskStepKind::multiply && !has_label(array, label)) continue;
      const bool cut = with_inner && label == loops_.last;
      step.global.push_back(blocks_.global(label, tiles, cut));
      step.local.push_back(blocks_.local(label, tiles, cut));
    }
    return step;
  }

  TileLoop loop(Label label, bool inner) const {
    const auto number = inner ? tiles_.inner(label) : tiles_.outer(label);
    return {label, inner, static_cast<std::int64_t>(number), blocks_.global(label, tiles_, inner)};
  }

  // Figure 3(b): the loops of a group, the statement that reads its array, what is within, and the write of C.
  DiskStep group(int number) const {
    const Array array = number == 1 ? loops_.first : number == 2 ? loops_.second : loops_.third;
    DiskStep step{.kind = DiskStepKind::loop};
    if (number == 1) step.loops = {loop(loops_.shared, false), loop(loops_.last, false)};
    if (number == 1 && loops_.last < loops_.shared) std::swap(step.loops[0], step.loops[1]);
    if (number == 2) step.loops = {loop(loops_.free, false)};
    if (number == 3) step.loops = {loop(loops_.last, true)};
    if (!resident(array)) add_read(step, array, number == 3);
    if (number < 3) {
      step.body.push_back(group(number + 1));
    } else {
      add_product(step);
    }
    if (array == Array::c && !resident(array)) add_write(step, number == 3);
    return step;
  }

  void add_read(DiskStep& step, Array array, bool with_inner) const {
    step.body.push_back(sized(DiskStepKind::read, array, tiles_, with_inner));
    step.body.back().zero_first = array == Array::c && !case_.accumulate;
    if (is_replicated(array) && inside()) {
      step.body.back().sharing = case_.ranks;
      step.body.push_back(sized(DiskStepKind::broadcast, array, tiles_, with_inner));
    }
  }

  void add_write(DiskStep& step, bool with_inner) const {
    if (is(ParallelAlgorithm::accumulation) && inside()) {
      step.body.push_back(sized(DiskStepKind::reduce, Array::c, tiles_, with_inner));
    }
    step.body.push_back(sized(DiskStepKind::write, Array::c, tiles_, with_inner));
  }

  void add_product(DiskStep& step) const {
    DiskStep product = sized(DiskStepKind::multiply, Array::c, tiles_, true);
    if (!is(ParallelAlgorithm::rotation) || !inside()) {
      step.body.push_back(std::move(product));
      return;
    }
    DiskStep rotations{.kind = DiskStepKind::rotations, .rotations = blocks_.parts(Label::i), .body = {product}};
    for (const Array array : {Array::a, Array::b}) {
      rotations.body.push_back(sized(DiskStepKind::shift, array, tiles_, true));
    }
    step.body.push_back(std::move(rotations));
  }

  ParallelDiskCase case_;
  ParallelDiskMethod method_;
  TileNumbers tiles_;
  BlockSizes blocks_;
  LoopRoles loops_;
};

}  // namespace

TileGrid ParallelDiskProgram::grid(Array array) const {
  const LoopRoles loops = roles_of(method.order);
  const auto side = [&](Label l) {
    const TileLevel level = resident.of(array)                        ? TileLevel::whole
                            : array == loops.third && l == loops.last ? TileLevel::inner
                                                                      : TileLevel::outer;
    return TileGrid::Side{l, level, l == loops.last ? TileLevel::inner : TileLevel::outer, label(l)};
  };
  const auto [x, y] = labels_of(array);
  const int sharing = is_replicated(array) ? ranks : 1;
  return transposed.of(array) ? TileGrid{side(y), side(x), sharing} : TileGrid{side(x), side(y), sharing};
}

ParallelDiskProgram make_program(const ParallelDiskCase& c, const ParallelDiskMethod& method, ResidentArrays resident,
                                 const TileNumbers& tiles) {
  return ProgramMaker(c, method, resident, tiles).make();
}

}  // namespace ricci::compile::parallel_disk
