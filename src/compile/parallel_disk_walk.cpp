#include "compile/parallel_disk_walk.hpp"

namespace ricci::compile::parallel_disk {

bool DiskEvent::first_visit() const {
  const TilePlace& k = at[static_cast<std::size_t>(Label::k)];
  return rotation == 0 && k.outer <= 0 && k.inner <= 0;
}

DiskWalk::DiskWalk(const ParallelDiskProgram& program) : program_(&program) {
  frames_.push_back({&program.steps, 0, nullptr});
}

bool DiskWalk::next(DiskEvent& event) {
  while (!frames_.empty()) {
    Frame& top = frames_.back();
    if (top.next == top.steps->size()) {
      if (top.around != nullptr && advance(*top.around))
        top.next = 0;
      else
        frames_.pop_back();
      continue;
    }
    const DiskStep& step = (*top.steps)[top.next++];
    if (step.kind != DiskStepKind::loop && step.kind != DiskStepKind::rotations) {
      event = {&step, at_, rotation_};
      return true;
    }
    enter(step);
    frames_.push_back({&step.body, 0, &step});
  }
  return false;
}

std::int64_t& DiskWalk::place(const TileLoop& loop) {
  TilePlace& at = at_[static_cast<std::size_t>(loop.label)];
  return loop.inner ? at.inner : at.outer;
}

std::int64_t DiskWalk::tiles(const TileLoop& loop) const {
  const LabelTiles& label = program_->labels[static_cast<std::size_t>(loop.label)];
  return loop.inner ? label.inner_tiles(at_[static_cast<std::size_t>(loop.label)].outer) : label.outer_tiles();
}

void DiskWalk::enter(const DiskStep& step) {
  if (step.kind == DiskStepKind::rotations) rotation_ = 0;
  for (const TileLoop& loop : step.loops) place(loop) = 0;
}

// The last loop runs fastest; what has ended is left as it was found.
bool DiskWalk::advance(const DiskStep& step) {
  if (step.kind == DiskStepKind::rotations) {
    if (++rotation_ < step.rotations) return true;
    rotation_ = 0;
    return false;
  }
  for (auto loop = step.loops.rbegin(); loop != step.loops.rend(); ++loop) {
    if (++place(*loop) < tiles(*loop)) return true;
    place(*loop) = 0;
  }
  for (const TileLoop& loop : step.loops) place(loop) = -1;
  return false;
}

std::int64_t part_of(const ParallelDiskProgram& program, Label label, int rank, std::int64_t rotation) {
  const std::int64_t parts = program.labels[static_cast<std::size_t>(label)].parts;
  if (parts == 1) return 0;
  if (program.method.algorithm != ParallelAlgorithm::rotation) return rank;
  const std::int64_t row = rank / parts, column = rank % parts;
  return label == Label::i ? row : label == Label::j ? column : (row + column + rotation) % parts;
}

bool starts_at_zero(const ParallelDiskProgram& program, const DiskEvent& event, int rank) {
  if (event.step->array != Array::c) return false;
  if (event.step->zero_first && event.first_visit()) return true;
  if (program.method.algorithm != ParallelAlgorithm::accumulation || rank == 0) return false;
  return event.first_visit() || program.method.communication == Communication::inside;
}

}  // namespace ricci::compile::parallel_disk
