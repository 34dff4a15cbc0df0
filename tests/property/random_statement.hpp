#pragma once
// RapidCheck generators of statements. All keep the index space small enough for thousands of cases in a minute, and
// all shrink by taking things away: terms, factors, modes, groups, extents.
#include <vector>

#include <rapidcheck.h>

#include "statement.hpp"

namespace ricci_test {

/// Everything the notation allows: 1-3 terms of 0-4 factors, orders 0-6, extents 0-7, repeated labels, broadcasts,
/// any symmetry on any tensor, the output among the operands, one tensor twice.
rc::Gen<Statement> random_statement();

/// Two factors, extents 5-12: large enough for blocks, panels and folded groups.
rc::Gen<Statement> random_contraction();

/// The shapes of coupled cluster, to triples: pairs and triples that are antisymmetric (or, now and then, of another
/// kind), with any of the label patterns of its equations.
rc::Gen<Statement> random_coupled_cluster();

/// Statements that are smaller than this one in one respect, the most promising first.
std::vector<Statement> smaller_statements(const Statement& statement);

}  // namespace ricci_test
