#include "notation/bind_declaration.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "notation/parse_declaration.hpp"

namespace ricci::notation {

namespace {

using syntax::Attribute;
using syntax::Name;
using syntax::TensorDeclaration;

void report_twice(Binding& binding, const char* kind, const Name& name, const Where& first) {
  binding.diagnostics.error(name.where, fmt::format("{} `{}` is declared twice", kind, name.text),
                            fmt::format("it is declared on line {} already", first.line));
}

class TensorBinder {
 public:
  TensorBinder(Binding& binding, const TensorDeclaration& tensor) : binding_(binding), tensor_(tensor) {}

  void run() {
    if (const auto there = binding_.tensor_numbers.find(tensor_.name.text); there != binding_.tensor_numbers.end()) {
      return report_there(binding_.tensors[there->second]);
    }
    result_.name = tensor_.name.text;
    result_.role = tensor_.role;
    result_.place = tensor_.name.where;
    result_.origin = tensor_.origin;
    result_.file = tensor_.file;
    bind_labels();
    bind_attributes();
    bind_source();
    if (good_) {
      const auto shape = make_shape(binding_, result_.labels, symmetry_, tensor_.name.where);
      good_ = shape.has_value();
      if (shape) result_.shape = *shape;
    }
    binding_.add_tensor(
        std::move(result_),
        {.where = tensor_.name.where, .declared = true, .broken = !good_, .set = tensor_.role == Role::input});
  }

 private:
  void fail(Where where, std::string message, std::string hint) {
    binding_.diagnostics.error(where, std::move(message), std::move(hint));
    good_ = false;
  }

  void report_there(const KnownTensor& known) {
    if (known.declared) return report_twice(binding_, "tensor", tensor_.name, known.where);
    fail(tensor_.name.where, fmt::format("tensor `{}` is declared after its first use", tensor_.name.text),
         fmt::format("it is set on line {}; declare it before", known.where.line));
  }

  void bind_labels() {
    result_.labels = binding_.find_labels(tensor_.labels);
    for (std::size_t mode = 0; mode < result_.labels.size(); ++mode) {
      const int label = result_.labels[mode];
      const Name& name = tensor_.labels[mode];
      if (label < 0 || binding_.labels[label].broken) {
        good_ = false;
      } else if (std::find(result_.labels.begin(), result_.labels.end(), label) - result_.labels.begin() <
                 static_cast<std::ptrdiff_t>(mode)) {
        fail(name.where, fmt::format("index `{}` names two modes of `{}`", name.text, result_.name),
             "a declaration gives each mode an index of its own");
      }
    }
  }

  void bind_attributes() {
    bool is_complex = false, is_single = false;
    for (const Attribute& attribute : tensor_.attributes) {
      if (is_symmetry(attribute.kind)) {
        bind_group(attribute);
        continue;
      }
      bool& flag = attribute.kind == Attribute::Kind::complex  ? is_complex
                   : attribute.kind == Attribute::Kind::single ? is_single
                   : attribute.kind == Attribute::Kind::disk   ? result_.on_disk
                                                               : result_.sparse;
      if (flag) fail(attribute.where, fmt::format("`{}` is said twice", word_of(attribute.kind)), "say it once");
      flag = true;
    }
    result_.type = is_complex ? (is_single ? ElementType::c32 : ElementType::c64)
                              : (is_single ? ElementType::f32 : ElementType::f64);
  }

  void bind_group(const Attribute& attribute) {
    if (attribute.labels.size() < 2) {
      return fail(attribute.where, fmt::format("`{}` needs two indices or more", word_of(attribute.kind)),
                  fmt::format("write {}(a,b)", word_of(attribute.kind)));
    }
    std::vector<int> modes;
    for (const Name& name : attribute.labels) {
      const auto found = std::find_if(tensor_.labels.begin(), tensor_.labels.end(),
                                      [&](const Name& label) { return label.text == name.text; });
      if (found == tensor_.labels.end()) {
        fail(name.where, fmt::format("`{}` is no index of `{}`", name.text, result_.name),
             "name indices that stand in the brackets");
        continue;
      }
      const int mode = static_cast<int>(found - tensor_.labels.begin());
      if (std::find(grouped_.begin(), grouped_.end(), mode) != grouped_.end()) {
        fail(name.where, fmt::format("index `{}` stands in two places of the symmetries", name.text),
             "an index belongs to one group at most");
        continue;
      }
      grouped_.push_back(mode);
      if (!modes.empty()) check_extents(attribute, name, modes[0], mode);
      modes.push_back(mode);
    }
    if (!good_) return;
    constexpr SymmetryKind kinds[] = {SymmetryKind::symmetric, SymmetryKind::antisymmetric, SymmetryKind::hollow};
    symmetry_ = symmetry_ * Symmetry(kinds[static_cast<int>(attribute.kind)], modes);
  }

