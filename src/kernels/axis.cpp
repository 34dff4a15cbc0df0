#include "kernels/axis.hpp"

#include <algorithm>
#include <array>

#include "symmetry/packed.hpp"

namespace ricci::kernels {

using symmetry::Unit;

Axis::Axis(const std::vector<Unit>& units, std::vector<int> loops, std::vector<std::int64_t> blocks)
    : units_(&units), loops_(std::move(loops)) {
  blocks.resize(loops_.size(), 0);
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    const Unit& unit = units[loops_[i]];
    if (blocks[i] >= unit.size) blocks[i] = 0;
    digits_.push_back({loops_[i], 0, unit.size, blocks[i], false});
  }
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    if (blocks[i] > 0) digits_.push_back({loops_[i], 0, units[loops_[i]].size, blocks[i], true});
  }
  count_positions();
}

void Axis::count_positions() {
  size_ = 1;
  for (const Digit& digit : digits_) {
    if (!digit.high) size_ *= digit.count;
  }
}

std::int64_t Axis::rectangle() const {
  std::int64_t product = 1;
  bool cut = false;
  for (std::size_t d = 0; d < std::min<std::size_t>(2, loops_.size()); ++d) {
    product *= digits_[d].block > 0 ? digits_[d].block : digits_[d].count;
    cut = cut || digits_[d].block > 0;
  }
  return cut ? product : 1;
}

Axis Axis::restricted(int unit, std::int64_t first, std::int64_t count) const {
  Axis part = *this;
  for (Digit& digit : part.digits_) {
    if (digit.unit == unit) digit.first = first, digit.count = count;
  }
  part.count_positions();
  return part;
}

// The state of all loops at one position.
struct Axis::Cursor {
  const Axis& axis;
  std::vector<std::int64_t> digit;                                          // value of each digit
  std::vector<std::int64_t> position;                                       // [unit]
  std::vector<std::array<std::int64_t, symmetry::Shape::max_order>> tuple;  // [unit]: the values of its labels

  explicit Cursor(const Axis& a)
      : axis(a), digit(a.digits_.size(), 0), position(a.units_->size(), 0), tuple(a.units_->size()) {}

  const Unit& unit(int u) const { return (*axis.units_)[u]; }

  std::int64_t high_of(int u) const {
    for (std::size_t d = 0; d < axis.digits_.size(); ++d) {
      if (axis.digits_[d].high && axis.digits_[d].unit == u) return digit[d];
    }
    return 0;
  }

  /// How many values a digit has; that of a low part depends on its high part.
  std::int64_t count(std::size_t d) const {
    const Digit& it = axis.digits_[d];
    if (it.block == 0) return it.count;
    if (it.high) return (it.count + it.block - 1) / it.block;
    return std::min(it.block, it.count - high_of(it.unit) * it.block);
  }

  void place(std::size_t d) {
    const Digit& it = axis.digits_[d];
    std::int64_t& at = position[it.unit];
    if (it.block == 0) {
      at = it.first + digit[d];
    } else {
      std::int64_t low = 0;
      for (std::size_t e = 0; e < d + 1; ++e) {
        if (!axis.digits_[e].high && axis.digits_[e].unit == it.unit) low = digit[e];
      }
      at = it.first + high_of(it.unit) * it.block + low;
    }
    tuple[it.unit][0] = at;
    if (unit(it.unit).degree() > 1) {
      symmetry::unrank_sorted(unit(it.unit).strict, at, unit(it.unit).degree(), tuple[it.unit].data());
    }
  }

  void seek(std::int64_t first) {
    for (std::size_t d = axis.digits_.size(); d-- > 0;) {
      // The positions that one step of this digit spans: for each loop that runs faster, all of it, or only its low
      // part where the high part is already fixed (or is this digit).
      std::int64_t span = 1;
      for (std::size_t e = 0; e < d; ++e) {
        const Digit& faster = axis.digits_[e];
        if (faster.high) continue;
        const bool high_is_inside = faster.block > 0 && is_inside(faster.unit, d);
        if (faster.block == 0 || high_is_inside) {
          span *= faster.count;
        } else if (axis.digits_[d].high && axis.digits_[d].unit == faster.unit) {
          span *= faster.block;
        } else {
          span *= count(e);
        }
      }
      digit[d] = first / span;
      first -= digit[d] * span;
    }
    for (std::size_t d = 0; d < axis.digits_.size(); ++d) place(d);
  }

