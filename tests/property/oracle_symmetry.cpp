#include "oracle_symmetry.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ricci_test {

namespace {

int inversion_sign(const std::vector<int>& order) {
  int sign = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) sign = order[i] > order[j] ? -sign : sign;
  }
  return sign;
}

int sign_of(GroupKind kind) { return kind == GroupKind::antisymmetric ? -1 : 1; }

// All ways to place the modes of each group on the positions of that group.
std::vector<SignedPermutation> group_elements(const TensorShape& shape) {
  SignedPermutation identity{std::vector<int>(shape.spaces.size()), 1};
  std::iota(identity.position.begin(), identity.position.end(), 0);
  std::vector<SignedPermutation> elements = {identity};
  for (const Group& group : shape.groups) {
    std::vector<SignedPermutation> next;
    std::vector<int> order = group.modes;
    std::sort(order.begin(), order.end());
    const std::vector<int> modes = order;
    do {
      const int sign = group.kind == GroupKind::antisymmetric ? inversion_sign(order) : 1;
      for (SignedPermutation element : elements) {
        for (std::size_t i = 0; i < modes.size(); ++i) {
          element.position[static_cast<std::size_t>(modes[i])] = order[i];
        }
        element.sign *= sign;
        next.push_back(std::move(element));
      }
    } while (std::next_permutation(order.begin(), order.end()));
    elements = std::move(next);
  }
  return elements;
}

}  // namespace

bool term_has_exchange(const Statement& statement, const Term& term, const Group& group, int mode_x, int mode_y) {
  const char x = statement.output[static_cast<std::size_t>(mode_x)];
  const char y = statement.output[static_cast<std::size_t>(mode_y)];
  const auto count = [](const std::string& labels, char label) {
    return std::count(labels.begin(), labels.end(), label);
  };
  if (x == y || count(statement.output, x) != 1 || count(statement.output, y) != 1) return false;
  int sign = 1;
  for (const Factor& factor : term.factors) {
    if (count(factor.labels, x) == 0 && count(factor.labels, y) == 0) continue;
    if (count(factor.labels, x) != 1 || count(factor.labels, y) != 1) return false;
    const int at_x = static_cast<int>(factor.labels.find(x));
    const int at_y = static_cast<int>(factor.labels.find(y));
    const auto& groups = statement.tensors[static_cast<std::size_t>(factor.tensor)].groups;
    const auto home = std::find_if(groups.begin(), groups.end(), [&](const Group& candidate) {
      return std::count(candidate.modes.begin(), candidate.modes.end(), at_x) > 0 &&
             std::count(candidate.modes.begin(), candidate.modes.end(), at_y) > 0;
    });
    if (home == groups.end()) return false;
    sign *= sign_of(home->kind);
  }
  return sign == sign_of(group.kind);
}

std::vector<SignedPermutation> cosets(const Statement& statement, const Term& term) {
  const TensorShape& shape = statement.tensors[0];
  // H is a product of symmetric groups: of each set of modes that exchanges connect. Give each set one name.
  std::vector<int> set_of(shape.spaces.size());
  std::iota(set_of.begin(), set_of.end(), 0);
  for (const Group& group : shape.groups) {
    for (const int x : group.modes) {
      for (const int y : group.modes) {
        if (!term_has_exchange(statement, term, group, x, y)) continue;
        const int from = set_of[static_cast<std::size_t>(y)];
        std::replace(set_of.begin(), set_of.end(), from, set_of[static_cast<std::size_t>(x)]);
      }
    }
  }
  // Two elements of G are in one coset gH where they put the same sets on the same positions.
  std::set<std::vector<int>> seen;
  std::vector<SignedPermutation> representatives;
  for (const SignedPermutation& element : group_elements(shape)) {
    std::vector<int> set_at(set_of.size());
    for (std::size_t mode = 0; mode < set_of.size(); ++mode) {
      set_at[static_cast<std::size_t>(element.position[mode])] = set_of[mode];
    }
    if (seen.insert(set_at).second) representatives.push_back(element);
  }
  return representatives;
}

Canonical canonical(const TensorShape& shape, std::vector<std::int64_t> index) {
  Canonical result{index, 1};
  for (const Group& group : shape.groups) {
    std::vector<int> modes = group.modes;
    std::sort(modes.begin(), modes.end());
    std::vector<std::int64_t> values;
    for (const int mode : modes) values.push_back(index[static_cast<std::size_t>(mode)]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = i + 1; j < values.size(); ++j) {
        if (values[i] == values[j] && group.kind != GroupKind::symmetric) result.sign = 0;
        if (values[i] > values[j] && group.kind == GroupKind::antisymmetric) result.sign = -result.sign;
      }
    }
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < modes.size(); ++i) result.index[static_cast<std::size_t>(modes[i])] = values[i];
  }
  return result;
}

}  // namespace ricci_test
