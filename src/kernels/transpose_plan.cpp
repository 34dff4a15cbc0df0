#include "kernels/transpose_plan.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ricci::kernels {
namespace {

// Measured on a core with 2 MiB of second-level cache. Below `assemble_from` a tensor stays there, and a buffer
// only costs; from `stream_from` on it will have left the caches before anyone reads it.
constexpr std::int64_t assemble_from = 4 << 20, stream_from = 32 << 20;
// A block and what it is read from share the second-level cache. Straight writing wants less of it, and a small
// buffer is one that the allocator keeps instead of asking the system for pages each time.
constexpr std::int64_t small_block = 64 << 10, large_block = 896 << 10;
// Longer runs would not save further page translations.
constexpr std::int64_t long_run = 4096;
// How much longer the runs of the output are than those of the input: a run of the output that ends within a
// line costs more than one of the input.
constexpr std::int64_t output_run_preference = 2;

// Modes of extent 1 are dropped, the others sorted by output stride and joined where both sides allow it.
std::vector<TransposeMode> fuse(std::vector<TransposeDim> dims) {
  std::erase_if(dims, [](const TransposeDim& d) { return d.extent == 1; });
  std::sort(dims.begin(), dims.end(),
            [](const TransposeDim& x, const TransposeDim& y) { return x.out_stride > y.out_stride; });
  std::vector<TransposeMode> modes;
  modes.reserve(std::max<std::size_t>(dims.size(), 2));
  // The kernels have two inner loops at least.
  for (std::size_t i = dims.size(); i < 2; ++i) modes.push_back({1, 0, 0, 1, 1, 0});
  for (const TransposeDim& d : dims) {
    if (!modes.empty()) {
      TransposeMode& outer = modes.back();
      if (outer.extent > 1 && outer.out_stride == d.extent * d.out_stride &&
          outer.in_stride == d.extent * d.in_stride) {
        outer = {outer.extent * d.extent, d.in_stride, d.out_stride, 1, 1, 0};
        continue;
      }
    }
    modes.push_back({d.extent, d.in_stride, d.out_stride, 1, 1, 0});
  }
  if (modes.size() == 1) modes.insert(modes.begin(), {1, 0, 0, 1, 1, 0});
  return modes;
}

void choose_kernel(TransposePlan& plan) {
  const int count = static_cast<int>(plan.modes.size()), b = count - 1;
  plan.by_input.resize(count);
  for (int i = 0; i < count; ++i) plan.by_input[i] = i;
  // Modes of stride 0 stay on the outside: they read nothing new.
  const auto far = [&](int i) {
    const std::int64_t stride = plan.modes[i].in_stride;
    return stride == 0 ? std::numeric_limits<std::int64_t>::max() : stride;
  };
  std::sort(plan.by_input.begin(), plan.by_input.end(),
            [&](int x, int y) { return far(x) != far(y) ? far(x) > far(y) : x < y; });
  plan.nest = plan.by_input;
  std::erase(plan.nest, b);
  const TransposeMode &inner_in = plan.modes[plan.nest.back()], &inner_out = plan.modes[b];
  plan.nest.push_back(b);
  if (inner_out.out_stride != 1)
    plan.kind = TransposeKind::scattered;
  else if (inner_out.in_stride == 1)
    plan.kind = TransposeKind::rows;
  else
    plan.kind = inner_in.in_stride == 1 ? TransposeKind::tile : TransposeKind::scattered;
}

void choose_route(TransposePlan& plan) {
  const std::int64_t bytes = plan.elements * static_cast<std::int64_t>(plan.element_size);
  const bool rows = plan.kind == TransposeKind::rows;
  if (bytes >= stream_from && plan.modes.back().out_stride == 1)
    plan.route = TransposeRoute::streamed;
  else if (bytes >= assemble_from && !rows)
    plan.route = TransposeRoute::assembled;
  else
    plan.route = TransposeRoute::direct;
}

// The elements that follow one another in a block, on the side whose modes are given from the outermost on.
std::int64_t run_length(const TransposePlan& plan, const std::vector<int>& side) {
  std::int64_t run = 1;
  for (auto i = side.rbegin(); i != side.rend(); ++i) {
    run *= plan.modes[*i].block;
    if (plan.modes[*i].block < plan.modes[*i].extent) break;
  }
  return run;
}

// Blocks grow by doubling, the side with the shorter runs first and along its own modes from the innermost, until
// runs are long enough or the budget is spent.
void grow_blocks(TransposePlan& plan, std::int64_t budget) {
  std::vector<int> by_output(plan.modes.size());
  for (std::size_t i = 0; i < by_output.size(); ++i) by_output[i] = static_cast<int>(i);
  const std::int64_t long_enough = long_run / static_cast<std::int64_t>(plan.element_size);
  bool input_grows = true, output_grows = true;
  std::int64_t size = 1;
  while (input_grows || output_grows) {
    const bool input = input_grows && (!output_grows || run_length(plan, plan.by_input) * output_run_preference <=
                                                            run_length(plan, by_output));
    const std::vector<int>& side = input ? plan.by_input : by_output;
    bool& grows = input ? input_grows : output_grows;
    const auto growing =
        std::find_if(side.rbegin(), side.rend(), [&](int i) { return plan.modes[i].block < plan.modes[i].extent; });
    grows = growing != side.rend() && run_length(plan, side) < long_enough;
    if (!grows) continue;
    TransposeMode& mode = plan.modes[*growing];
    const std::int64_t others = size / mode.block;
    const std::int64_t wanted = std::min({mode.extent, 2 * mode.block, budget / others});
    grows = wanted > mode.block;
    mode.block = wanted;
    size = others * wanted;
  }
}

void choose_blocks(TransposePlan& plan) {
  const std::int64_t size = static_cast<std::int64_t>(plan.element_size), line = 64 / size;
  const std::int64_t budget = (plan.route == TransposeRoute::direct ? small_block : large_block) / size;
  if (plan.elements <= budget) {
    for (TransposeMode& m : plan.modes) m.block = m.extent;
  } else {
    grow_blocks(plan, budget);
  }
  plan.blocks = 1;
  for (TransposeMode& m : plan.modes) {
    // Equal parts; long ones in whole lines.
    m.parts = (m.extent + m.block - 1) / m.block;
    std::int64_t even = (m.extent + m.parts - 1) / m.parts;
    if (even >= 8 * line) even = (even + line - 1) / line * line;
    m.block = std::min(even, m.extent);
    m.parts = (m.extent + m.block - 1) / m.block;
    plan.blocks *= m.parts;
  }
  const int a = plan.nest[plan.nest.size() - 2], b = plan.nest.back();
  std::erase_if(plan.nest, [&](int i) { return plan.modes[i].block == 1 && i != a && i != b; });
}

// The block in the order of the output. Rows of a line or more begin on a line, so that whole lines are stored,
// and runs have a free line in front of them, where the last bytes of the run before can wait.
void lay_out_buffer(TransposePlan& plan) {
  const std::int64_t line = 64 / static_cast<std::int64_t>(plan.element_size);
  const int b = static_cast<int>(plan.modes.size()) - 1;
  std::int64_t stride = 1;
  bool in_run = true;
  for (int i = b; i >= 0; --i) {
    TransposeMode& m = plan.modes[i];
    m.buffer_stride = stride;
    stride *= m.block;
    if (!in_run) continue;
    plan.run_mode = i;
    in_run = i > 0 && m.block == m.extent && plan.modes[i - 1].out_stride == m.extent * m.out_stride;
    if (!in_run || (i == b && m.block >= line && m.out_stride == 1)) stride = (stride + line - 1) / line * line;
    // Rows a multiple of eight lines apart would meet in few sets of the first-level cache.
    if (!in_run) stride += (stride + line) % (8 * line) == 0 ? 2 * line : line;
  }
  plan.buffer_elements = stride + line;
}

}  // namespace

