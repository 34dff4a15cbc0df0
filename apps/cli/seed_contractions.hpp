#pragma once
// Seven symmetric contractions from coupled cluster (RRR and CAST, section V.B), which several suites run.
#include <cstdint>
#include <string>
#include <vector>

#include <ricci/ricci.hpp>

namespace cli {

struct SeedOperand {
  std::string labels;
  ricci::Symmetry symmetry;

  ricci::Tensor<double> make(const ricci::World& world, std::int64_t extent) const {
    return {world, ricci::Extents(labels.size(), extent), symmetry};
  }
};

struct SeedContraction {
  std::string name;  // "6 C[i,a]=…"; x>y is a symmetric pair
  int labels;        // different ones: the dense flops are 2 extent^labels
  SeedOperand c, a, b;
};

/// In the order of their numbers.
std::vector<SeedContraction> seed_contractions();

}  // namespace cli
