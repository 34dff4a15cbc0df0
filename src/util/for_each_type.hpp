#pragma once
// Explicit instantiation for the four element types: MACRO(T) for each.
#include <complex>

#define RICCI_FOR_EACH_TYPE(MACRO) MACRO(float) MACRO(double) MACRO(std::complex<float>) MACRO(std::complex<double>)