TransposePlan plan_transpose(std::vector<TransposeDim> dims, std::size_t element_size) {
  if (element_size != 4 && element_size != 8 && element_size != 16)
    throw std::invalid_argument("a transposed element has 4, 8 or 16 bytes, not " + std::to_string(element_size));
  TransposePlan plan;
  plan.element_size = element_size;
  plan.elements = 1;
  for (const TransposeDim& d : dims) {
    if (d.extent < 0 || d.in_stride < 0 || d.out_stride < 0 || (d.extent > 1 && d.out_stride == 0))
      throw std::invalid_argument("a transposed mode of extent " + std::to_string(d.extent) + " has input stride " +
                                  std::to_string(d.in_stride) + " and output stride " + std::to_string(d.out_stride) +
                                  "; none may be negative, and the output may not be 0");
    plan.elements *= d.extent;
  }
  if (plan.elements == 0) return plan;
  plan.modes = fuse(std::move(dims));
  choose_kernel(plan);
  choose_route(plan);
  choose_blocks(plan);
  lay_out_buffer(plan);
  return plan;
}

bool TransposePlan::finishes_in_place() const {
  // Each row pays for setting up its coefficients.
  constexpr std::int64_t least_bytes = 256;
  return kind == TransposeKind::rows && modes.back().block * static_cast<std::int64_t>(element_size) >= least_bytes;
}

std::string TransposePlan::describe() const {
  static constexpr const char* kinds[] = {"empty", "rows", "tile", "scattered"};
  static constexpr const char* routes[] = {"direct", "assembled", "streamed"};
  std::string text = kinds[static_cast<int>(kind)];
  if (kind == TransposeKind::empty) return text;
  text.append(" ").append(routes[static_cast<int>(route)]);
  for (const TransposeMode& m : modes) {
    text.append(" ").append(std::to_string(m.extent)).append(":");
    text.append(std::to_string(m.in_stride)).append("x").append(std::to_string(m.out_stride));
  }
  text.append(" in blocks of ");
  for (std::size_t i = 0; i < modes.size(); ++i) text.append(i == 0 ? "" : "x").append(std::to_string(modes[i].block));
  return text;
}

}  // namespace ricci::kernels
