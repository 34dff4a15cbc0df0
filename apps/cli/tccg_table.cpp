#include "tccg_table.hpp"

#include <algorithm>

namespace cli {

std::string row_major(std::string labels) {
  std::reverse(labels.begin(), labels.end());
  return labels;
}

// The 48 contractions of TCCG 0.1 (HPAC/tccg, benchmark/benchmark.py), with its rule for the extents and a target size
// such that A, B and C take at most 200 MB together in double precision.
std::vector<TccgCase> tccg_cases() {
  return {
      {1, "intensli", "abc", "bda", "dc", {264, 264, 24, 264}, 17.3},
      {2, "intensli", "abc", "dca", "bd", {288, 24, 276, 288}, 21.8},
      {3, "intensli", "abcd", "dbea", "ec", {72, 48, 24, 72, 72}, 12.5},
      {4, "intensli", "abcd", "deca", "be", {72, 24, 56, 72, 56}, 16.0},
      {5, "intensli", "abcd", "ebad", "ce", {72, 60, 24, 60, 72}, 22.7},
      {6, "intensli", "abcde", "efbad", "cf", {24, 24, 24, 24, 24, 24}, 8.8},
      {7, "intensli", "abcde", "ecbfa", "fd", {24, 24, 24, 24, 24, 24}, 9.1},
      {8, "intensli", "abcde", "efcad", "bf", {24, 24, 24, 24, 24, 24}, 10.6},
      {9, "ao2mo", "abcd", "ea", "ebcd", {72, 52, 52, 52, 72}, 27.7},
      {10, "ao2mo", "abcd", "eb", "aecd", {72, 52, 52, 52, 72}, 27.4},
      {11, "ao2mo", "abcd", "ec", "abed", {72, 52, 52, 52, 72}, 27.3},
      {12, "ccsd", "ab", "ac", "cb", {2880, 2876, 2880}, 43.6},
      {13, "ccsd", "ab", "acd", "dbc", {240, 224, 224, 240}, 35.9},
      {14, "ccsd", "ab", "cad", "dcb", {216, 216, 216, 216}, 37.2},
      {15, "ccsd", "abc", "acd", "db", {240, 224, 224, 240}, 37.8},
      {16, "ccsd", "abc", "ad", "bdc", {240, 240, 224, 224}, 40.0},
      {17, "ccsd", "abc", "adc", "bd", {240, 240, 224, 224}, 38.3},
      {18, "ccsd", "abc", "adc", "db", {240, 224, 224, 240}, 37.9},
      {19, "ccsd", "abc", "adec", "ebd", {72, 68, 68, 68, 72}, 26.0},
      {20, "ccsd", "abcd", "aebf", "dfce", {48, 48, 48, 48, 48, 48}, 41.4},
      {21, "ccsd", "abcd", "aebf", "fdec", {48, 48, 48, 48, 48, 48}, 44.9},
      {22, "ccsd", "abcd", "aecf", "bfde", {48, 48, 48, 48, 48, 48}, 44.5},
      {23, "ccsd", "abcd", "aecf", "fbed", {48, 48, 48, 48, 48, 48}, 43.0},
      {24, "ccsd", "abcd", "aedf", "bfce", {48, 48, 48, 48, 48, 48}, 44.3},
      {25, "ccsd", "abcd", "aedf", "fbec", {48, 48, 48, 48, 48, 48}, 44.7},
      {26, "ccsd", "abcd", "aefb", "fdce", {48, 48, 48, 48, 48, 48}, 45.6},
      {27, "ccsd", "abcd", "aefc", "fbed", {48, 48, 48, 48, 48, 48}, 44.8},
      {28, "ccsd", "abcd", "eafb", "fdec", {48, 48, 48, 48, 48, 48}, 44.2},
      {29, "ccsd", "abcd", "eafc", "bfde", {48, 48, 48, 48, 48, 48}, 42.2},
      {30, "ccsd", "abcd", "eafd", "fbec", {48, 48, 48, 48, 48, 48}, 44.0},
      {31, "ccsd_t", "abcdef", "dega", "gfbc", {24, 12, 12, 24, 12, 12, 24}, 14.6},
      {32, "ccsd_t", "abcdef", "degb", "gfac", {24, 12, 12, 24, 12, 12, 24}, 13.8},
      {33, "ccsd_t", "abcdef", "degc", "gfab", {24, 12, 12, 24, 12, 12, 24}, 15.3},
      {34, "ccsd_t", "abcdef", "dfga", "gebc", {24, 12, 12, 24, 12, 12, 24}, 16.7},
      {35, "ccsd_t", "abcdef", "dfgb", "geac", {24, 12, 12, 24, 12, 12, 24}, 18.3},
      {36, "ccsd_t", "abcdef", "dfgc", "geab", {24, 12, 12, 24, 12, 12, 24}, 16.9},
      {37, "ccsd_t", "abcdef", "efga", "gdbc", {24, 12, 12, 12, 24, 12, 24}, 15.0},
      {38, "ccsd_t", "abcdef", "efgb", "gdac", {24, 12, 12, 12, 24, 12, 24}, 15.8},
      {39, "ccsd_t", "abcdef", "efgc", "gdab", {24, 12, 12, 12, 24, 12, 24}, 24.7},
      {40, "ccsd_t", "abcdef", "gdab", "efgc", {24, 12, 12, 12, 24, 12, 24}, 25.2},
      {41, "ccsd_t", "abcdef", "gdac", "efgb", {24, 12, 12, 12, 24, 12, 24}, 14.5},
      {42, "ccsd_t", "abcdef", "gdbc", "efga", {24, 12, 12, 12, 24, 12, 24}, 15.4},
      {43, "ccsd_t", "abcdef", "geab", "dfgc", {24, 12, 12, 24, 12, 12, 24}, 16.8},
      {44, "ccsd_t", "abcdef", "geac", "dfgb", {24, 12, 12, 24, 12, 12, 24}, 18.2},
      {45, "ccsd_t", "abcdef", "gebc", "dfga", {24, 12, 12, 24, 12, 12, 24}, 15.5},
      {46, "ccsd_t", "abcdef", "gfab", "degc", {24, 12, 12, 24, 12, 12, 24}, 16.2},
      {47, "ccsd_t", "abcdef", "gfac", "degb", {24, 12, 12, 24, 12, 12, 24}, 15.5},
      {48, "ccsd_t", "abcdef", "gfbc", "dega", {24, 12, 12, 24, 12, 12, 24}, 15.6},
  };
}

}  // namespace cli
