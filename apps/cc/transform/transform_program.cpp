// The text of the program: quarters, halves and three quarters of the transform are made once for all blocks.
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "store/algebra.hpp"
#include "transform/transform.hpp"

namespace cc {
namespace {

using Pair = std::array<int, 2>;  // of sets, in order

/// (pq|rs) over sets, the pair with fewer products of orbitals first: what comes in between is smaller.
struct Integral {
  Pair left = {}, right = {};
  std::array<int, 4> modes = {};  // of the block, in this order
};

class Writer {
 public:
  Writer(std::int64_t functions, const std::vector<OrbitalSet>& sets, const std::vector<IntegralBlock>& blocks)
      : sets_(sets), blocks_(blocks) {
    declarations_ = fmt::format("index f1 f2 f3 f4 : {}\n", functions);
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if (count(static_cast<int>(s)) == 0) continue;
      const std::string& name = sets[s].name;
      declarations_ += fmt::format("index {0}1 {0}2 {0}3 {0}4 : {1}\n", name, count(static_cast<int>(s)));
    }
    declarations_ += "input F[f1,f2,f3,f4] symmetric(f1,f2) symmetric(f3,f4) given\n";
  }

  std::string run() {
    for (const IntegralBlock& block : blocks_) {
      if (is_wanted(block)) declare("output", block.name, labels_of(block), block.symmetry, " given");
    }
    std::vector<Pair> pairs = left_pairs();
    for (const Pair& pair : pairs) {
      for (const bool same : {true, false}) {  // a third that both kinds want is made with the larger of their sets
        for (const IntegralBlock& block : blocks_) {
          for (const IntegralTerm& term : block.terms) {
            const Integral wanted = integral_of(block, term);
            if (is_wanted(block) && wanted.left == pair && (wanted.right[0] == wanted.right[1]) == same) make(wanted);
          }
        }
      }
      for (const IntegralBlock& block : blocks_) add_where_complete(block);
    }
    return declarations_ + statements_;
  }

 private:
  using Labels = std::vector<std::string>;

  std::int64_t count(int set) const { return sets_[static_cast<std::size_t>(set)].coefficients.cols(); }
  const std::string& name(int set) const { return sets_[static_cast<std::size_t>(set)].name; }
  std::int64_t size(const Pair& pair) const { return count(pair[0]) * count(pair[1]); }
  std::string name(const Pair& pair) const { return name(pair[0]) + "_" + name(pair[1]); }

  bool is_wanted(const IntegralBlock& block) const {
    return !block.terms.empty() &&
           std::all_of(block.sets.begin(), block.sets.end(), [&](int set) { return count(set) > 0; });
  }

  /// The labels of modes that are over such sets: `v1 v2 o1 o2`.
  Labels labels(const std::vector<int>& sets) const {
    Labels result;
    for (std::size_t m = 0; m < sets.size(); ++m)
      result.push_back(fmt::format(
          "{}{}", name(sets[m]), 1 + std::count(sets.begin(), sets.begin() + static_cast<std::ptrdiff_t>(m), sets[m])));
    return result;
  }
  Labels labels_of(const IntegralBlock& block) const { return labels({block.sets.begin(), block.sets.end()}); }

  Integral integral_of(const IntegralBlock& block, const IntegralTerm& term) const {
    const auto set = [&](int mode) { return block.sets[static_cast<std::size_t>(mode)]; };
    std::array<int, 4> modes = term.modes;
    for (const std::size_t at : {0, 2}) {
      if (set(modes[at]) > set(modes[at + 1])) std::swap(modes[at], modes[at + 1]);
    }
    Pair left{set(modes[0]), set(modes[1])}, right{set(modes[2]), set(modes[3])};
    if (std::pair(size(right), right) < std::pair(size(left), left)) {
      std::swap(left, right);
      std::rotate(modes.begin(), modes.begin() + 2, modes.end());
    }
    return {left, right, modes};
  }

  /// Those that blocks want first, the largest at the beginning, when nothing else is there.
  std::vector<Pair> left_pairs() const {
    std::set<Pair> all;
    for (const IntegralBlock& block : blocks_) {
      for (const IntegralTerm& term : block.terms) {
        if (is_wanted(block)) all.insert(integral_of(block, term).left);
      }
    }
    std::vector<Pair> pairs(all.begin(), all.end());
    std::stable_sort(pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) { return size(a) > size(b); });
    return pairs;
  }

  void declare(const std::string& role, const std::string& array, const Labels& labels, const ricci::Symmetry& symmetry,
               const std::string& origin = "") {
    declarations_ += declaration(role, array, labels, symmetry) + origin + "\n";
  }
  static std::string at(const std::string& array, const Labels& labels) {
    return fmt::format("{}[{}]", array, fmt::join(labels, ","));
  }

