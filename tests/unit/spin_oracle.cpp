#include "spin_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "program_text.hpp"

namespace ricci::spin::oracle {

using notation::Program;
using notation::ProgramExpression;
using notation::ProgramStatement;
using notation::ProgramTensor;
using Kind = ProgramExpression::Kind;

namespace {

struct Piece {
  int tensor;
  std::vector<int> labels;
  bool divides;
};
struct Product {
  long double number = 1;
  std::vector<Piece> pieces;
};

std::vector<Product> expanded(const ProgramExpression& e, bool divides = false) {
  if (e.kind == Kind::number) return {{divides ? 1 / e.number : e.number, {}}};
  if (e.kind == Kind::tensor) return {{1, {{e.tensor, e.labels, divides}}}};
  if (e.kind == Kind::sum) {
    std::vector<Product> all;
    for (const auto& operand : e.operands) {
      for (auto& product : expanded(operand, divides)) all.push_back(product);
    }
    return all;
  }
  if (e.kind == Kind::norm) throw std::logic_error("a norm in an assignment");
  std::vector<Product> all{Product{}};
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    std::vector<Product> next;
    for (const Product& left : all) {
      for (const Product& right : expanded(e.operands[i], divides || (e.kind == Kind::quotient && i == 1))) {
        next.push_back({left.number * right.number, left.pieces});
        next.back().pieces.insert(next.back().pieces.end(), right.pieces.begin(), right.pieces.end());
      }
    }
    all = next;
  }
  return all;
}

std::int64_t size_of(const std::vector<std::int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t place_of(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& index) {
  std::int64_t place = 0;
  for (std::size_t m = 0; m < extents.size(); ++m) place = place * extents[m] + index[m];
  return place;
}

/// Calls f with every index; nothing where an extent is 0.
template <class F>
void for_each_index(const std::vector<std::int64_t>& extents, F f) {
  if (size_of(extents) == 0) return;
  std::vector<std::int64_t> index(extents.size(), 0);
  for (;;) {
    f(index);
    std::size_t m = extents.size();
    while (m > 0 && ++index[m - 1] == extents[m - 1]) index[--m] = 0;
    if (m == 0) return;
  }
}

struct Permutation {
  std::vector<int> from;
  int sign = 1;
};

/// All that a symmetry has.
std::vector<Permutation> permutations(const Symmetry& symmetry, std::size_t order) {
  Permutation identity{std::vector<int>(order), 1};
  std::iota(identity.from.begin(), identity.from.end(), 0);
  std::vector<Permutation> all{identity};
  for (const SymmetryGroup& group : symmetry.groups()) {
    std::vector<Permutation> next;
    std::vector<int> image = group.modes;
    do {
      int inversions = 0;
      for (std::size_t i = 0; i < image.size(); ++i) {
        for (std::size_t j = i + 1; j < image.size(); ++j) inversions += image[i] > image[j];
      }
      for (Permutation p : all) {
        for (std::size_t i = 0; i < image.size(); ++i) p.from[group.modes[i]] = image[i];
        if (group.kind == SymmetryKind::antisymmetric && inversions % 2 == 1) p.sign = -p.sign;
        next.push_back(p);
      }
    } while (std::next_permutation(image.begin(), image.end()));
    all = next;
  }
  return all;
}

class Interpreter {
 public:
  Interpreter(const Program& program, const std::map<std::string, Dense>& inputs) : program_(program) {
    for (const ProgramTensor& tensor : program.tensors) {
      Dense dense{tensor.shape.extents(), {}};
      dense.values.assign(static_cast<std::size_t>(size_of(dense.extents)), 0);
      tensors_.push_back(tensor.role == notation::Role::input ? inputs.at(tensor.name) : dense);
    }
  }

  Result run() {
    block(program_.statements);
    for (std::size_t t = 0; t < tensors_.size(); ++t) result_.tensors[program_.tensors[t].name] = tensors_[t];
    return result_;
  }

 private:
  void block(const std::vector<ProgramStatement>& statements) {
    for (const ProgramStatement& statement : statements) {
      if (statement.kind == ProgramStatement::Kind::print) {
        result_.printed.push_back(scalar(statement.right));
      } else if (statement.kind == ProgramStatement::Kind::repeat) {
        for (std::int64_t n = 0; n < statement.times; ++n) {
          block(statement.body);
          if (statement.has_condition && scalar(statement.right) < statement.threshold) break;
        }
      } else {
        assign(statement);
      }
    }
  }

  long double scalar(const ProgramExpression& e) {
    if (e.kind == Kind::norm) {
      long double sum = 0;
      for (const long double x : tensors_[e.tensor].values) sum += x * x;
      return std::sqrt(sum);
    }
    if (e.kind == Kind::sum) {
      long double sum = 0;
      for (const auto& operand : e.operands) sum += scalar(operand);
      return sum;
    }
    if (e.kind == Kind::quotient) return scalar(e.operands[0]) / scalar(e.operands[1]);
    if (e.kind == Kind::product && has_norm(e)) {
      long double product = 1;
      for (const auto& operand : e.operands) product *= scalar(operand);
      return product;
    }
    long double sum = 0;
    for (const Product& product : expanded(e)) sum += values_of(product, {}).at(0);
    return sum;
  }

  static bool has_norm(const ProgramExpression& e) {
    return e.kind == Kind::norm || std::ranges::any_of(e.operands, has_norm);
  }

  /// The product as a tensor over the target's modes.
  std::vector<long double> values_of(const Product& product, const std::vector<int>& target) {
    std::vector<int> labels;
    const auto add = [&](int label) {
      if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
    };
    for (const int label : target) add(label);
    for (const Piece& piece : product.pieces) std::ranges::for_each(piece.labels, add);
    std::vector<std::int64_t> extents, target_extents;
    for (const int label : labels) extents.push_back(program_.labels[label].extent);
    for (const int label : target) target_extents.push_back(program_.labels[label].extent);

    // Strides of every piece, and of the result, along each of the labels.
    const auto strides_of = [&](const std::vector<int>& modes, const std::vector<std::int64_t>& sizes) {
      std::vector<std::int64_t> strides(labels.size(), 0);
      std::int64_t stride = 1;
      for (std::size_t m = modes.size(); m-- > 0; stride *= sizes[m])
        strides[std::ranges::find(labels, modes[m]) - labels.begin()] += stride;
      return strides;
    };
    const auto out = strides_of(target, target_extents);
    std::vector<std::vector<std::int64_t>> in;
    for (const Piece& piece : product.pieces) in.push_back(strides_of(piece.labels, tensors_[piece.tensor].extents));

    std::vector<long double> values(static_cast<std::size_t>(size_of(target_extents)), 0);
    for_each_index(extents, [&](const std::vector<std::int64_t>& index) {
      const auto at = [&](const std::vector<std::int64_t>& strides) {
        return static_cast<std::size_t>(
            std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0}));
      };
      long double value = product.number;
      for (std::size_t p = 0; p < in.size(); ++p) {
        const long double x = tensors_[product.pieces[p].tensor].values[at(in[p])];
        value *= product.pieces[p].divides ? (x == 0 ? 0 : 1 / x) : x;
      }
      values[at(out)] += value;
      result_.largest = std::max(result_.largest, std::abs(value));
    });
    return values;
  }

