// What distributed plans print, word by word, for a machine of 40 GF/s and 5 GB/s.
#include "plan/distributed_plan.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace ricci::planning {
namespace {

using notation::ShapePointer;
using notation::WrittenStatement;

ShapePointer shape(Extents extents, Symmetry symmetry = {}) {
  return std::make_shared<const symmetry::Shape>(std::move(extents), std::move(symmetry));
}

/// Tensors that nobody has placed. The output stays, or is left where it is made.
DistributedPlan plan_of(const WrittenStatement& written, int ranks, bool output_stays) {
  const MachineModel machine;
  std::vector<Place> places{{layout::default_layout(*written.output.shape, ranks)}};
  for (const auto& term : written.terms) {
    for (const auto& factor : term) places.push_back({layout::default_layout(*factor.shape, ranks)});
  }
  return plan_distributed(plan_statement(notation::bind(written), machine, Options{.threads = 1}), places, output_stays,
                          ranks, machine, {});
}

/// The text of a file in tests/unit/golden.
std::string golden(const std::string& name) {
  std::ifstream file(std::string(RICCI_UNIT_TESTS) + "/golden/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string text(const DistributedPlan& plan) {
  std::ostringstream out;
  out << plan;
  return out.str();
}

TEST(DistributedPlan, PrintsAMatrixProduct) {
  WrittenStatement s;
  s.output = {shape({512, 512}), "ij"};
  s.terms = {{{shape({512, 512}), "ik"}, {shape({512, 512}), "kj"}}};
  EXPECT_EQ(text(plan_of(s, 4, true)), golden("matrix_product_on_4_ranks.txt"));
}

TEST(DistributedPlan, PrintsTermsOfCoupledCluster) {
  const Symmetry pairs = antisymmetric(0, 1) * antisymmetric(2, 3);
  const ShapePointer t = shape({40, 40, 10, 10}, pairs);
  WrittenStatement s;
  s.output = {t, "abij"};
  s.terms = {{{shape({40, 40, 40, 40}, pairs), "abef"}, {t, "efij"}}, {{shape({40, 40}), "ae"}, {t, "ebij"}}};
  EXPECT_EQ(text(plan_of(s, 4, false)), golden("coupled_cluster_on_4_ranks.txt"));
}

TEST(DistributedPlan, PrintsWhatGoesFromRankToRank) {
  WrittenStatement s;
  s.output = {shape({}), ""};
  s.terms = {{{shape({1 << 20}), "k"}, {shape({1 << 20}), "k"}}};
  EXPECT_EQ(text(plan_of(s, 64, true)), golden("dot_product_on_64_ranks.txt"));
}

TEST(DistributedPlan, IsTheSameEveryTime) {
  WrittenStatement s;
  s.output = {shape({60, 50}), "ij"};
  s.terms = {{{shape({60, 70}), "ik"}, {shape({70, 50}), "kj"}}};
  for (int ranks : {2, 6, 16}) EXPECT_EQ(text(plan_of(s, ranks, true)), text(plan_of(s, ranks, true)));
}

TEST(DistributedPlan, AnOutputStaysOrIsLeftWhereItIsMade) {
  WrittenStatement s;
  s.output = {shape({4, 60}), "ij"};
  s.terms = {{{shape({4, 40}), "ik"}, {shape({40, 60}), "kj"}}};
  const MachineModel machine;
  const Layout home(Grid{4}, {{0}, {}});
  const auto plan = [&](bool stays) {
    return plan_distributed(plan_statement(notation::bind(s), machine, Options{.threads = 1}),
                            {{home}, {Layout(Grid{4}, {{0}, {}})}, {Layout(Grid{4}, {{}, {0}})}}, stays, 4, machine,
                            {});
  };
  EXPECT_EQ(plan(true).output, home);
  EXPECT_EQ(plan(false).output, plan(false).nodes.back().spread.c);
  EXPECT_FALSE(plan(false).output == home);  // A is small, so that it goes to the columns of B
}

}  // namespace
}  // namespace ricci::planning
