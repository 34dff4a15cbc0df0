#include "statement.hpp"

#include <algorithm>
#include <ostream>

namespace ricci_test {

int space_of(char label) {
  int space = 0;
  while (label >= first_label_of_space.at(static_cast<std::size_t>(space) + 1)) ++space;
  return space;
}

std::vector<std::int64_t> extents_of(const Statement& statement, const TensorShape& shape) {
  std::vector<std::int64_t> extents;
  for (const int space : shape.spaces) extents.push_back(statement.extents.at(static_cast<std::size_t>(space)));
  return extents;
}

std::int64_t full_size(const Statement& statement, const TensorShape& shape) {
  std::int64_t size = 1;
  for (const std::int64_t extent : extents_of(statement, shape)) size *= extent;
  return size;
}

std::string labels_of(const Statement& statement, const Term& term) {
  std::string labels;
  const auto add = [&labels](const std::string& more) {
    for (const char label : more) {
      if (labels.find(label) == std::string::npos) labels += label;
    }
  };
  add(statement.output);
  for (const Factor& factor : term.factors) add(factor.labels);
  return labels;
}

std::int64_t index_space(const Statement& statement) {
  std::int64_t largest = 0;
  for (const TensorShape& shape : statement.tensors) largest = std::max(largest, full_size(statement, shape));
  for (const Term& term : statement.terms) {
    std::int64_t points = 1;
    for (const char label : labels_of(statement, term)) points *= statement.extent_of(label);
    largest = std::max(largest, points);
  }
  return largest;
}

void drop_unused_tensors(Statement& statement) {
  std::vector<int> new_number(statement.tensors.size(), -1);
  std::vector<TensorShape> kept = {statement.tensors.at(0)};
  new_number[0] = 0;
  for (Term& term : statement.terms) {
    for (Factor& factor : term.factors) {
      int& number = new_number.at(static_cast<std::size_t>(factor.tensor));
      if (number < 0) {
        number = static_cast<int>(kept.size());
        kept.push_back(statement.tensors[static_cast<std::size_t>(factor.tensor)]);
      }
      factor.tensor = number;
    }
  }
  statement.tensors = std::move(kept);
}

namespace {

constexpr std::array<const char*, 4> type_names = {"float", "double", "complex<float>", "complex<double>"};
constexpr std::array<const char*, 3> kind_names = {"symmetric", "antisymmetric", "hollow"};
constexpr std::array<const char*, 3> assignment_names = {" = ", " += ", " -= "};

void print_shape(std::ostream& out, const Statement& statement, const TensorShape& shape) {
  out << '{';
  const char* separator = "";
  for (const std::int64_t extent : extents_of(statement, shape)) {
    out << separator << extent;
    separator = ", ";
  }
  out << '}';
  for (const Group& group : shape.groups) {
    out << ' ' << kind_names.at(static_cast<std::size_t>(group.kind)) << '(';
    separator = "";
    for (const int mode : group.modes) {
      out << separator << mode;
      separator = ", ";
    }
    out << ')';
  }
}

void print_term(std::ostream& out, const Term& term) {
  out << term.coefficient;
  for (const Factor& factor : term.factors) {
    out << (factor.conjugate ? " * conj(T" : " * T") << factor.tensor << "[\"" << factor.labels << "\"]"
        << (factor.conjugate ? ")" : "");
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Statement& statement) {
  out << "\nelements are " << type_names.at(static_cast<std::size_t>(statement.type)) << ", data seed "
      << statement.data_seed << '\n';
  for (std::size_t number = 0; number < statement.tensors.size(); ++number) {
    out << "T" << number << ' ';
    print_shape(out, statement, statement.tensors[number]);
    out << '\n';
  }
  out << "T0[\"" << statement.output << "\"]" << assignment_names.at(static_cast<std::size_t>(statement.how));
  const char* separator = "";
  for (const Term& term : statement.terms) {
    out << separator;
    print_term(out, term);
    separator = " + ";
  }
  return out << '\n';
}

}  // namespace ricci_test
