#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "compile/blocked_operation.hpp"

namespace ricci::compile {

BlockWalk::BlockWalk(const Formula& formula, const BlockedOperation& operation)
    : formula_(&formula), operation_(&operation) {
  for (std::size_t l = 0; l < formula.labels.size(); ++l) {
    const std::int64_t extent = formula.labels[l].extent, size = std::max<std::int64_t>(1, operation.tile[l]);
    counts_.push_back((extent + size - 1) / size);
  }
  at_.tiles.assign(counts_.size(), 0);
}

namespace {

/// To the next place of these loops, the last one running fastest; false where there is none.
bool advance(std::vector<std::int64_t>& tiles, const std::vector<int>& loops, const std::vector<std::int64_t>& counts) {
  for (std::size_t i = loops.size(); i-- > 0;) {
    if (++tiles[loops[i]] < counts[loops[i]]) return true;
    tiles[loops[i]] = 0;
  }
  return false;
}

}  // namespace

bool BlockWalk::is_canonical() const {
  for (const SymmetryGroup& group : formula_->arrays[operation_->out.array].shape->symmetry().groups()) {
    for (std::size_t m = 1; m < group.modes.size(); ++m) {
      const std::vector<int>& labels = operation_->out.labels;
      if (at_.tiles[labels[group.modes[m - 1]]] > at_.tiles[labels[group.modes[m]]]) return false;
    }
  }
  return true;
}

bool BlockWalk::next_output() {
  const auto is_empty = [&](int label) { return counts_[label] == 0; };
  if (!begun_) {
    begun_ = true;
    return std::none_of(operation_->loops.begin(), operation_->loops.end(), is_empty);
  }
  while (advance(at_.tiles, operation_->loops, counts_)) {
    if (is_canonical()) return true;
  }
  return false;
}

namespace {

bool ascends(const std::vector<std::int64_t>& tiles, const std::vector<std::vector<int>>& groups) {
  return std::all_of(groups.begin(), groups.end(), [&](const std::vector<int>& group) {
    return std::is_sorted(group.begin(), group.end(), [&](int x, int y) { return tiles[x] < tiles[y]; });
  });
}

}  // namespace

bool BlockWalk::first_sum() {
  const BlockedTerm& term = operation_->terms[at_.term];
  for (int label : term.summed) {
    if (counts_[label] == 0) return false;
    at_.tiles[label] = 0;
  }
  return true;
}

bool BlockWalk::next_sum() {
  const BlockedTerm& term = operation_->terms[at_.term];
  while (advance(at_.tiles, term.summed, counts_)) {
    if (ascends(at_.tiles, term.sorted)) return true;
  }
  return false;
}

double BlockWalk::weight() const {
  double orders = 1;
  for (const std::vector<int>& group : operation_->terms[at_.term].sorted) {
    std::int64_t equal = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
      equal = i > 0 && at_.tiles[group[i]] == at_.tiles[group[i - 1]] ? equal + 1 : 1;
      orders *= static_cast<double>(i + 1) / static_cast<double>(equal);
    }
  }
  return orders;
}

bool BlockWalk::next(BlockStep& step) {
  const int terms = static_cast<int>(operation_->terms.size());
  bool found = false;
  if (!begun_ || at_.kind == BlockStep::Kind::end) {
    if (!next_output()) return false;
    at_.kind = BlockStep::Kind::begin;
    at_.term = -1;
    found = true;
  } else if (at_.kind == BlockStep::Kind::multiply) {
    found = next_sum();
  }
  while (!found && ++at_.term < terms) found = first_sum();
  if (!found) {
    at_.kind = BlockStep::Kind::end;
  } else if (at_.term >= 0) {
    at_.kind = BlockStep::Kind::multiply;
    at_.weight = weight();
  }
  step = at_;
  return true;
}

void print(std::ostream& out, const Formula& formula, const BlockedOperation& operation) {
  const auto loops = [&](const std::vector<int>& labels) {
    std::string text;
    for (int label : labels) {
      const std::int64_t size = operation.tile[label], extent = formula.labels[label].extent;
      if (size >= extent) continue;
      text += fmt::format("{} {}T ({} of {})", text.empty() ? "" : ",", formula.labels[label].name,
                          (extent + size - 1) / size, size);
    }
    return text;
  };
  const std::string outer = loops(operation.loops);
  std::string indent = "  ";
  if (!outer.empty()) fmt::print(out, "{}FOR{}\n", indent, outer);
  if (!outer.empty()) indent += "  ";
  fmt::print(out, "{}{} {}\n", indent, operation.overwrite ? "Clear" : "Read", describe(formula, operation.out));
  for (const BlockedTerm& term : operation.terms) {
    const std::string inner = loops(term.summed);
    std::string deeper = indent;
    if (!inner.empty()) fmt::print(out, "{}FOR{}\n", indent, inner);
    if (!inner.empty()) deeper += "  ";
    std::vector<std::string> factors;
    for (const Operand& factor : term.product.factors) {
      fmt::print(out, "{}Read {}\n", deeper, describe(formula, factor));
      factors.push_back(describe(formula, factor));
    }
    fmt::print(out, "{}{} += {:g}{}{}\n", deeper, describe(formula, operation.out), term.product.coefficient,
               factors.empty() ? "" : " * ", fmt::join(factors, " * "));
  }
  fmt::print(out, "{}Write {}\n", indent, describe(formula, operation.out));
}

}  // namespace ricci::compile
