#pragma once
// What is known while a program is bound: everything declared or set so far, and how it has been used.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "notation/diagnostic.hpp"
#include "notation/program.hpp"
#include "notation/syntax.hpp"

namespace ricci::notation {

struct KnownSpace {
  std::int64_t size = 0;
  Where where = {};
  bool broken = false;  // its declaration has an error: nothing more is said about it
  bool used = false;
};

struct KnownLabel {
  Where where = {};
  bool broken = false;
  bool used = false;
};

struct KnownTensor {
  Where where = {};
  bool declared = false;  // else it appeared by being assigned to
  bool broken = false;
  bool set = false;  // inputs are from the start
  bool read = false;
};

struct Binding {
  Binding(const syntax::Program& tree, std::string name, Diagnostics& reports);

  Program program;
  Diagnostics& diagnostics;
  std::map<std::string, std::int64_t> overrides;  // of spaces

  std::map<std::string, KnownSpace> spaces;
  std::map<std::string, int> label_numbers;
  std::vector<KnownLabel> labels;  // beside program.labels
  std::map<std::string, int> tensor_numbers;
  std::vector<KnownTensor> tensors;  // beside program.tensors

  /// The line of what comes later in the text, for messages: "declared below".
  std::map<std::string, int> space_lines, label_lines, tensor_lines;
  /// Names in statements that could not be read: nobody knows what they are.
  std::set<std::string> obscure;

  /// Reports an unknown name; nothing and -1 then.
  KnownSpace* find_space(const syntax::Name& name);
  int find_label(const syntax::Name& name);
  std::vector<int> find_labels(const std::vector<syntax::Name>& names);
  int find_tensor(const syntax::Name& name);
  /// A tensor that is read: reports where it has not been set, too.
  int find_set_tensor(const syntax::Name& name);

  /// Adds one; the caller has made sure that there is none of its name.
  int add_label(ProgramLabel label, KnownLabel known);
  int add_tensor(ProgramTensor tensor, KnownTensor known);

  /// Reports where the labels are not one a mode, or of other extents than the modes. `where`: of the tensor's name.
  bool labels_fit(int tensor, const std::vector<syntax::Name>& names, const std::vector<int>& numbers, Where where);

  /// `A[p,q]`, as declared or first assigned.
  std::string written(int tensor) const;
  /// "`A[p,q]` is declared on line 3".
  std::string declaration_of(int tensor) const;

 private:
  void look_ahead(const std::vector<syntax::Item>& items);
};

/// The value of a size: whole numbers and spaces with + - *. Reports what is none of these, or overflows.
std::optional<std::int64_t> bind_size(Binding& binding, const syntax::Expression& expression);

}  // namespace ricci::notation
