#pragma once
// How the rows and columns of a block are cut into panels for the register tile.
#include <cstdint>
#include <vector>

#include "kernels/isa/pack_kernels.hpp"

namespace ricci::kernels {

using isa::Panel;

std::int64_t round_up(std::int64_t n, std::int64_t step);

/// Rows cut into panels for the register tile, at the ends of runs of C's memory where these are long enough: a tile
/// that spans two runs cannot be updated in place.
void cut_at_runs(const std::int64_t* offset, std::int64_t count, int tile_rows, int lanes, std::vector<Panel>& panels);
void cut_evenly(std::int64_t count, int width, std::vector<Panel>& panels);

/// Panels lie one after the other; each takes its width times the depth.
void scale_starts(std::vector<Panel>& panels, std::int64_t depth);

/// The common difference of an arithmetic progression, or -1.
std::int64_t progression(const std::int64_t* offset, std::int64_t count);

}  // namespace ricci::kernels
