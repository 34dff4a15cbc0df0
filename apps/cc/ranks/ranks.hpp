#pragma once
// All ranks of the run; one where MPI was not started. What is collective says so.
#include <cstdint>
#include <span>

namespace cc::ranks {

int rank();
int size();

/// Collective: every rank gets the sum, with the same bits.
void sum(std::span<double> values);
/// Collective: every rank gets the largest value.
std::int64_t max(std::int64_t value);
/// Collective: every rank gets what rank 0 has.
void broadcast(std::span<double> values);
/// Collective: no rank goes on before all have come.
void barrier();

}  // namespace cc::ranks