  /// Whether exchanging the labels of two modes of a group of the target leaves the product as it is.
  bool is_kept(const Product& product, const std::vector<int>& target, const SymmetryGroup& group, int x, int y) const {
    const int a = target[x], b = target[y];
    if (a == b || std::ranges::count(target, a) > 1 || std::ranges::count(target, b) > 1) return false;
    int sign = group.kind == SymmetryKind::antisymmetric ? -1 : 1;
    for (const Piece& piece : product.pieces) {
      const auto count_a = std::ranges::count(piece.labels, a), count_b = std::ranges::count(piece.labels, b);
      if (count_a + count_b == 0) continue;
      if (count_a != 1 || count_b != 1) return false;
      const auto mode_a = std::ranges::find(piece.labels, a) - piece.labels.begin();
      const auto mode_b = std::ranges::find(piece.labels, b) - piece.labels.begin();
      bool together = false;
      for (const SymmetryGroup& own : program_.tensors[piece.tensor].shape.symmetry().groups()) {
        if (std::ranges::count(own.modes, mode_a) == 0 || std::ranges::count(own.modes, mode_b) == 0) continue;
        together = true;
        if (own.kind == SymmetryKind::antisymmetric) sign = -sign;
      }
      if (!together) return false;
    }
    return sign == 1;
  }

  void assign(const ProgramStatement& statement) {
    const Symmetry& symmetry = program_.tensors[statement.tensor].shape.symmetry();
    const auto extents = tensors_[statement.tensor].extents;
    std::vector<long double> sum(tensors_[statement.tensor].values.size(), 0);
    for (const Product& product : expanded(statement.right)) {
      const auto values = values_of(product, statement.labels);
      std::vector<int> set(extents.size());  // modes that exchanges connect
      std::iota(set.begin(), set.end(), 0);
      for (const SymmetryGroup& group : symmetry.groups()) {
        for (const int x : group.modes) {
          for (const int y : group.modes) {
            if (x != y && is_kept(product, statement.labels, group, x, y)) std::ranges::replace(set, set[y], set[x]);
          }
        }
      }
      std::set<std::vector<int>> seen;
      for (const Permutation& g : permutations(symmetry, extents.size())) {
        std::vector<int> coset(set.size());
        for (std::size_t m = 0; m < set.size(); ++m) coset[g.from[m]] = set[m];
        if (!seen.insert(coset).second) continue;
        for_each_index(extents, [&](const std::vector<std::int64_t>& index) {
          auto moved = index;
          for (std::size_t m = 0; m < index.size(); ++m) moved[m] = index[g.from[m]];
          sum[static_cast<std::size_t>(place_of(extents, index))] +=
              g.sign * values[static_cast<std::size_t>(place_of(extents, moved))];
        });
      }
    }
    store(statement, symmetry, extents, sum);
  }

