// How a failing statement is made smaller: everything that can be taken away is tried, large things first.
#include <algorithm>

#include "random_statement.hpp"

namespace ricci_test {

namespace {

// A copy, changed; tensors that are no longer used go.
template <class Change>
Statement changed(const Statement& statement, Change change) {
  Statement copy = statement;
  change(copy);
  drop_unused_tensors(copy);
  return copy;
}

void erase_mode(std::vector<Group>& groups, int mode) {
  for (Group& group : groups) {
    std::erase(group.modes, mode);
    for (int& other : group.modes) other -= other > mode ? 1 : 0;
  }
  std::erase_if(groups, [](const Group& group) { return group.modes.size() < 2; });
}

void drop_mode(Statement& statement, int tensor, int mode) {
  TensorShape& shape = statement.tensors[static_cast<std::size_t>(tensor)];
  shape.spaces.erase(shape.spaces.begin() + mode);
  erase_mode(shape.groups, mode);
  if (tensor == 0) statement.output.erase(static_cast<std::size_t>(mode), 1);
  for (Term& term : statement.terms) {
    for (Factor& factor : term.factors) {
      if (factor.tensor == tensor) factor.labels.erase(static_cast<std::size_t>(mode), 1);
    }
  }
}

void smaller_terms(const Statement& statement, std::vector<Statement>& result) {
  for (std::size_t t = 0; statement.terms.size() > 1 && t < statement.terms.size(); ++t) {
    result.push_back(changed(statement, [t](Statement& s) { s.terms.erase(s.terms.begin() + std::ptrdiff_t(t)); }));
  }
  for (std::size_t t = 0; t < statement.terms.size(); ++t) {
    for (std::size_t f = 0; f < statement.terms[t].factors.size(); ++f) {
      result.push_back(changed(statement, [t, f](Statement& s) {
        s.terms[t].factors.erase(s.terms[t].factors.begin() + std::ptrdiff_t(f));
      }));
    }
  }
}

void smaller_shapes(const Statement& statement, std::vector<Statement>& result) {
  for (std::size_t tensor = 0; tensor < statement.tensors.size(); ++tensor) {
    const TensorShape& shape = statement.tensors[tensor];
    for (std::size_t mode = 0; mode < shape.spaces.size(); ++mode) {
      result.push_back(
          changed(statement, [=](Statement& s) { drop_mode(s, static_cast<int>(tensor), static_cast<int>(mode)); }));
    }
    for (std::size_t g = 0; g < shape.groups.size(); ++g) {
      result.push_back(changed(statement, [=](Statement& s) {
        s.tensors[tensor].groups.erase(s.tensors[tensor].groups.begin() + std::ptrdiff_t(g));
      }));
      for (std::size_t i = 0; shape.groups[g].modes.size() > 2 && i < shape.groups[g].modes.size(); ++i) {
        result.push_back(changed(statement, [=](Statement& s) {
          auto& modes = s.tensors[tensor].groups[g].modes;
          modes.erase(modes.begin() + std::ptrdiff_t(i));
        }));
      }
    }
  }
}

void smaller_numbers(const Statement& statement, std::vector<Statement>& result) {
  for (std::size_t space = 0; space < statement.extents.size(); ++space) {
    const std::int64_t extent = statement.extents[space];
    for (const std::int64_t smaller : {extent / 2, extent - 1}) {
      if (smaller < 1) continue;
      result.push_back(changed(statement, [=](Statement& s) { s.extents[space] = smaller; }));
    }
  }
  for (std::size_t t = 0; t < statement.terms.size(); ++t) {
    if (statement.terms[t].coefficient != 1.0) {
      result.push_back(changed(statement, [t](Statement& s) { s.terms[t].coefficient = 1.0; }));
    }
    for (std::size_t f = 0; f < statement.terms[t].factors.size(); ++f) {
      if (!statement.terms[t].factors[f].conjugate) continue;
      result.push_back(changed(statement, [t, f](Statement& s) { s.terms[t].factors[f].conjugate = false; }));
    }
  }
}

void simpler_kind(const Statement& statement, std::vector<Statement>& result) {
  if (statement.how != Assignment::assign) {
    result.push_back(changed(statement, [](Statement& s) { s.how = Assignment::assign; }));
  }
  const bool real_numbers = std::all_of(statement.terms.begin(), statement.terms.end(),
                                        [](const Term& term) { return term.coefficient.imag() == 0; });
  if (statement.type != ElementKind::f64 && real_numbers) {
    result.push_back(changed(statement, [](Statement& s) { s.type = ElementKind::f64; }));
  }
}

}  // namespace

std::vector<Statement> smaller_statements(const Statement& statement) {
  std::vector<Statement> result;
  smaller_terms(statement, result);
  smaller_shapes(statement, result);
  smaller_numbers(statement, result);
  simpler_kind(statement, result);
  return result;
}

}  // namespace ricci_test
