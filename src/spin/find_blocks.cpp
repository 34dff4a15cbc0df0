#include "spin/find_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "spin/allowed_blocks.hpp"
#include "spin/merge_terms.hpp"

namespace ricci::spin {

using notation::ProgramStatement;

namespace {

class BlockFinder {
 public:
  BlockFinder(const SpinTensors& spins, const SpinOptions& options, notation::Diagnostics& diagnostics)
      : spins_(spins), program_(*spins.program), diagnostics_(diagnostics) {
    allowed_ = allowed_blocks(spins, options, diagnostics);
    nonzero_.resize(program_.tensors.size());
    collect(program_.statements);
  }

  Blocks run() {
    find_nonzero();
    check_allowed();
    for (const Scalar& scalar : scalars_) check_norms(scalar);
    find_wanted();
    Blocks blocks{wanted_, {}};
    for (const Assignment& assignment : assignments_) {
      auto& all = blocks.statements[assignment.statement];
      for (const Pattern& block : wanted_[assignment.target.tensor])
        all.push_back({block, on_block(assignment, block)});
      check_divisors(*assignment.statement, all);
    }
    for (const Scalar& scalar : scalars_) {
      auto& all = blocks.statements[scalar.statement];
      all.push_back({{}, scalar.terms});
      check_divisors(*scalar.statement, all);
    }
    return blocks;
  }

 private:
  struct Assignment {
    const ProgramStatement* statement;
    Target target;
    std::vector<Term> terms;
  };
  struct Scalar {
    const ProgramStatement* statement;
    std::vector<Term> terms;  // over blocks, once it is known which there are
  };

  void collect(const std::vector<ProgramStatement>& statements) {
    for (const ProgramStatement& statement : statements) {
      using Kind = ProgramStatement::Kind;
      const bool is_loop = statement.kind == Kind::repeat;
      if (is_loop) collect(statement.body);
      if (is_loop && !statement.has_condition) continue;
      std::vector<Term> terms = multiply_out(program_, statement.right);
      if (is_loop || statement.kind == Kind::print) {
        scalars_.push_back({&statement, std::move(terms)});
      } else {
        check_target(statement);
        assignments_.push_back({&statement, {statement.tensor, statement.labels}, std::move(terms)});
      }
    }
  }

  /// A diagonal of a tensor with symmetry is no diagonal of its blocks.
  void check_target(const ProgramStatement& statement) {
    for (const SymmetryGroup& group : spins_.groups[statement.tensor]) {
      for (const int mode : group.modes) {
        if (std::ranges::count(statement.labels, statement.labels[mode]) == 1) continue;
        diagnostics_.error(
            {statement.place},
            fmt::format("index `{}` stands twice in `{}`, which has symmetry between spin orbitals",
                        program_.labels[statement.labels[mode]].name, program_.tensors[statement.tensor].name),
            "set a tensor without symmetry to this diagonal");
        return;
      }
    }
  }

  std::vector<Term> expanded(const Target& target, const std::vector<Term>& terms, const Pattern& block) const {
    std::vector<Term> all;
    for (const Term& term : terms) {
      for (Term& part : expand_term(spins_, target, term, block, nonzero_)) all.push_back(std::move(part));
    }
    return merge_terms(spins_, target, block, all);
  }

  /// Once it is known what can be other than zero.
  const std::vector<Term>& on_block(const Assignment& assignment, const Pattern& block) {
    const auto [place, is_new] = known_.try_emplace({assignment.statement, block});
    if (is_new) place->second = expanded(assignment.target, assignment.terms, block);
    return place->second;
  }

  /// The least sets that the assignments lead to, wherever they stand: a loop runs several times.
  void find_nonzero() {
    for (std::size_t t = 0; t < nonzero_.size(); ++t) {
      if (allowed_[t]) nonzero_[t] = *allowed_[t];
      if (!spins_.has_spin(static_cast<int>(t))) nonzero_[t] = {spins_.no_pattern(static_cast<int>(t))};
    }
    for (bool grows = true; grows;) {
      grows = false;
      for (const Assignment& assignment : assignments_) {
        const int tensor = assignment.target.tensor;
        if (allowed_[tensor]) continue;
        for (const Pattern& block : canonical_patterns(spins_, tensor)) {
          if (nonzero_[tensor].contains(block) || expanded(assignment.target, assignment.terms, block).empty())
            continue;
          nonzero_[tensor].insert(block);
          grows = true;
        }
      }
    }
  }

