#pragma once
#include <cstdint>
#include <optional>

namespace cli {

/// Milliseconds of communication that CTF (Cyclops Tensor Framework, 2023-11) took for a contraction of
/// seed_contractions(), by its number, on the tori of bench/sim under SimGrid 3.32 with computation not simulated: each
/// from freshly filled tensors in the default mapping, redistribution included. Nothing where that was not measured.
std::optional<double> ctf_milliseconds(int number, std::int64_t extent, int ranks);

/// Megabytes that the rank with most receives there from others in such a contraction, with real ranks (Open MPI).
std::optional<double> ctf_megabytes(int number, std::int64_t extent, int ranks);

}  // namespace cli
