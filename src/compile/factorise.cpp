#include "compile/factorise.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "compile/product_order.hpp"
#include "compile/spellings.hpp"
#include "symmetry/fold.hpp"

namespace ricci::compile {

namespace {

using Names = std::map<int, int>;  // labels of one term as those of another

/// What of a term is left without one factor.
struct Rest {
  double coefficient = 1;
  std::vector<Operand> factors;
  std::set<int> labels() const {
    std::set<int> result;
    for (const Operand& factor : factors) result.insert(factor.labels.begin(), factor.labels.end());
    return result;
  }
};

/// Two terms as common · (one + other).
struct Join {
  std::size_t first = 0, second = 0;  // terms
  Operand common;
  Rest one, other;
  std::vector<int> labels;  // of the sum in parentheses
  Symmetry symmetry;        // and what it has of that
  double saved = 0;         // flops
};

class SumFactoriser {
 public:
  SumFactoriser(Formula& formula, Operation sum, int& names)
      : formula_(formula),
        sum_(std::move(sum)),
        names_(names),
        output_(sum_.out.labels.begin(), sum_.out.labels.end()) {}

  /// The sum, behind the intermediates that it needs now.
  std::vector<Operation> run() {
    while (auto join = best_join()) apply(*join);
    std::vector<Operation> result;
    for (Operation& parenthesis : parentheses_) {
      for (Operation& operation : SumFactoriser(formula_, std::move(parenthesis), names_).run())
        result.push_back(std::move(operation));
    }
    result.push_back(std::move(sum_));
    return result;
  }

 private:
  std::optional<Join> best_join() const {
    std::optional<Join> best;
    for (std::size_t i = 0; i < sum_.terms.size(); ++i) {
      for (std::size_t j = i + 1; j < sum_.terms.size(); ++j) {
        for (std::size_t f = 0; f < sum_.terms[i].factors.size(); ++f) {
          for (std::size_t g = 0; g < sum_.terms[j].factors.size(); ++g) {
            for (const Spelling& spelling : spellings_of(sum_.terms[j].factors[g])) {
              auto join = join_by(i, f, j, g, spelling);
              if (join && join->saved > 0 && (!best || join->saved > best->saved)) best = std::move(join);
            }
          }
        }
      }
    }
    return best;
  }

  std::vector<Spelling> spellings_of(const Operand& factor) const {
    constexpr double most = 200;
    const symmetry::Shape& shape = *formula_.arrays[factor.array].shape;
    if (spelling_count(shape) > most) return {{factor.labels, 1}};
    return spellings(factor.labels, shape);
  }

  static Rest without(const Product& term, std::size_t factor) {
    Rest rest{term.coefficient, term.factors};
    rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(factor));
    return rest;
  }

  std::optional<Join> join_by(std::size_t i, std::size_t f, std::size_t j, std::size_t g,
                              const Spelling& spelling) const {
    const Operand& a = sum_.terms[i].factors[f];
    const Operand& b = sum_.terms[j].factors[g];
    if (a.array != b.array || a.conjugate != b.conjugate) return std::nullopt;
    Rest one = without(sum_.terms[i], f), other = without(sum_.terms[j], g);
    if (one.factors.empty() || other.factors.empty()) return std::nullopt;
    const auto names = renaming(spelling.labels, a.labels);
    if (!names) return std::nullopt;
    other.coefficient *= spelling.sign;
    rename(other, *names, a);
    Join join{i, j, a, std::move(one), std::move(other), {}, {}, 0};
    if (!describe_sum(join) || !keeps_symmetry(join)) return std::nullopt;
    join.saved = saved_by(join);
    return join;
  }

