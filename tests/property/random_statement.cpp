#include "random_statement.hpp"

#include <algorithm>
#include <utility>

#include "dice.hpp"
#include "random_parts.hpp"

namespace ricci_test {

namespace {

constexpr std::int64_t point_limit = 20000;

// A generator from a function of a seed. Shrinks are those of the statement, not of the seed.
template <class Build>
rc::Gen<Statement> generator(Build build) {
  return rc::Gen<Statement>([build](const rc::Random& random, int) {
    const auto shrink = [](const Statement& statement) {
      return rc::seq::fromContainer(smaller_statements(statement));
    };
    Dice dice(rc::Random(random).next());
    return rc::shrinkable::shrinkRecur(build(dice), shrink);
  });
}

Statement build_any(Dice& dice) {
  Statement statement;
  statement.type = random_type(dice);
  statement.data_seed = dice.bits();
  statement.how = static_cast<Assignment>(dice.between(0, 2));
  const std::string pool = random_pool(dice);
  for (std::int64_t& extent : statement.extents) extent = dice.chance(6) ? 0 : dice.between(1, 7);

  statement.output = random_labels(dice, pool, "", random_order(dice));
  TensorShape output = shape_of(statement.output);
  output.groups = random_groups(dice, output);
  statement.tensors.push_back(output);

  const int terms = dice.pick(std::vector<int>{1, 1, 1, 1, 2, 2, 3});
  for (int t = 0; t < terms; ++t) {
    Term term{random_coefficient(dice, statement.is_complex()), {}};
    const int factors = dice.pick(std::vector<int>{0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 4});
    std::string used = statement.output;
    for (int f = 0; f < factors; ++f) {
      Factor factor;
      if (dice.chance(20)) {
        factor.tensor = dice.between(0, static_cast<int>(statement.tensors.size()) - 1);
        factor.labels = labels_for(dice, statement.tensors[static_cast<std::size_t>(factor.tensor)], pool + used);
      } else {
        factor.tensor = static_cast<int>(statement.tensors.size());
        factor.labels = random_labels(dice, pool, used, random_order(dice));
        TensorShape shape = shape_of(factor.labels);
        shape.groups = dice.chance(40) ? matching_groups(dice, statement, factor.labels) : random_groups(dice, shape);
        statement.tensors.push_back(std::move(shape));
      }
      factor.conjugate = dice.chance(15);
      used += factor.labels;
      term.factors.push_back(std::move(factor));
    }
    statement.terms.push_back(std::move(term));
  }
  fit_extents(statement, point_limit);
  return statement;
}

// C[batch m n] = A[batch m k] B[batch k n], the modes of each in any order.
Statement build_contraction(Dice& dice) {
  Statement statement;
  statement.type = random_type(dice);
  statement.data_seed = dice.bits();
  statement.how = static_cast<Assignment>(dice.between(0, 2));
  for (std::int64_t& extent : statement.extents) extent = dice.between(5, 12);

  const Roles roles = random_roles(dice);
  const auto make = [&](const Role& x, const Role& y) {
    std::string labels = x.labels + y.labels + roles[3].labels;
    dice.shuffle(labels);
    TensorShape shape = shape_of(labels);
    shape.groups = dice.chance(25) ? random_groups(dice, shape) : role_groups(dice, labels, roles);
    statement.tensors.push_back(std::move(shape));
    return labels;
  };
  statement.output = make(roles[0], roles[1]);
  Term term{random_coefficient(dice, statement.is_complex()), {}};
  term.factors.push_back({1, make(roles[0], roles[2]), dice.chance(15)});
  term.factors.push_back({2, make(roles[2], roles[1]), dice.chance(15)});
  statement.terms.push_back(std::move(term));
  fit_extents(statement, 2 * point_limit);
  return statement;
}

Statement build_coupled_cluster(Dice& dice) {
  static const std::vector<std::vector<std::string>> patterns = {
      {"abij", "abef", "efij"},     {"abij", "mnij", "abmn"},         {"abij", "ae", "ebij"},
      {"abij", "mi", "abmj"},       {"abij", "amie", "ebmj"},         {"abij", "ai", "bj"},
      {"abij", "abej", "ei"},       {"abij", "efmn", "efij", "abmn"}, {"abij", "efmn", "aeim", "fbnj"},
      {"abij", "ei", "fj", "abef"}, {"abij", "abij", "abij"},         {"ai", "em", "aeim"},
      {"ai", "amef", "efim"},       {"ai", "efmn", "aefimn"},         {"", "efmn", "efmn"},
      {"", "em", "fn", "efmn"},     {"abij", "abeijm", "em"},         {"abij", "amef", "efbimj"},
      {"abcijk", "aeij", "bcek"},   {"abcijk", "abim", "mcjk"},       {"abcijk", "ae", "ebcijk"},
      {"abcijk", "mi", "abcmjk"},   {"abcijk", "abef", "efcijk"},     {"abcijk", "ai", "bj", "ck"},
      {"abcijk", "abij", "ck"},     {"abcijk", "abcijk", "abcijk"}};
  Statement statement;
  statement.type = random_type(dice);
  statement.data_seed = dice.bits();
  statement.how = static_cast<Assignment>(dice.between(0, 2));
  statement.extents = {dice.chance(10) ? 1 : dice.between(3, 5), dice.chance(10) ? 1 : dice.between(2, 4), 1};

  const std::vector<std::string> pattern = dice.pick(patterns);
  statement.output = pattern[0];
  statement.tensors.push_back(half_groups(dice, pattern[0]));
  Term term{random_coefficient(dice, statement.is_complex()), {}};
  for (std::size_t f = 1; f < pattern.size(); ++f) {
    const TensorShape shape = half_groups(dice, pattern[f]);
    const auto same = std::find_if(statement.tensors.begin(), statement.tensors.end(),
                                   [&](const TensorShape& other) { return other.spaces == shape.spaces; });
    const bool reuse = same != statement.tensors.end() && dice.chance(30);
    const auto number = reuse ? same - statement.tensors.begin() : std::ssize(statement.tensors);
    if (!reuse) statement.tensors.push_back(shape);
    term.factors.push_back({static_cast<int>(number), pattern[f], dice.chance(10)});
  }
  statement.terms.push_back(std::move(term));
  fit_extents(statement, point_limit);
  return statement;
}

}  // namespace

rc::Gen<Statement> random_statement() { return generator(build_any); }
rc::Gen<Statement> random_contraction() { return generator(build_contraction); }
rc::Gen<Statement> random_coupled_cluster() { return generator(build_coupled_cluster); }

}  // namespace ricci_test