  void check_allowed() {
    for (const Assignment& assignment : assignments_) {
      const int tensor = assignment.target.tensor;
      if (!allowed_[tensor]) continue;
      for (const Pattern& block : canonical_patterns(spins_, tensor)) {
        if (allowed_[tensor]->contains(block)) continue;
        const std::vector<Term>& terms = on_block(assignment, block);
        if (terms.empty()) continue;
        diagnostics_.error({terms[0].place},
                           fmt::format("this does not conserve spin: it has elements for `{}`, which `{}` has not",
                                       block_name(spins_, tensor, block), program_.tensors[tensor].name),
                           "SpinOptions::patterns says which blocks an input or output has");
        break;
      }
    }
  }

  /// A root has no place in the language, so a norm over several blocks must be one that can be squared.
  void check_norms(const Scalar& scalar) {
    if (!has_split_norm(spins_, scalar.terms)) return;
    const auto is_norm = [](const Factor& factor) { return factor.norm; };
    const auto is_complex_divisor = [&](const Factor& factor) {
      return factor.divides && is_complex(program_.tensors[factor.tensor].type) && spins_.has_spin(factor.tensor);
    };
    const Term& first = scalar.terms[0];
    if (scalar.terms.size() == 1 && first.coefficient > 0 && std::ranges::all_of(first.factors, is_norm) &&
        std::ranges::none_of(first.factors, is_complex_divisor))
      return;
    diagnostics_.error({scalar.statement->right.place},
                       "the norm of a tensor of spin orbitals stands alone, or beside norms and numbers that it is "
                       "multiplied with or divided by",
                       "it is squared, since its blocks have norms of their own: set a scalar to a sum of squares "
                       "instead");
  }

  void find_wanted() {
    wanted_.resize(nonzero_.size());
    for (std::size_t t = 0; t < nonzero_.size(); ++t) {
      const bool is_output = program_.tensors[t].role == notation::Role::output;
      if (is_output || !spins_.has_spin(static_cast<int>(t))) wanted_[t] = nonzero_[t];
    }
    for (Scalar& scalar : scalars_) {
      const bool split = has_split_norm(spins_, scalar.terms);
      if (!split) scalar.terms = expanded(Target{}, scalar.terms, {});
      want(scalar.terms);
    }
    for (bool grows = true; grows;) {
      const BlockSets before = wanted_;
      for (auto assignment = assignments_.rbegin(); assignment != assignments_.rend(); ++assignment) {
        const std::set<Pattern> blocks = wanted_[assignment->target.tensor];
        for (const Pattern& block : blocks) want(on_block(*assignment, block));
      }
      grows = wanted_ != before;
    }
  }

  void want(const std::vector<Term>& terms) {
    for (const Term& term : terms) {
      for (const Factor& factor : term.factors) {
        if (factor.norm) {
          wanted_[factor.tensor] = nonzero_[factor.tensor];
        } else {
          wanted_[factor.tensor].insert(factor.pattern);
        }
      }
    }
  }

  void check_divisors(const ProgramStatement& statement, const std::vector<BlockStatement>& blocks) {
    for (const BlockStatement& block : blocks) {
      for (const Term& term : block.terms) {
        for (const Factor& factor : term.factors) {
          if (!factor.divides || factor.norm || nonzero_[factor.tensor].contains(factor.pattern)) continue;
          diagnostics_.error(
              {statement.right.place},
              fmt::format("this divides by `{}`, which is zero", block_name(spins_, factor.tensor, factor.pattern)),
              fmt::format("`{}` has no elements of these spins", program_.tensors[factor.tensor].name));
        }
      }
    }
  }

  const SpinTensors& spins_;
  const notation::Program& program_;
  notation::Diagnostics& diagnostics_;
  std::vector<std::optional<std::set<Pattern>>> allowed_;
  std::vector<Assignment> assignments_;
  std::vector<Scalar> scalars_;
  BlockSets nonzero_, wanted_;
  std::map<std::pair<const ProgramStatement*, Pattern>, std::vector<Term>> known_;
};

}  // namespace

Blocks find_blocks(const SpinTensors& spins, const SpinOptions& options, notation::Diagnostics& diagnostics) {
  return BlockFinder(spins, options, diagnostics).run();
}

bool has_split_norm(const SpinTensors& spins, const std::vector<Term>& terms) {
  return std::ranges::any_of(terms, [&](const Term& term) {
    return std::ranges::any_of(term.factors,
                               [&](const Factor& factor) { return factor.norm && spins.has_spin(factor.tensor); });
  });
}

}  // namespace ricci::spin