  /// Summed labels may be called anything, labels of the output only what they are.
  std::optional<Names> renaming(const std::vector<int>& from, const std::vector<int>& to) const {
    Names names;
    std::map<int, int> back;
    for (std::size_t m = 0; m < from.size(); ++m) {
      const bool fixed = output_.count(from[m]) > 0 || output_.count(to[m]) > 0;
      if (fixed && from[m] != to[m]) return std::nullopt;
      if (!names.try_emplace(from[m], to[m]).second && names[from[m]] != to[m]) return std::nullopt;
      if (!back.try_emplace(to[m], from[m]).second && back[to[m]] != from[m]) return std::nullopt;
    }
    return names;
  }

  /// Labels that the common factor lacks get names that mean nothing else there.
  void rename(Rest& rest, Names names, const Operand& common) const {
    const std::set<int> taken(common.labels.begin(), common.labels.end());
    for (int label : rest.labels()) {
      if (names.count(label) > 0 || output_.count(label) > 0) continue;
      names[label] = taken.count(label) > 0 ? free_label(label, rest, names, taken) : label;
    }
    for (Operand& factor : rest.factors) {
      for (int& label : factor.labels) {
        const auto it = names.find(label);
        if (it != names.end()) label = it->second;
      }
    }
  }

  /// A label of the same extent that neither side uses; a new one where there is none.
  int free_label(int like, const Rest& rest, const Names& names, const std::set<int>& taken) const {
    const std::set<int> own = rest.labels();
    for (std::size_t l = 0; l < formula_.labels.size(); ++l) {
      const int label = static_cast<int>(l);
      const bool used = taken.count(label) > 0 || own.count(label) > 0 || output_.count(label) > 0 ||
                        std::any_of(names.begin(), names.end(), [&](const auto& n) { return n.second == label; });
      if (!used && formula_.labels[l].extent == formula_.labels[like].extent) return label;
    }
    const auto exists = [&](const std::string& name) {
      return std::any_of(formula_.labels.begin(), formula_.labels.end(),
                         [&](const Label& l) { return l.name == name; });
    };
    std::string name = formula_.labels[like].name;
    while (exists(name)) name += '\'';
    formula_.labels.push_back({name, formula_.labels[like].extent});
    return static_cast<int>(formula_.labels.size()) - 1;
  }

  /// Both sides must have the same labels outside of them.
  bool describe_sum(Join& join) const {
    const auto outside = [&](const Rest& rest) {
      std::set<int> result;
      for (int label : rest.labels()) {
        const bool common =
            std::find(join.common.labels.begin(), join.common.labels.end(), label) != join.common.labels.end();
        if (common || output_.count(label) > 0) result.insert(label);
      }
      return result;
    };
    const std::set<int> labels = outside(join.one);
    if (labels != outside(join.other)) return false;
    join.labels.assign(labels.begin(), labels.end());
    const Symmetry one = inherited(join.one.factors, join.labels), other = inherited(join.other.factors, join.labels);
    join.symmetry = one == other ? one : Symmetry{};
    return true;
  }

  Symmetry inherited(const std::vector<Operand>& factors, const std::vector<int>& labels) const {
    std::vector<symmetry::Labelled> inside;
    for (const Operand& factor : factors) inside.push_back({formula_.arrays[factor.array].shape.get(), factor.labels});
    return symmetry::inherited_symmetry(inside, labels);
  }

  bool keeps_symmetry(const Join& join) const {
    if (formula_.arrays[sum_.out.array].shape->symmetry().empty()) return true;
    const std::vector<int>& out = sum_.out.labels;
    if (std::set<int>(out.begin(), out.end()).size() != out.size()) return false;
    const symmetry::Shape sum = shape_of(join);
    const Symmetry joined = symmetry::inherited_symmetry(
        {{formula_.arrays[join.common.array].shape.get(), join.common.labels}, {&sum, join.labels}}, out);
    for (const Rest* rest : {&join.one, &join.other}) {
      std::vector<Operand> factors = rest->factors;
      factors.push_back(join.common);
      if (inherited(factors, out) != joined) return false;
    }
    return true;
  }

