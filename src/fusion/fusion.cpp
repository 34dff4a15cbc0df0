#include "fusion/fusion.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ricci::fusion {

LabelSet IndexsetSequence::set() const {
  LabelSet all = 0;
  for (const LabelSet s : sets) all |= s;
  return all;
}

int IndexsetSequence::rank(int label) const {
  const auto found = std::find_if(sets.begin(), sets.end(), [&](LabelSet s) { return contains(s, label); });
  return static_cast<int>(found - sets.begin());
}

namespace {

/// What a sequence ranks before its set r.
LabelSet before(const IndexsetSequence& sequence, std::size_t r) {
  LabelSet earlier = 0;
  for (std::size_t s = 0; s < r; ++s) earlier |= sequence.sets[s];
  return earlier;
}

/// Whether a set is what a sequence ranks first, but for loops of one rank.
bool is_first(const IndexsetSequence& sequence, LabelSet set) {
  for (const LabelSet s : sequence.sets) {
    if ((set & s) != s) return (set & ~s) == 0;
    set &= ~s;
  }
  return true;
}

}  // namespace

bool compatible(const IndexsetSequence& a, const IndexsetSequence& b) {
  // Each cut between ranks of one must fall between ranks of the other, or into one of them.
  for (std::size_t r = 1; r <= a.sets.size(); ++r) {
    if (!is_first(b, before(a, r))) return false;
  }
  return true;
}

IndexsetSequence merged(const IndexsetSequence& a, const IndexsetSequence& b) {
  IndexsetSequence result;
  std::vector<LabelSet> cuts;
  for (std::size_t r = 1; r <= a.sets.size(); ++r) cuts.push_back(before(a, r));
  for (std::size_t r = 1; r <= b.sets.size(); ++r) cuts.push_back(before(b, r));
  // Compatible cuts contain one another, so the smaller number of loops comes first.
  std::sort(cuts.begin(), cuts.end(),
            [](LabelSet x, LabelSet y) { return __builtin_popcountll(x) < __builtin_popcountll(y); });
  LabelSet earlier = 0;
  for (const LabelSet cut : cuts) {
    if (cut & ~earlier) result.sets.push_back(cut & ~earlier);
    earlier |= cut;
  }
  return result;
}

bool may_fuse(const IndexsetSequence& nesting, LabelSet set) { return is_first(nesting, set); }

IndexsetSequence restricted(const IndexsetSequence& nesting, LabelSet set) {
  IndexsetSequence result;
  for (const LabelSet s : nesting.sets) {
    if (s & set) result.sets.push_back(s & set);
    set &= ~s;
  }
  if (set) result.sets.push_back(set);
  return result;
}

bool more_constraining(const IndexsetSequence& a, const IndexsetSequence& b) {
  for (std::size_t r = 1; r <= b.sets.size(); ++r) {
    const LabelSet cut = before(b, r);
    bool found = false;
    for (std::size_t s = 1; s <= a.sets.size(); ++s) found = found || before(a, s) == cut;
    if (!found) return false;
  }
  return true;
}

std::string to_string(const Forest& forest, const IndexsetSequence& sequence) {
  std::vector<std::string> sets;
  for (const LabelSet set : sequence.sets) {
    std::vector<std::string> names;
    bool letters = true;
    for (int l = 0; l < static_cast<int>(forest.labels.size()); ++l) {
      if (!contains(set, l)) continue;
      names.push_back(forest.labels[static_cast<std::size_t>(l)].name);
      letters = letters && names.back().size() == 1;
    }
    sets.push_back(fmt::format("{}", fmt::join(names, letters ? "" : " ")));
  }
  return fmt::format("<{}>", fmt::join(sets, ","));
}

}  // namespace ricci::fusion