  void store(const ProgramStatement& statement, const Symmetry& symmetry, const std::vector<std::int64_t>& extents,
             const std::vector<long double>& sum) {
    auto& values = tensors_[statement.tensor].values;
    for_each_index(extents, [&](const std::vector<std::int64_t>& index) {
      const auto place = static_cast<std::size_t>(place_of(extents, index));
      using How = ProgramStatement::Kind;
      const long double before = statement.kind == How::assign ? 0 : values[place];
      values[place] = before + (statement.kind == How::subtract ? -sum[place] : sum[place]);
      for (const SymmetryGroup& group : symmetry.groups()) {
        for (const int x : group.modes) {
          for (const int y : group.modes) {
            if (group.kind != SymmetryKind::symmetric && x < y && index[x] == index[y]) values[place] = 0;
          }
        }
      }
    });
  }

  const Program& program_;
  std::vector<Dense> tensors_;
  Result result_;
};

const SpinSpace* space_of(const Program& program, const SpinOptions& options, int label) {
  const auto found = options.spaces.find(program.labels[label].space);
  return found == options.spaces.end() ? nullptr : &found->second;
}

/// 'a', 'b' or '.' for each mode.
std::string spins_of(const Program& program, const SpinOptions& options, const ProgramTensor& tensor,
                     const std::vector<std::int64_t>& index) {
  std::string spins;
  for (std::size_t m = 0; m < index.size(); ++m) {
    const SpinSpace* const space = space_of(program, options, tensor.labels[m]);
    spins += !space ? '.' : index[m] < space->alpha_extent ? 'a' : 'b';
  }
  return spins;
}

bool is_allowed(const SpinOptions& options, const std::string& name, std::string spins) {
  std::erase(spins, '.');
  const auto given = options.patterns.find(name);
  if (given == options.patterns.end()) {
    const std::size_t half = spins.size() / 2;
    return spins.size() == 1 || std::count(spins.begin(), spins.begin() + static_cast<std::ptrdiff_t>(half), 'a') ==
                                    std::count(spins.begin() + static_cast<std::ptrdiff_t>(half), spins.end(), 'a');
  }
  return std::ranges::any_of(given->second, [&](const std::string& pattern) {
    for (std::size_t i = 0; i < spins.size(); ++i) {
      if (pattern[i] != '*' && pattern[i] != spins[i]) return false;
    }
    return true;
  });
}

/// The part of a tensor over spin orbitals with these spins.
Dense part_of(const Program& program, const SpinOptions& options, const ProgramTensor& tensor, const Dense& dense,
              const std::string& spins) {
  Dense part;
  std::vector<std::int64_t> first;
  for (std::size_t m = 0; m < spins.size(); ++m) {
    const SpinSpace* const space = space_of(program, options, tensor.labels[m]);
    first.push_back(spins[m] == 'b' ? space->alpha_extent : 0);
    part.extents.push_back(spins[m] == '.'   ? dense.extents[m]
                           : spins[m] == 'a' ? space->alpha_extent
                                             : space->beta_extent);
  }
  for_each_index(part.extents, [&](std::vector<std::int64_t> index) {
    for (std::size_t m = 0; m < index.size(); ++m) index[m] += first[m];
    part.values.push_back(dense.values[static_cast<std::size_t>(place_of(dense.extents, index))]);
  });
  return part;
}

std::vector<std::string> all_spins(const Program& program, const SpinOptions& options, const ProgramTensor& tensor) {
  std::vector<std::string> all{""};
  for (const int label : tensor.labels) {
    std::vector<std::string> longer;
    for (const std::string& spins : all) {
      if (!space_of(program, options, label)) longer.push_back(spins + '.');
      if (space_of(program, options, label)) longer.insert(longer.end(), {spins + 'a', spins + 'b'});
    }
    all = longer;
  }
  return all;
}

std::string name_of_block(const ProgramTensor& tensor, std::string spins) {
  std::erase(spins, '.');
  return spins.empty() ? tensor.name : tensor.name + '_' + spins;
}

/// The spins of the block that holds these, in each group alpha before beta.
std::string sorted_spins(const ProgramTensor& tensor, std::string spins) {
  for (const SymmetryGroup& group : tensor.shape.symmetry().groups()) {
    std::string own;
    for (const int mode : group.modes) own += spins[mode];
    std::ranges::sort(own);
    for (std::size_t i = 0; i < own.size(); ++i) spins[group.modes[i]] = own[i];
  }
  return spins;
}

