#pragma once
// The BLAS that the baselines are measured with.
#include <string>

namespace cli {

/// The kernels that OpenBLAS chose ("SkylakeX"); "unknown" for another BLAS.
std::string blas_core();

/// Does nothing for a BLAS other than OpenBLAS.
void set_blas_threads(int threads);

/// An OpenBLAS that is older than the processor falls back to kernels of long ago, and a baseline that slow would
/// flatter. Where the kernels chosen leave AVX2 or AVX-512 unused and OPENBLAS_CORETYPE is not set, this starts the
/// program again, with the variable set. To be called before MPI starts; returns where nothing is to be done.
void restart_with_fitting_blas_core(char** arguments);

}  // namespace cli
