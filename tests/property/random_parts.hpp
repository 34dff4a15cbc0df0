#pragma once
// The pieces that the generators of statements put together.
#include <array>
#include <complex>
#include <string>

#include "dice.hpp"
#include "statement.hpp"

namespace ricci_test {

ElementKind random_type(Dice& dice);
/// Exact in every element type; real unless complex ones are allowed.
std::complex<double> random_coefficient(Dice& dice, bool is_complex);
/// 0 to 6, mostly 1 to 4.
int random_order(Dice& dice);
/// The labels that a statement may use: one to three spaces, one to four labels of each.
std::string random_pool(Dice& dice);
/// Mostly different ones, rather those in `used` than others of the pool.
std::string random_labels(Dice& dice, const std::string& pool, const std::string& used, int order);
/// Labels of the right spaces for a tensor that exists.
std::string labels_for(Dice& dice, const TensorShape& shape, const std::string& candidates);

/// No symmetry.
TensorShape shape_of(const std::string& labels);
/// Groups of any modes of one space, of any kind; often none.
std::vector<Group> random_groups(Dice& dice, const TensorShape& shape);
/// Groups of the modes whose labels stand in one group of the output, mostly of its kind: the term then has part of
/// the output's symmetry.
std::vector<Group> matching_groups(Dice& dice, const Statement& statement, const std::string& labels);

/// Labels that stand in the same tensors of a contraction, and the kind that groups of them mostly are.
struct Role {
  std::string labels;
  GroupKind kind = GroupKind::symmetric;
};
using Roles = std::array<Role, 4>;  ///< labels of A and C, of B and C, of A and B, of all three
/// At most six labels of two spaces.
Roles random_roles(Dice& dice);
/// Groups of modes whose labels play the same role.
std::vector<Group> role_groups(Dice& dice, const std::string& labels, const Roles& roles);
/// A tensor of coupled cluster: the first half of its modes and the second half are groups, space by space.
TensorShape half_groups(Dice& dice, const std::string& labels);

/// Lowers the largest extents until the index space is within the limit.
void fit_extents(Statement& statement, std::int64_t point_limit);

}  // namespace ricci_test
