#include "kernels/panels.hpp"

#include <algorithm>

namespace ricci::kernels {

std::int64_t round_up(std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; }

void cut_at_runs(const std::int64_t* offset, std::int64_t count, int tile_rows, int lanes, std::vector<Panel>& panels) {
  std::int64_t runs = 1;
  for (std::int64_t i = 1; i < count; ++i) runs += offset[i] != offset[i - 1] + 1;
  const bool heed_runs = count >= runs * lanes;
  panels.clear();
  std::int64_t start = 0;
  for (std::int64_t first = 0; first < count;) {
    std::int64_t end = std::min(count, first + tile_rows);
    for (std::int64_t i = first + 1; heed_runs && i < end; ++i) {
      if (offset[i] != offset[i - 1] + 1) end = i;
    }
    const int width = static_cast<int>(round_up(end - first, lanes));
    panels.push_back({first, static_cast<int>(end - first), width, start});
    start += width;
    first = end;
  }
}

void cut_evenly(std::int64_t count, int width, std::vector<Panel>& panels) {
  panels.clear();
  for (std::int64_t first = 0; first < count; first += width) {
    const int rows = static_cast<int>(std::min<std::int64_t>(width, count - first));
    panels.push_back({first, rows, rows, first});
  }
}

void scale_starts(std::vector<Panel>& panels, std::int64_t depth) {
  for (Panel& panel : panels) panel.start *= depth;
}

std::int64_t progression(const std::int64_t* offset, std::int64_t count) {
  const std::int64_t step = count > 1 ? offset[1] - offset[0] : 1;
  for (std::int64_t i = 1; i < count; ++i) {
    if (offset[i] - offset[i - 1] != step) return -1;
  }
  return step;
}

}  // namespace ricci::kernels
