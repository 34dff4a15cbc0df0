#include "random_parts.hpp"

#include <algorithm>
#include <vector>

namespace ricci_test {

namespace {

GroupKind random_kind(Dice& dice) { return static_cast<GroupKind>(dice.between(0, 2)); }

// Hands out labels, each once.
class LabelSource {
 public:
  char next(int space) {
    const auto at = static_cast<std::size_t>(space);
    return static_cast<char>(first_label_of_space[at] + taken_[at]++);
  }

 private:
  std::array<int, space_count> taken_{};
};

// The modes whose label is one of these, space by space; only sets of two or more.
std::vector<std::vector<int>> modes_with(const std::string& labels, const std::string& wanted) {
  std::vector<std::vector<int>> sets(space_count);
  for (std::size_t mode = 0; mode < labels.size(); ++mode) {
    if (wanted.find(labels[mode]) == std::string::npos) continue;
    sets[static_cast<std::size_t>(space_of(labels[mode]))].push_back(static_cast<int>(mode));
  }
  std::erase_if(sets, [](const std::vector<int>& set) { return set.size() < 2; });
  return sets;
}

}  // namespace

ElementKind random_type(Dice& dice) { return static_cast<ElementKind>(dice.between(0, 3)); }

std::complex<double> random_coefficient(Dice& dice, bool is_complex) {
  static const std::vector<double> reals = {1, 1, 1, -1, 0.5, 2, -0.25, 3};
  if (is_complex && dice.chance(30)) return {dice.pick(reals), dice.pick(reals)};
  return dice.pick(reals);
}

int random_order(Dice& dice) { return dice.pick(std::vector<int>{0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6}); }

std::string random_pool(Dice& dice) {
  std::string pool;
  const int spaces = dice.between(1, space_count);
  for (int space = 0; space < spaces; ++space) {
    const int labels = dice.chance(15) ? 1 : dice.between(2, 4);
    for (int i = 0; i < labels; ++i)
      pool += static_cast<char>(first_label_of_space[static_cast<std::size_t>(space)] + i);
  }
  return pool;
}

std::string random_labels(Dice& dice, const std::string& pool, const std::string& used, int order) {
  std::string labels;
  while (std::ssize(labels) < order) {
    const std::string& source = !used.empty() && dice.chance(65) ? used : pool;
    std::string fresh;
    for (const char label : source) {
      if (labels.find(label) == std::string::npos) fresh += label;
    }
    labels += fresh.empty() || dice.chance(8) ? dice.pick(source) : dice.pick(fresh);
  }
  return labels;
}

std::string labels_for(Dice& dice, const TensorShape& shape, const std::string& candidates) {
  std::string labels;
  for (const int space : shape.spaces) {
    std::string fitting;
    std::string fresh;
    for (const char label : candidates) {
      if (space_of(label) != space) continue;
      fitting += label;
      if (labels.find(label) == std::string::npos) fresh += label;
    }
    labels += fresh.empty() || dice.chance(10) ? dice.pick(fitting) : dice.pick(fresh);
  }
  return labels;
}

TensorShape shape_of(const std::string& labels) {
  TensorShape shape;
  for (const char label : labels) shape.spaces.push_back(space_of(label));
  return shape;
}

std::vector<Group> random_groups(Dice& dice, const TensorShape& shape) {
  std::vector<Group> groups;
  for (int space = 0; space < space_count; ++space) {
    std::vector<int> modes;
    for (std::size_t mode = 0; mode < shape.spaces.size(); ++mode) {
      if (shape.spaces[mode] == space) modes.push_back(static_cast<int>(mode));
    }
    dice.shuffle(modes);
    while (modes.size() >= 2 && dice.chance(65)) {
      const int size = dice.between(2, static_cast<int>(std::min<std::size_t>(modes.size(), 4)));
      Group group{{modes.end() - size, modes.end()}, random_kind(dice)};
      std::sort(group.modes.begin(), group.modes.end());
      modes.resize(modes.size() - static_cast<std::size_t>(size));
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

std::vector<Group> matching_groups(Dice& dice, const Statement& statement, const std::string& labels) {
  std::vector<Group> groups;
  std::string taken;
  for (const Group& wanted : statement.tensors[0].groups) {
    std::string candidates;
    for (const int mode : wanted.modes) {
      const char label = statement.output[static_cast<std::size_t>(mode)];
      if (taken.find(label) == std::string::npos) candidates += label;
    }
    taken += candidates;
    for (std::vector<int>& modes : modes_with(labels, candidates)) {
      groups.push_back({std::move(modes), dice.chance(70) ? wanted.kind : random_kind(dice)});
    }
  }
  return groups;
}

Roles random_roles(Dice& dice) {
  Roles roles;
  LabelSource source;
  int left = 6;
  for (std::size_t number = 0; number < roles.size(); ++number) {
    const bool batch = number == 3;
    const int count = std::min(left, batch ? dice.between(0, 4) / 4 : dice.between(0, 3));
    const int space = dice.between(0, 1);
    for (int i = 0; i < count; ++i) roles[number].labels += source.next(dice.chance(80) ? space : 1 - space);
    roles[number].kind = random_kind(dice);
    left -= count;
  }
  return roles;
}

std::vector<Group> role_groups(Dice& dice, const std::string& labels, const Roles& roles) {
  std::vector<Group> groups;
  for (const Role& role : roles) {
    for (std::vector<int>& modes : modes_with(labels, role.labels)) {
      if (dice.chance(20)) continue;
      groups.push_back({std::move(modes), dice.chance(75) ? role.kind : random_kind(dice)});
    }
  }
  return groups;
}

TensorShape half_groups(Dice& dice, const std::string& labels) {
  TensorShape shape = shape_of(labels);
  const std::size_t half = labels.size() / 2;
  const bool usual = dice.chance(75);
  for (const std::string& part : {labels.substr(0, half), labels.substr(half)}) {
    for (std::vector<int>& modes : modes_with(labels, part)) {
      const bool declared = usual || dice.chance(70);
      if (declared) shape.groups.push_back({std::move(modes), usual ? GroupKind::antisymmetric : random_kind(dice)});
    }
  }
  return shape;
}

void fit_extents(Statement& statement, std::int64_t point_limit) {
  while (index_space(statement) > point_limit) --*std::max_element(statement.extents.begin(), statement.extents.end());
}

}  // namespace ricci_test
