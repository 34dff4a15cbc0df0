#pragma once
// Small expression trees, their naive evaluation, and an interpreter of loop programs on dense arrays that counts what
// it moves and holds. It shares no code with what it checks but the data structures.
#include <map>
#include <random>
#include <vector>

#include "fusion/loop_counts.hpp"
#include "fusion/loop_structure.hpp"

namespace ricci::fusion::oracle {

using Values = std::vector<double>;  // of an array, last mode fastest

/// The transform of seed 003, section 2: a to d have the first extent, p to s the second one.
Forest four_index(std::int64_t a, std::int64_t p);
/// C[i,j] = A[i,k] * B[k,j]
Forest matmul(std::int64_t i, std::int64_t j, std::int64_t k);
/// D[i,j] = A[i,k] * (B[k,l] * C[j,l]), seed 003, section 2.
Forest pair_example(std::int64_t extent);

/// One tree of `contractions` contractions, some of one operand, over few short labels.
Forest random_forest(std::mt19937& random, int contractions, std::int64_t longest);
/// Any fusions and placements that are legal.
LoopStructure random_structure(std::mt19937& random, const Forest& forest, const Tree& tree);

/// Small integers for every input.
std::map<int, Values> random_inputs(std::mt19937& random, const Forest& forest);
/// Every array of the forest, by looping over all labels of each contraction.
std::map<int, Values> evaluate(const Forest& forest, std::map<int, Values> arrays);

struct Run {
  std::map<int, Values> arrays;  // on disk or resident
  std::vector<ArrayTraffic> traffic;
  std::int64_t peak_bytes = 0;  // from first to last use of each block
};
/// Elements that were never set are NaN.
Run run(const LoopProgram& program, const std::map<int, Values>& inputs);

}  // namespace ricci::fusion::oracle