  void check_extents(const Attribute& attribute, const Name& name, int first, int mode) {
    const int a = result_.labels[first], b = result_.labels[mode];
    if (a < 0 || b < 0) return;
    const ProgramLabel& one = binding_.program.labels[a];
    const ProgramLabel& other = binding_.program.labels[b];
    if (one.extent == other.extent || binding_.labels[a].broken || binding_.labels[b].broken) {
      return;
    }
    fail(name.where,
         fmt::format("`{}` of extent {} and `{}` of extent {} cannot be {}", one.name, one.extent, other.name,
                     other.extent, word_of(attribute.kind)),
         "the indices of a group have one extent");
  }

  void bind_source() {
    if (tensor_.role == Role::input && tensor_.origin == Origin::none) {
      fail(tensor_.name.where, fmt::format("input `{}` has no elements", result_.name),
           R"(add from "FILE", random(SEED), zero or given)");
    }
    if (tensor_.origin == Origin::random) {
      const char* const end = tensor_.seed.data() + tensor_.seed.size();
      if (std::from_chars(tensor_.seed.data(), end, result_.seed).ec != std::errc{}) {
        fail(tensor_.source_where, "this seed has more than 64 bits", "choose a smaller one");
      }
    }
    if (tensor_.role != Role::output || tensor_.file.empty()) return;
    for (const ProgramTensor& other : binding_.program.tensors) {
      if (other.role != Role::output || other.file != tensor_.file) continue;
      fail(tensor_.source_where, fmt::format("outputs `{}` and `{}` go to one file", other.name, result_.name),
           "give each a file, or a dataset, of its own");
    }
  }

  Binding& binding_;
  const TensorDeclaration& tensor_;
  ProgramTensor result_;
  Symmetry symmetry_;
  std::vector<int> grouped_;  // modes that are in a group
  bool good_ = true;
};

}  // namespace

void bind_space(Binding& binding, const syntax::SpaceDeclaration& space) {
  if (const auto there = binding.spaces.find(space.name.text); there != binding.spaces.end()) {
    return report_twice(binding, "space", space.name, there->second.where);
  }
  auto size = bind_size(binding, space.value);
  const auto given = binding.overrides.find(space.name.text);
  if (given != binding.overrides.end() && size) size = given->second;
  if (size && *size < 0) {
    binding.diagnostics.error(space.value.where, fmt::format("space `{}` has the size {}", space.name.text, *size),
                              "sizes are 0 or more");
    size.reset();
  }
  binding.spaces[space.name.text] = {.size = size.value_or(0), .where = space.name.where, .broken = !size};
}

void bind_index(Binding& binding, const syntax::IndexDeclaration& index) {
  const auto size = bind_size(binding, index.range);
  const std::int64_t extent = size.value_or(0);
  if (extent < 0) {
    binding.diagnostics.error(index.range.where, fmt::format("the extent {} is negative", extent),
                              "extents are 0 or more");
  }
  const bool is_broken = !size.has_value() || extent < 0;
  const bool named = index.range.kind == syntax::Expression::Kind::tensor;
  for (const Name& name : index.names) {
    if (const auto there = binding.label_numbers.find(name.text); there != binding.label_numbers.end()) {
      report_twice(binding, "index", name, binding.labels[there->second].where);
      continue;
    }
    binding.add_label({name.text, named ? index.range.name.text : "", is_broken ? 0 : extent, name.where},
                      {.where = name.where, .broken = is_broken});
  }
}

void bind_tensor(Binding& binding, const TensorDeclaration& tensor) { TensorBinder(binding, tensor).run(); }

std::optional<symmetry::Shape> make_shape(Binding& binding, const std::vector<int>& labels, const Symmetry& symmetry,
                                          Where where) {
  Extents extents;
  for (const int label : labels) extents.push_back(binding.program.labels[label].extent);
  try {
    return symmetry::Shape(extents, symmetry);
  } catch (const InputError& error) {
    binding.diagnostics.error(where, error.what());
    return std::nullopt;
  }
}

}  // namespace ricci::notation