void expect_close(const Dense& found, const Dense& wanted, long double largest, const std::string& what) {
  ASSERT_EQ(found.extents, wanted.extents) << what;
  long double worst = 0;
  for (std::size_t i = 0; i < wanted.values.size(); ++i) {
    const long double error = std::abs(found.values[i] - wanted.values[i]);
    worst = error > worst || std::isnan(error) ? error : worst;
  }
  EXPECT_LE(worst, 1e-11 * largest) << what;
}

}  // namespace

Result run(const Program& program, const std::map<std::string, Dense>& inputs) {
  return Interpreter(program, inputs).run();
}

std::map<std::string, Dense> random_inputs(const Program& program, const SpinOptions& options, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::map<std::string, Dense> inputs;
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.role != notation::Role::input) continue;
    const auto& extents = tensor.shape.extents();
    std::vector<long double> numbers(static_cast<std::size_t>(size_of(extents)));
    for (long double& x : numbers) x = uniform(random);
    Dense dense{extents, std::vector<long double>(numbers.size(), 0)};
    const auto group = permutations(tensor.shape.symmetry(), extents.size());
    for_each_index(extents, [&](const std::vector<std::int64_t>& index) {
      const bool allowed = std::ranges::any_of(group, [&](const Permutation& g) {
        std::vector<std::int64_t> moved;
        for (const int m : g.from) moved.push_back(index[m]);
        return is_allowed(options, tensor.name, spins_of(program, options, tensor, moved));
      });
      if (!allowed) return;
      long double sum = 0;
      for (const Permutation& g : group) {
        std::vector<std::int64_t> moved;
        for (const int m : g.from) moved.push_back(index[m]);
        sum += g.sign * numbers[static_cast<std::size_t>(place_of(extents, moved))];
      }
      for (const SymmetryGroup& part : tensor.shape.symmetry().groups()) {
        for (const int x : part.modes) {
          for (const int y : part.modes) {
            if (part.kind == SymmetryKind::hollow && x < y && index[x] == index[y]) sum = 0;
          }
        }
      }
      dense.values[static_cast<std::size_t>(place_of(extents, index))] =
          sum / std::sqrt(static_cast<long double>(group.size()));
    });
    inputs[tensor.name] = std::move(dense);
  }
  return inputs;
}

void expect_same(const std::string& text, const SpinOptions& options, unsigned seed, const std::vector<bool>& squared) {
  notation::SpaceSizes sizes;
  for (const auto& [name, space] : options.spaces) sizes[name] = space.alpha_extent + space.beta_extent;
  const std::string parts = spin_integrated(text, "t.ric", options);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text + "\n" + parts);
  EXPECT_EQ(notation::formatted(parts), parts) << "is tidy";
  const Program whole_program = notation::bound(text, sizes), parts_program = notation::bound(parts);

  std::mt19937 random(seed);
  const auto whole_inputs = random_inputs(whole_program, options, random);
  std::map<std::string, Dense> part_inputs;
  for (const ProgramTensor& tensor : whole_program.tensors) {
    if (tensor.role != notation::Role::input) continue;
    for (const std::string& spins : all_spins(whole_program, options, tensor))
      part_inputs[name_of_block(tensor, spins)] =
          part_of(whole_program, options, tensor, whole_inputs.at(tensor.name), spins);
  }
  const Result whole = run(whole_program, whole_inputs), found = run(parts_program, part_inputs);
  for (const ProgramTensor& tensor : whole_program.tensors) {
    for (const std::string& spins : all_spins(whole_program, options, tensor)) {
      const Dense wanted = part_of(whole_program, options, tensor, whole.tensors.at(tensor.name), spins);
      const std::string name = name_of_block(tensor, spins);
      const auto there = found.tensors.find(name);
      if (there != found.tensors.end()) expect_close(there->second, wanted, whole.largest, name);
      const std::string home = name_of_block(tensor, sorted_spins(tensor, spins));
      if (tensor.role == notation::Role::output && !found.tensors.contains(home))
        expect_close({wanted.extents, std::vector<long double>(wanted.values.size(), 0)}, wanted, whole.largest,
                     name + " is not there");
    }
  }
  ASSERT_EQ(found.printed.size(), whole.printed.size());
  for (std::size_t i = 0; i < whole.printed.size(); ++i) {
    const long double value = whole.printed[i];
    const long double wanted = i < squared.size() && squared[i] ? value * value : value;
    EXPECT_NEAR(found.printed[i], wanted, 1e-11 * std::max(whole.largest, std::abs(wanted)));
  }
}

}  // namespace ricci::spin::oracle
