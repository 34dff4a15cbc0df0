#pragma once
// An indexed assignment as plain data: what the generators make, the oracle evaluates and the runner hands to ricci.
// Nothing here comes from the library.
#include <array>
#include <complex>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ricci_test {

enum class ElementKind { f32, f64, c32, c64 };
enum class GroupKind { symmetric, antisymmetric, hollow };
enum class Assignment { assign, add, subtract };

/// A label's letter tells its space, so that shapes stay consistent whatever is changed: a-h, i-o, p-w.
inline constexpr int space_count = 3;
inline constexpr std::array<char, space_count + 1> first_label_of_space = {'a', 'i', 'p', 'x'};
int space_of(char label);

struct Group {
  std::vector<int> modes;
  GroupKind kind = GroupKind::symmetric;
};

/// The space of each mode; all modes of a group are of one space.
struct TensorShape {
  std::vector<int> spaces;
  std::vector<Group> groups;
};

struct Factor {
  int tensor = 0;
  std::string labels;
  bool conjugate = false;
};

struct Term {
  std::complex<double> coefficient{1.0, 0.0};
  std::vector<Factor> factors;
};

struct Statement {
  ElementKind type = ElementKind::f64;
  std::array<std::int64_t, space_count> extents{};  ///< of each space
  std::vector<TensorShape> tensors;                 ///< the first one is the output
  std::string output;                               ///< its labels
  Assignment how = Assignment::assign;
  std::vector<Term> terms;
  std::uint64_t data_seed = 0;

  std::int64_t extent_of(char label) const { return extents.at(static_cast<std::size_t>(space_of(label))); }
  bool is_complex() const { return type == ElementKind::c32 || type == ElementKind::c64; }
};

/// The extents of a tensor's modes.
std::vector<std::int64_t> extents_of(const Statement& statement, const TensorShape& shape);
/// The elements of the unpacked tensor.
std::int64_t full_size(const Statement& statement, const TensorShape& shape);
/// The labels of the output and of a term, each once, in the order in which they appear.
std::string labels_of(const Statement& statement, const Term& term);
/// The points of the largest index space that evaluating the statement visits: a term's labels, or a tensor's modes.
std::int64_t index_space(const Statement& statement);
/// Drops the tensors that nothing refers to, other than the output.
void drop_unused_tensors(Statement& statement);

/// On several lines: the tensors with extents and symmetry, then the assignment.
std::ostream& operator<<(std::ostream& out, const Statement& statement);

}  // namespace ricci_test