  symmetry::Shape shape_of(const Join& join) const {
    Extents extents;
    for (int label : join.labels) extents.push_back(formula_.labels[label].extent);
    return {extents, join.symmetry};
  }

  double flops_of(const Operand& out, const std::vector<Operand>& factors) const {
    if (factors.size() < 2) return term_flops(formula_, out, {1, factors});
    return best_tree(formula_, out, factors).flops;
  }

  /// Against computing both terms by themselves, each in its best order.
  double saved_by(const Join& join) const {
    const double apart =
        flops_of(sum_.out, sum_.terms[join.first].factors) + flops_of(sum_.out, sum_.terms[join.second].factors);
    formula_.arrays.push_back({"", join.labels, std::make_shared<const symmetry::Shape>(shape_of(join)),
                               formula_.arrays[sum_.out.array].type, -1});
    const Operand sum{static_cast<int>(formula_.arrays.size()) - 1, join.labels};
    const double together =
        flops_of(sum, join.one.factors) + flops_of(sum, join.other.factors) + flops_of(sum_.out, {join.common, sum});
    formula_.arrays.pop_back();
    return apart - together;
  }

  void apply(const Join& join) {
    const auto own = own_parenthesis(join);
    if (own != parentheses_.end()) {
      own->terms.push_back({join.other.coefficient / join.one.coefficient, join.other.factors});
      std::rotate(own, own + 1, parentheses_.end());  // what has joined it may be one that was made later
    } else {
      formula_.arrays.push_back({fmt::format("_{}", ++names_), join.labels,
                                 std::make_shared<const symmetry::Shape>(shape_of(join)),
                                 formula_.arrays[sum_.out.array].type, -1});
      const Operand sum{static_cast<int>(formula_.arrays.size()) - 1, join.labels};
      parentheses_.push_back(
          {.kind = Operation::Kind::assign,
           .out = sum,
           .terms = {{join.one.coefficient, join.one.factors}, {join.other.coefficient, join.other.factors}}});
      sum_.terms[join.first] = {1, {join.common, sum}};
    }
    sum_.terms.erase(sum_.terms.begin() + static_cast<std::ptrdiff_t>(join.second));
  }

  /// A sum in parentheses that was made for this term can take one more term of the same labels and symmetry.
  std::vector<Operation>::iterator own_parenthesis(const Join& join) {
    return std::find_if(parentheses_.begin(), parentheses_.end(), [&](const Operation& parenthesis) {
      return join.one.factors.size() == 1 && parenthesis.out == join.one.factors[0] &&
             parenthesis.out.labels == join.labels &&
             formula_.arrays[parenthesis.out.array].shape->symmetry() == join.symmetry;
    });
  }

  Formula& formula_;
  Operation sum_;
  int& names_;
  const std::set<int> output_;
  std::vector<Operation> parentheses_;
};

class Factoriser {
 public:
  explicit Factoriser(const Formula& formula) : formula_(formula) {
    for (const Array& array : formula.arrays) names_ += array.is_intermediate() ? 1 : 0;
  }

  Formula run() {
    formula_.operations = rewrite(formula_.operations);
    return std::move(formula_);
  }

 private:
  std::vector<Operation> rewrite(const std::vector<Operation>& operations) {
    std::vector<Operation> result;
    for (const Operation& operation : operations) {
      const bool is_sum = operation.kind == Operation::Kind::assign || operation.kind == Operation::Kind::add;
      if (is_sum && operation.terms.size() > 1) {
        for (Operation& part : SumFactoriser(formula_, operation, names_).run()) result.push_back(std::move(part));
        continue;
      }
      result.push_back(operation);
      result.back().body = rewrite(operation.body);
    }
    return result;
  }

  Formula formula_;
  int names_ = 0;
};

}  // namespace

Formula factorise(const Formula& formula) {
  Formula result = Factoriser(formula).run();
  verify(result);
  return result;
}

}  // namespace ricci::compile
