#include "spin/write_statement.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "spin/write_terms.hpp"

namespace ricci::spin {

using notation::ProgramStatement;
using notation::syntax::Expression;
using notation::syntax::Item;

namespace {

Item assign(Expression target, ProgramStatement::Kind kind, Expression right) {
  return {.what = notation::syntax::Assignment{std::move(target), kind, std::move(right)}};
}

Expression norm_of(const std::string& name) {
  Expression norm{.kind = Expression::Kind::norm};
  norm.name.text = name;
  return norm;
}

bool reads(const BlockStatement& statement, int tensor, const Pattern& block) {
  return std::ranges::any_of(statement.terms, [&](const Term& term) {
    return std::ranges::any_of(
        term.factors, [&](const Factor& factor) { return factor.tensor == tensor && factor.pattern == block; });
  });
}

}  // namespace

std::vector<Item> StatementWriter::assignment(const ProgramStatement& statement) {
  std::vector<Item> items;
  const bool sets = statement.kind == ProgramStatement::Kind::assign;
  const bool is_first = set_.insert(statement.tensor).second;
  const auto instead = save_blocks(statement, items);
  for (const BlockStatement& on_block : blocks_.statements.at(&statement)) {
    // Where nothing is added there is nothing to do, unless the language has to see the block begin as zero.
    if (on_block.terms.empty() && !sets && !is_first) continue;
    std::vector<int> labels;
    for (std::size_t m = 0; m < statement.labels.size(); ++m)
      labels.push_back(spin_label(statement.labels[m], on_block.block[m]));
    const std::string name = block_name(spins_, statement.tensor, on_block.block);
    auto others = instead;
    others.erase(name);
    items.push_back(assign(tensor_expression(name, names_.labels(labels)), statement.kind,
                           write_terms(spins_, names_, on_block.terms, others)));
  }
  return items;
}

/// A right side is evaluated before anything changes: blocks that later ones read are kept as they were.
std::map<std::string, std::string> StatementWriter::save_blocks(const ProgramStatement& statement,
                                                                std::vector<Item>& items) {
  std::map<std::string, std::string> instead;
  const auto& all = blocks_.statements.at(&statement);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Pattern& block = all[i].block;
    const bool is_read =
        std::any_of(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
                    [&](const BlockStatement& later) { return reads(later, statement.tensor, block); });
    if (!is_read) continue;
    const std::string name = block_name(spins_, statement.tensor, block);
    instead[name] = saved_name(statement.tensor, block);
    const auto labels = names_.declared_labels(statement.tensor, block);
    items.push_back(assign(tensor_expression(instead[name], labels), ProgramStatement::Kind::assign,
                           tensor_expression(name, labels)));
  }
  return instead;
}

const std::string& StatementWriter::saved_name(int tensor, const Pattern& block) {
  for (const SavedBlock& saved : saved_) {
    if (saved.tensor == tensor && saved.block == block) return saved.name;
  }
  const auto& declared = spins_.program->tensors[tensor];
  for (const int label : declared.labels) {
    if (std::ranges::count(declared.labels, label) == 1) continue;
    throw InputError(fmt::format("{}:{}:{}: declare `{}`: it is read where it changes, and appears with an index twice",
                                 spins_.program->name, declared.place.line, declared.place.column, declared.name));
  }
  saved_.push_back({tensor, block, names_.new_tensor(block_name(spins_, tensor, block) + "_before")});
  return saved_.back().name;
}

const std::vector<Term>& StatementWriter::scalar_terms(const ProgramStatement& statement) const {
  return blocks_.statements.at(&statement)[0].terms;
}

bool StatementWriter::is_squared(const ProgramStatement& statement) const {
  return has_split_norm(spins_, scalar_terms(statement));
}

Expression StatementWriter::scalar(const ProgramStatement& statement, std::vector<Item>& before) {
  const std::vector<Term>& terms = scalar_terms(statement);
  if (!is_squared(statement)) return write_terms(spins_, names_, terms);
  std::vector<Expression> factors, divisors;
  if (terms[0].coefficient != 1) factors = number_factors(terms[0].coefficient * terms[0].coefficient);
  for (const Factor& factor : terms[0].factors) {
    const bool has_spin = spins_.has_spin(factor.tensor);
    const Expression norm = norm_of(spins_.program->tensors[factor.tensor].name);
    if (!factor.divides) {
      factors.push_back(has_spin ? norm_squared(factor.tensor) : product_expression({norm, norm}));
    } else if (has_spin) {
      divisors.push_back(square(factor.tensor, before));
    } else {
      divisors.insert(divisors.end(), 2, norm);
    }
  }
  if (factors.empty()) factors = number_factors(1);
  for (Expression& divisor : divisors) divisor.join = '/';
  factors.insert(factors.end(), divisors.begin(), divisors.end());
  return product_expression(std::move(factors));
}

/// Σ over the blocks of how often they stand in the tensor, times the square of their norm.
Expression StatementWriter::norm_squared(int tensor) {
  std::vector<SignedExpression> sum;
  for (const Pattern& block : blocks_.of_tensor[tensor]) {
    const auto count = static_cast<double>(multiplicity(spins_, tensor, block));
    std::vector<Expression> factors;
    if (count != 1) factors = number_factors(count);
    factors.insert(factors.end(), 2, norm_of(block_name(spins_, tensor, block)));
    sum.push_back({product_expression(std::move(factors))});
  }
  return sum_expression(std::move(sum));
}

/// A scalar with the sum of squares: sums cannot be divided by.
Expression StatementWriter::square(int tensor, std::vector<Item>& before) {
  const std::string& name = spins_.program->tensors[tensor].name;
  const Expression scalar = tensor_expression(names_.new_tensor(name + "_squared"), {});
  std::vector<SignedExpression> sum;
  for (const Pattern& block : blocks_.of_tensor[tensor]) {
    const auto count = static_cast<double>(multiplicity(spins_, tensor, block));
    std::vector<Expression> factors;
    if (count != 1) factors = number_factors(count);
    const Expression elements =
        tensor_expression(block_name(spins_, tensor, block), names_.declared_labels(tensor, block));
    factors.insert(factors.end(), 2, elements);
    sum.push_back({product_expression(std::move(factors))});
  }
  before.push_back(assign(scalar, ProgramStatement::Kind::assign, sum_expression(std::move(sum))));
  return scalar;
}

}  // namespace ricci::spin
