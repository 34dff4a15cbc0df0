// The loops of a program in the notation of figures 1-3 of seed 004.
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/parallel_disk_program.hpp"

namespace ricci::compile::parallel_disk {

namespace {

struct Depth {
  int level = 0;
  bool outer[3] = {false, false, false};
  bool inner[3] = {false, false, false};
};

class Printer {
 public:
  Printer(std::ostream& out, const ParallelDiskProgram& program) : out_(out), program_(program) {}

  void print(const DiskStep& step, Depth depth) {
    for (const TileLoop& loop : step.loops) {
      (loop.inner ? depth.inner : depth.outer)[static_cast<int>(loop.label)] = true;
    }
    out_ << std::string(2 * depth.level, ' ') << text(step, depth) << '\n';
    ++depth.level;
    for (const DiskStep& inner : step.body) print(inner, depth);
  }

 private:
  // I: all of it; Ii1: a tile of It1; Ii2: a tile of It2 within one.
  static std::string index(Label label, const Depth& depth) {
    const int n = static_cast<int>(label);
    const char* cut = depth.inner[n] ? "i2" : depth.outer[n] ? "i1" : "";
    return fmt::format("{}{}", letter(label), cut);
  }

  static std::string tile(Array array, const Depth& depth) {
    const auto [x, y] = labels_of(array);
    return fmt::format("{}[{},{}]", letter(array), index(x, depth), index(y, depth));
  }

  static std::string loops(const DiskStep& step) {
    std::string text;
    for (const TileLoop& loop : step.loops) {
      text += fmt::format("{}{}t{} = 1..{}", text.empty() ? "for " : ", ", letter(loop.label), loop.inner ? 2 : 1,
                          loop.tiles);
    }
    return text;
  }

  bool is_local(const DiskStep& step) const {
    if (step.sharing > 1) return false;
    if (program_.method.algorithm == ParallelAlgorithm::replication) return step.array == program_.method.replicated;
    return program_.method.algorithm == ParallelAlgorithm::accumulation && step.array == Array::c;
  }

  std::string access(const DiskStep& step, const Depth& depth) const {
    const char* verb = step.kind == DiskStepKind::read ? "Read" : "Write";
    std::string text =
        fmt::format("{} {} {}  (", is_local(step) ? "Local" : "Collective", verb, tile(step.array, depth));
    if (!is_local(step)) text += fmt::format("Local {} ", verb);
    text += fmt::format("{}", fmt::join(step.local, " x "));
    if (step.sharing > 1) text += fmt::format(" / {}", step.sharing);
    return text + (step.zero_first ? "; zero at first)" : ")");
  }

  std::string communication(const DiskStep& step, const Depth& depth, const char* verb) const {
    return fmt::format("{} {} {}", verb, step.out_of_core ? "Out-of-Core" : "In-Core", tile(step.array, depth));
  }

  std::string text(const DiskStep& step, const Depth& depth) const {
    switch (step.kind) {
      case DiskStepKind::loop:
        return loops(step);
      case DiskStepKind::rotations:
        return fmt::format("for {} Rotations", step.rotations);
      case DiskStepKind::read:
      case DiskStepKind::write:
        return access(step, depth);
      case DiskStepKind::shift:
        return communication(step, depth, "Circular-shift");
      case DiskStepKind::broadcast:
        return communication(step, depth, "A2A Broadcast");
      case DiskStepKind::reduce:
        return communication(step, depth, "All-Reduce");
      default:
        return fmt::format("{} += {} * {}", tile(Array::c, depth), tile(Array::a, depth), tile(Array::b, depth));
    }
  }

  std::ostream& out_;
  const ParallelDiskProgram& program_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const ParallelDiskProgram& program) {
  Printer printer(out, program);
  for (const DiskStep& step : program.steps) printer.print(step, {});
  return out;
}

}  // namespace ricci::compile::parallel_disk