  bool is_inside(int u, std::size_t d) const {
    for (std::size_t e = 0; e < d; ++e) {
      if (axis.digits_[e].high && axis.digits_[e].unit == u) return true;
    }
    return false;
  }

  /// How many positions from here on differ in the fastest label alone, by steps of one.
  std::int64_t run_length() const {
    if (axis.digits_.empty()) return 1;
    const int u = axis.digits_[0].unit;
    const std::int64_t left = count(0) - digit[0];
    if (unit(u).degree() == 1) return left;
    // Within a sorted tuple the first index runs up to the second; a weighted tuple with both equal stands apart.
    const std::int64_t to_second = tuple[u][1] - tuple[u][0];
    const bool ends_before = unit(u).strict || (unit(u).shares_repeats && to_second > 0);
    return std::min(left, ends_before ? to_second : to_second + 1);
  }

  /// Moves on by `run` positions, no more than run_length(), and carries where the fastest digit is at its end.
  void advance(std::int64_t run) {
    for (std::size_t d = 0; d < axis.digits_.size(); ++d) {
      const std::int64_t step = d == 0 ? run : 1;
      digit[d] += step;
      if (digit[d] < count(d)) {
        for (std::size_t e = 0; e < d; ++e) place(e);
        const int u = axis.digits_[d].unit;
        if (unit(u).degree() > 1 && axis.digits_[d].block == 0) {
          position[u] += step;
          tuple[u][0] += step - 1;
          symmetry::next_sorted(unit(u).strict, unit(u).degree(), tuple[u].data());
        } else {
          place(d);
        }
        return;
      }
      digit[d] = 0;
    }
  }

  std::int64_t offset(const Access& access) const {
    std::int64_t sum = 0;
    for (int u : axis.loops_) {
      sum += access.unit_stride[u] * position[u];
      for (int k = 0; k < unit(u).degree(); ++k) sum += access.label_stride[unit(u).labels[k]] * tuple[u][k];
    }
    return sum;
  }
};

namespace {

double repeat_weight(const std::int64_t* tuple, int degree) {
  double weight = 1;
  int equal = 1;
  for (int k = 1; k < degree; ++k) {
    equal = tuple[k] == tuple[k - 1] ? equal + 1 : 1;
    weight /= equal;
  }
  return weight;
}

}  // namespace

void Axis::generate(std::int64_t first, std::int64_t count, const std::vector<const Access*>& accesses,
                    const std::vector<bool>& wanted_labels, AxisBlock& block) const {
  block.first = first;
  block.count = count;
  block.offsets.resize(accesses.size());
  for (auto& offsets : block.offsets) offsets.resize(count);
  block.values.resize(wanted_labels.size());
  for (int u : loops_) {
    for (int label : (*units_)[u].labels) block.values[label].resize(wanted_labels[label] ? count : 0);
  }
  const bool weighted = std::any_of(loops_.begin(), loops_.end(), [&](int u) { return (*units_)[u].shares_repeats; });
  block.weights.resize(weighted ? count : 0);
  if (count == 0) return;

  const Unit* inner = digits_.empty() ? nullptr : &(*units_)[digits_[0].unit];
  const int fastest = inner ? inner->labels[0] : -1;

  Cursor cursor(*this);
  cursor.seek(first);
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t run = std::min(count - done, cursor.run_length());
    for (std::size_t a = 0; a < accesses.size(); ++a) {
      std::int64_t* out = block.offsets[a].data() + done;
      const std::int64_t start = cursor.offset(*accesses[a]);
      const std::int64_t stride =
          inner ? accesses[a]->label_stride[fastest] + accesses[a]->unit_stride[digits_[0].unit] : 0;
      for (std::int64_t i = 0; i < run; ++i) out[i] = start + i * stride;
    }
    double weight = 1;
    for (int u : loops_) {
      const Unit& unit = (*units_)[u];
      for (int k = 0; k < unit.degree(); ++k) {
        auto& values = block.values[unit.labels[k]];
        if (values.empty()) continue;
        const std::int64_t step = unit.labels[k] == fastest ? 1 : 0;
        for (std::int64_t i = 0; i < run; ++i) values[done + i] = cursor.tuple[u][k] + i * step;
      }
      if (unit.shares_repeats) weight *= repeat_weight(cursor.tuple[u].data(), unit.degree());
    }
    if (weighted) std::fill_n(block.weights.begin() + done, run, weight);
    cursor.advance(run);
    done += run;
  }
}

}  // namespace ricci::kernels
