#include "compile/lifetimes.hpp"

#include <algorithm>
#include <map>

namespace ricci::compile {

namespace {

enum class Touch { write, read };

/// Calls f(array, Touch) in the order in which a pass touches arrays; a first assignment to a part counts as reading.
template <class F>
void for_each_touch(const Operation& operation, F f) {
  for (const Operation& inner : operation.body) for_each_touch(inner, f);
  for (const Product& term : operation.terms) {
    for (const Operand& factor : term.factors) f(factor.array, Touch::read);
  }
  if (!operation.writes()) return;
  f(operation.out.array, operation.kind == Operation::Kind::add ? Touch::read : Touch::write);
}

class Releaser {
 public:
  Releaser(const Formula& formula, const std::vector<bool>& is_output) : formula_(formula) {
    for (std::size_t a = 0; a < formula.arrays.size(); ++a) open_.push_back(!is_output[a]);
  }

  /// Of arrays that are touched nowhere outside of these operations: `mine`.
  std::vector<Operation> run(const std::vector<Operation>& operations, const std::vector<bool>& mine) {
    std::map<int, std::size_t> last;
    std::map<int, int> touching;  // how many of the operations
    for (std::size_t n = 0; n < operations.size(); ++n) {
      for_each_touch(operations[n], [&](int array, Touch) {
        const auto [it, fresh] = last.try_emplace(array, n);
        if (fresh || it->second != n) ++touching[array];
        it->second = n;
      });
    }
    std::vector<Operation> result;
    for (std::size_t n = 0; n < operations.size(); ++n) {
      result.push_back(operations[n]);
      if (operations[n].kind == Operation::Kind::repeat) {
        std::vector<bool> inner(mine.size(), false);
        for (std::size_t a = 0; a < mine.size(); ++a) {
          inner[a] = mine[a] && touching[static_cast<int>(a)] == 1 && last[static_cast<int>(a)] == n &&
                     is_made_anew(operations[n], static_cast<int>(a));
        }
        result.back().body = run(operations[n].body, inner);
      }
      for (const auto& [array, at] : last) {
        if (at != n || !mine[array] || !open_[array]) continue;
        result.push_back({.kind = Operation::Kind::release, .out = {array, {}}});
        open_[array] = false;
      }
    }
    return result;
  }

  std::vector<Operation> run() { return run(formula_.operations, open_); }

 private:
  /// The first thing that a pass does to the array is to overwrite it, and nothing reads it after the loop's last
  /// operation (its condition, for example).
  static bool is_made_anew(const Operation& loop, int array) {
    bool seen = false, made = false;
    for (const Operation& operation : loop.body) {
      for_each_touch(operation, [&](int touched, Touch touch) {
        if (touched != array || seen) return;
        seen = true;
        made = touch == Touch::write;
      });
    }
    const bool in_condition = std::any_of(loop.terms.begin(), loop.terms.end(), [&](const Product& term) {
      return std::any_of(term.factors.begin(), term.factors.end(),
                         [&](const Operand& factor) { return factor.array == array; });
    });
    return made && !in_condition;
  }

  const Formula& formula_;
  std::vector<bool> open_;  // [array]: still to be released
};

class Peak {
 public:
  Peak(const Formula& formula, const std::vector<bool>& is_input, const std::vector<bool>& elsewhere)
      : formula_(formula), elsewhere_(elsewhere) {
    for (std::size_t a = 0; a < formula.arrays.size(); ++a) {
      alive_.push_back(is_input[a]);
      if (is_input[a]) now_ += bytes(static_cast<int>(a));
    }
    peak_ = now_;
    follow(formula.operations);
  }
  std::int64_t bytes() const { return peak_; }

 private:
  std::int64_t bytes(int array) const {
    const Array& a = formula_.arrays[array];
    return elsewhere_[array] ? 0 : a.shape->stored_size() * static_cast<std::int64_t>(element_size(a.type));
  }

  void follow(const std::vector<Operation>& operations) {
    for (const Operation& operation : operations) {
      follow(operation.body);
      const int array = operation.out.array;
      if (operation.writes() && !alive_[array]) {
        alive_[array] = true;
        now_ += bytes(array);
        peak_ = std::max(peak_, now_);
      }
      if (operation.kind == Operation::Kind::release && alive_[array]) {
        alive_[array] = false;
        now_ -= bytes(array);
      }
    }
  }

  const Formula& formula_;
  const std::vector<bool>& elsewhere_;
  std::vector<bool> alive_;
  std::int64_t now_ = 0, peak_ = 0;
};

}  // namespace

Formula release_early(const Formula& formula, const std::vector<bool>& is_output) {
  Formula result = formula;
  result.operations = Releaser(formula, is_output).run();
  verify(result);
  return result;
}

std::int64_t peak_bytes(const Formula& formula, const std::vector<bool>& is_input, const std::vector<bool>& elsewhere) {
  return Peak(formula, is_input, elsewhere).bytes();
}

}  // namespace ricci::compile