  /// `C_v[f1,v1]`.
  std::string coefficients(int set, const std::string& function, const std::string& orbital) {
    const std::string array = "C_" + name(set);
    if (made_.insert(array).second) declare("input", array, {"f1", name(set) + "1"}, {}, " given");
    return at(array, {function, orbital});
  }

  /// A product with a matrix has no symmetry in the pair that it changes. The next one makes it symmetric in value, but
  /// not by declaration, so that an output with symmetry gets it twice: once for each order.
  void make(const std::string& array, const Labels& labels, const ricci::Symmetry& symmetry, bool twice,
            const std::string& product) {
    declare("tensor", array, labels, symmetry);
    statements_ += fmt::format("{} = {}{}\n", at(array, labels), twice ? "1/2 * " : "", product);
  }

  std::string quarter(int set) {
    const std::string array = "quarter_" + name(set), orbital = name(set) + "1";
    if (made_.insert(array).second)
      make(array, {orbital, "f2", "f3", "f4"}, ricci::symmetric(2, 3), false,
           coefficients(set, "f1", orbital) + " * F[f1,f2,f3,f4]");
    return array;
  }

  ricci::Symmetry of(const Pair& pair, int mode) const {
    return pair[0] == pair[1] ? ricci::symmetric(mode, mode + 1) : ricci::Symmetry{};
  }

  std::string half(const Pair& pair) {
    const std::string array = "half_" + name(pair);
    if (!made_.insert(array).second) return array;
    const Labels both = labels({pair[0], pair[1]});
    const std::size_t first = count(pair[0]) <= count(pair[1]) ? 0 : 1, second = 1 - first;
    const std::string from = quarter(pair[first]);
    const std::string& there = pair[0] == pair[1] ? both[0] : name(pair[first]) + "1";
    const std::string product =
        coefficients(pair[second], "f2", both[second]) + " * " + at(from, {there, "f2", "f3", "f4"});
    make(array, {both[0], both[1], "f3", "f4"}, of(pair, 0) * ricci::symmetric(2, 3), pair[0] == pair[1], product);
    return array;
  }

  static std::string third_name(const std::string& left, const std::string& set) { return "third_" + left + "_" + set; }

  std::string third(const Pair& left, int set) {
    const std::string array = third_name(name(left), name(set));
    if (!made_.insert(array).second) return array;
    const std::string from = half(left);
    const Labels three = labels({left[0], left[1], set});
    make(array, {three[0], three[1], three[2], "f4"}, of(left, 0), false,
         coefficients(set, "f3", three[2]) + " * " + at(from, {three[0], three[1], "f3", "f4"}));
    return array;
  }

  static std::string integral_name(const std::string& left, const std::string& right) {
    return "integrals_" + left + "_" + right;
  }

  void make(const Integral& wanted) {
    const auto& [left, right, modes] = wanted;
    const std::string array = integral_name(name(left), name(right));
    if (!made_.insert(array).second) return;
    const Labels four = labels({left[0], left[1], right[0], right[1]});
    const auto is_there = [&](int set) { return made_.count(third_name(name(left), name(set))) > 0; };
    std::size_t first = count(right[0]) <= count(right[1]) ? 0 : 1;
    if (!is_there(right[first]) && is_there(right[1 - first])) first = 1 - first;
    const std::string from = third(left, right[first]);
    const std::string& there = right[0] == right[1] ? four[2] : four[2 + first];
    const std::size_t second = right[0] == right[1] ? 1 : 1 - first;
    const std::string product =
        coefficients(right[second], "f4", four[2 + second]) + " * " + at(from, {four[0], four[1], there, "f4"});
    make(array, four, of(left, 0) * of(right, 2), right[0] == right[1], product);
  }

  void add_where_complete(const IntegralBlock& block) {
    if (!is_wanted(block) || complete_.count(block.name) > 0) return;
    const Labels labels = labels_of(block);
    std::string sum;
    for (const IntegralTerm& term : block.terms) {
      const Integral from = integral_of(block, term);
      const std::string array = integral_name(name(from.left), name(from.right));
      if (made_.count(array) == 0) return;
      Labels ordered;
      for (const int mode : from.modes) ordered.push_back(labels[static_cast<std::size_t>(mode)]);
      sum += fmt::format("{}{} * {}",
                         term.factor < 0 ? " - "
                         : sum.empty()   ? ""
                                         : " + ",
                         std::abs(term.factor), at(array, ordered));
    }
    statements_ += fmt::format("{} = {}\n", at(block.name, labels), sum);
    complete_.insert(block.name);
  }

  const std::vector<OrbitalSet>& sets_;
  const std::vector<IntegralBlock>& blocks_;
  std::string declarations_, statements_;
  std::set<std::string> made_, complete_;
};

}  // namespace

ricci::Program transform_program(std::int64_t functions, const std::vector<OrbitalSet>& sets,
                                 const std::vector<IntegralBlock>& blocks) {
  return ricci::Program::parse(Writer(functions, sets, blocks).run(), "transform");
}

}  // namespace cc
