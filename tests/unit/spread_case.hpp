#pragma once
// Problems such as C["ij"] += A["ik"] B["kj"] on some ranks, written with letters.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "plan/spread.hpp"

namespace ricci::planning {

/// A tensor with one letter a mode. Without a layout it is spread as a tensor is that nobody has placed.
struct LetteredTensor {
  std::string letters;
  Symmetry symmetry;
  std::optional<Layout> layout;
};

/// C, A and, where there is one, B.
inline SpreadProblem spread_problem(const std::vector<LetteredTensor>& tensors,
                                    const std::vector<std::pair<char, std::int64_t>>& extent_of, int ranks) {
  SpreadProblem problem;
  std::string letters;
  for (const auto& [letter, extent] : extent_of) letters += letter, problem.extents.push_back(extent);
  const auto placed = [&](const LetteredTensor& tensor) {
    PlacedTensor result;
    Extents extents;
    for (const char letter : tensor.letters) {
      result.labels.push_back(static_cast<int>(letters.find(letter)));
      extents.push_back(problem.extents[letters.find(letter)]);
    }
    result.shape = std::make_shared<const symmetry::Shape>(extents, tensor.symmetry);
    result.layout = tensor.layout ? *tensor.layout : layout::default_layout(*result.shape, ranks);
    return result;
  };
  problem.c = placed(tensors[0]);
  problem.a = placed(tensors[1]);
  if (tensors.size() > 2) problem.b = placed(tensors[2]);
  const auto labelled = [](const PlacedTensor& tensor) -> symmetry::Labelled {
    return {tensor.shape.get(), tensor.labels};
  };
  problem.fold = symmetry::fold(labelled(problem.c), labelled(problem.a), labelled(problem.b), problem.extents);
  problem.ranks = ranks;
  return problem;
}

/// C[ij] = A[ik] B[kj], C nowhere yet.
inline SpreadProblem matrix_product(std::int64_t m, std::int64_t n, std::int64_t k, int ranks) {
  SpreadProblem problem =
      spread_problem({{"ij", {}, {}}, {"ik", {}, {}}, {"kj", {}, {}}}, {{'i', m}, {'j', n}, {'k', k}}, ranks);
  problem.c.layout.reset();
  problem.c.stays = false;
  problem.accumulate = false;
  return problem;
}

/// No cost is negative.
inline void expect_sane(const Spread& spread) {
  EXPECT_GE(spread.words, 0);
  EXPECT_GE(spread.messages, 0);
  EXPECT_GE(spread.buffers, 0);
  EXPECT_GT(spread.products, 0);
  EXPECT_GT(spread.seconds, 0);
  EXPECT_GE(spread.phases, 1);
}

}  // namespace ricci::planning
