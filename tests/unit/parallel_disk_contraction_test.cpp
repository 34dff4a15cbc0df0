// Statements of tensors as the matrix products of the parallel disk algorithms.
#include "compile/parallel_disk_contraction.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <ricci/error.hpp>

namespace ricci_test {
namespace {

using namespace ricci;
using namespace ricci::compile::parallel_disk;

notation::ShapePointer shape(Extents extents, Symmetry symmetry = {}) {
  return std::make_shared<const symmetry::Shape>(std::move(extents), std::move(symmetry));
}

notation::BoundStatement product(notation::WrittenTensor c, notation::WrittenTensor a, notation::WrittenTensor b,
                                 bool overwrite = true) {
  notation::WrittenStatement written;
  written.output = std::move(c);
  written.overwrite = overwrite;
  written.terms = {{std::move(a), std::move(b)}};
  return notation::bind(written);
}

// Eq. 2.1: C(a,b,c,d) = A(a,b,m,n) * B(c,d,m,n).
TEST(ParallelDiskContraction, IsAMatrixProductOfIndexSets) {
  const auto statement =
      product({shape({2, 3, 5, 7}), "abcd"}, {shape({2, 3, 11, 13}), "abmn"}, {shape({5, 7, 11, 13}), "cdmn"});
  const IndexSets sets = index_sets(statement);
  const auto names = [&](const std::vector<int>& labels) { return notation::labels_text(statement, labels); };
  EXPECT_EQ(names(sets.i), "ab");
  EXPECT_EQ(names(sets.j), "cd");
  EXPECT_EQ(names(sets.k), "mn");
  MachineModel machine;
  machine.network_bandwidth = 3e8;
  const ParallelDiskCase c =
      parallel_disk_case(statement, machine, {.ranks = 4, .memory_bytes = 2400, .disk_bandwidth = 2e7});
  ParallelDiskCase expected{.i = 6, .j = 35, .k = 143, .ranks = 4, .tile_elements = 100};
  expected.disk_bandwidth = 2e7;
  expected.network_bandwidth = 3e8;
  expected.accumulate = false;
  EXPECT_EQ(c, expected);
}

TEST(ParallelDiskContraction, AddsToWhatIsThere) {
  const auto statement = product({shape({2, 3}), "ij"}, {shape({2, 4}), "ik"}, {shape({4, 3}), "kj"}, false);
  EXPECT_TRUE(parallel_disk_case(statement, {}, {.memory_bytes = 240}).accumulate);
}

TEST(ParallelDiskContraction, RefusesWhatIsNoMatrixProduct) {
  const auto message = [](const notation::BoundStatement& statement, std::int64_t memory = 2400) {
    try {
      parallel_disk_case(statement, {}, {.memory_bytes = memory});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto square = shape({4, 4});
  EXPECT_EQ(message(product({shape({4, 4, 4}), "ijb"}, {shape({4, 4, 4}), "ikb"}, {shape({4, 4, 4}), "kjb"})),
            "parallel disk plan: label b stands in 3 of the three tensors, not in two");
  EXPECT_EQ(message(product({square, "ij"}, {shape({4, 4, 4}), "ikl"}, {square, "kj"})),
            "parallel disk plan: label l stands in 1 of the three tensors, not in two");
  EXPECT_EQ(message(product({square, "ij"}, {shape({4, 4, 4}), "ikk"}, {square, "kj"})),
            "parallel disk plan: label k stands twice in \"ikk\"; take the diagonal before");
  EXPECT_EQ(message(product({square, "ij"}, {shape({4, 4}, {SymmetryKind::symmetric, {0, 1}}), "ik"}, {square, "kj"})),
            "parallel disk plan: the tensor under \"ik\" has packed groups; unpack it before");
  EXPECT_EQ(message(product({square, "ij"}, {square, "ik"}, {square, "kj"}), 20),
            "parallel disk plan: 20 B of memory a rank hold no element of each of three arrays; give it at least 24 B");
  notation::WrittenStatement three;
  three.output = {square, "ij"};
  three.terms = {{{square, "ik"}, {square, "kl"}, {square, "lj"}}};
  EXPECT_EQ(message(notation::bind(three)), "parallel disk plan: the statement is not one product of two tensors");
}

}  // namespace
}  // namespace ricci_test
