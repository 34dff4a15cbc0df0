// What is there when, and the operations in order.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "emit/emitter.hpp"

namespace ricci::emit {

using compile::Home;
using compile::Operation;
using program::PlannedOperation;

namespace {

/// Calls f for every array of an operation itself, and for those that it releases with `true`.
template <class F>
void for_each_array(const PlannedOperation& planned, F f) {
  if (planned.loops) {
    for (int array : planned.loops->tree.arrays) f(array, false);
    return;
  }
  const Operation& operation = *planned.operation;
  if (operation.kind == Operation::Kind::release) {
    f(operation.out.array, true);
    return;
  }
  for (const PlannedOperation& inner : planned.body) for_each_array(inner, f);
  for (const compile::Product& term : operation.terms) {
    for (const compile::Operand& factor : term.factors) f(factor.array, false);
  }
  if (operation.writes()) f(operation.out.array, false);
}

}  // namespace

Emitter::Emitter(const program::ProgramPlan& plan)
    : plan_(plan),
      formula_(plan.formula),
      alive_(plan.formula.arrays.size(), false),
      declared_(plan.formula.arrays.size(), false) {
  for (compile::Array& array : formula_.arrays) array.name = names_.take(array.name);
}

std::string Emitter::statements() {
  declare_inputs();
  operations(plan_.operations);
  outputs();
  return out_.text();
}

const notation::ProgramTensor* Emitter::tensor_of(int array) const {
  const int number = formula_.arrays[static_cast<std::size_t>(array)].tensor;
  return number < 0 ? nullptr : &plan_.program.tensors[static_cast<std::size_t>(number)];
}

std::string Emitter::type(int array) const {
  const ElementType type = formula_.arrays[static_cast<std::size_t>(array)].type;
  return fmt::format("{}{}", is_complex(type) ? "std::" : "", name_of(type));
}

std::string Emitter::shape(int array, bool always_symmetry) const {
  const symmetry::Shape& shape = *formula_.arrays[static_cast<std::size_t>(array)].shape;
  std::vector<std::string> groups;
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    const char* const kind = group.kind == SymmetryKind::symmetric       ? "symmetric"
                             : group.kind == SymmetryKind::antisymmetric ? "antisymmetric"
                                                                         : "hollow";
    groups.push_back(fmt::format("{}({})", kind, fmt::join(group.modes, ", ")));
  }
  std::string text = fmt::format("{{{}}}", fmt::join(shape.extents(), ", "));
  if (!groups.empty()) return fmt::format("{}, {}", text, fmt::join(groups, " * "));
  return always_symmetry ? text + ", {}" : text;
}

std::string Emitter::cuts(int array, const compile::Cuts& cuts) const {
  const Extents& extents = formula_.arrays[static_cast<std::size_t>(array)].shape->extents();
  std::vector<std::string> modes;
  for (std::size_t m = 0; m < cuts.size(); ++m) {
    const std::int64_t size = compile::size_of_tiles(extents[m], cuts[m]);
    modes.push_back(size > 0 || cuts[m].empty()
                        ? fmt::format("cuts({}, {})", extents[m], std::max<std::int64_t>(1, size))
                        : fmt::format("{{{}}}", fmt::join(cuts[m], ", ")));
  }
  return fmt::format("{{{}}}", fmt::join(modes, ", "));
}

std::string Emitter::new_disk_tensor(int array, const std::string& variable, const compile::Cuts& of) const {
  const std::string file =
      plan_.direct_outputs.count(array) > 0 ? fmt::format(", {}", quoted(tensor_of(array)->file)) : "";
  return fmt::format("DiskTensor<{}> {}(scratch, {}, {}{});", type(array), variable, shape(array, true),
                     cuts(array, of), file);
}

void Emitter::declare_inputs() {
  std::vector<bool> used(formula_.arrays.size(), false);
  for (const PlannedOperation& planned : plan_.operations) {
    for_each_array(planned, [&](int array, bool) { used[static_cast<std::size_t>(array)] = true; });
  }
  for (int array = 0; array < static_cast<int>(formula_.arrays.size()); ++array) {
    const notation::ProgramTensor* const tensor = tensor_of(array);
    const bool is_output = tensor != nullptr && tensor->role == notation::Role::output;
    if (!used[static_cast<std::size_t>(array)] && !is_output) continue;
    if (home(array) == Home::disk) declare_on_disk(array);
    if (tensor == nullptr || tensor->role != notation::Role::input) continue;
    const bool is_file = tensor->origin == notation::Origin::file,
               is_random = tensor->origin == notation::Origin::random;
    if (home(array) != Home::memory) {
      const std::string how = is_file     ? fmt::format("from_file(scratch, {}, {}, {})", quoted(tensor->file),
                                                        shape(array, true), quoted(tensor->name))
                              : is_random ? fmt::format("random(scratch, {}, {})", shape(array, true), tensor->seed)
                                          : fmt::format("zero(scratch, {})", shape(array, true));
      out_.line(fmt::format("auto {} = InputTensor<{}>::{};", name(array), type(array), how));
      uses_blocks_ = true;
      continue;
    }
    create(array);
    if (is_file) out_.line(fmt::format("{}.load({});", name(array), quoted(tensor->file)));
    if (is_random) out_.line(fmt::format("{}.fill_random({});", name(array), tensor->seed));
  }
}

/// Zero until it is assigned to, which cuts it anew. What nothing cuts is whole.
void Emitter::declare_on_disk(int array) {
  uses_blocks_ = true;
  const auto tiling = plan_.final_tilings.find(array);
  const Extents& extents = formula_.arrays[static_cast<std::size_t>(array)].shape->extents();
  std::vector<std::int64_t> whole;
  for (std::int64_t extent : extents) whole.push_back(std::max<std::int64_t>(1, extent));
  out_.line(new_disk_tensor(array, name(array),
                            tiling != plan_.final_tilings.end() ? tiling->second : compile::cuts_of(extents, whole)));
}

void Emitter::create(int array) {
  const auto a = static_cast<std::size_t>(array);
  if (home(array) != Home::memory || alive_[a]) return;
  out_.line(declared_[a] ? fmt::format("{} = Tensor<{}>(world, {});", name(array), type(array), shape(array, false))
                         : fmt::format("Tensor<{}> {}(world, {});", type(array), name(array), shape(array, false)));
  alive_[a] = declared_[a] = true;
}

void Emitter::create_before(const PlannedOperation& planned) {
  std::vector<int> arrays;
  for_each_array(planned, [&](int array, bool) {
    if (std::find(arrays.begin(), arrays.end(), array) == arrays.end()) arrays.push_back(array);
  });
  for (int array : arrays) create(array);
}

void Emitter::release(int array) {
  const auto a = static_cast<std::size_t>(array);
  if (home(array) == Home::disk) out_.line(fmt::format("{}.release();", name(array)));
  if (home(array) != Home::memory || !alive_[a]) return;
  if (std::find(stay_.begin(), stay_.end(), array) != stay_.end()) {
    out_.line(fmt::format("{}.fill(0);", name(array)));
    return;
  }
  out_.line(fmt::format("{} = {{}};", name(array)));
  alive_[a] = false;
}

void Emitter::operations(const Operations& operations) {
  for (const PlannedOperation& planned : operations) operation(planned);
}

void Emitter::operation(const PlannedOperation& planned) {
  const Operation& operation = *planned.operation;
  if (operation.kind == Operation::Kind::repeat) {
    repeat(planned);
    return;
  }
  if (operation.kind == Operation::Kind::release) {
    release(operation.out.array);
    return;
  }
  create_before(planned);
  if (planned.loops || planned.blocks) {
    uses_blocks_ = true;
    if (planned.loops)
      loops(planned);
    else
      blocked(planned);
    return;
  }
  const auto first = [&] { return name(operation.terms[0].factors[0].array); };
  switch (operation.kind) {
    case Operation::Kind::assign:
    case Operation::Kind::add:
      sum_in_memory(operation);
      break;
    case Operation::Kind::invert:
      invert_in_memory(operation);
      break;
    case Operation::Kind::norm:
      set_scalar(operation.out.array, first() + ".norm2()");
      break;
    case Operation::Kind::print:
      prints_ = true;
      out_.line(fmt::format("print(world, {}, {}.gather()[0]);", quoted(operation.text), first()));
      break;
    default:
      throw InternalError("an operation that cannot be written as C++");
  }
}

/// What a pass leaves is there before the first one; what a pass makes and releases is its own.
void Emitter::repeat(const PlannedOperation& planned) {
  std::vector<int> last(formula_.arrays.size(), -1);  // -1: not used, 0: used, 1: released
  for_each_array(planned, [&](int array, bool released) { last[static_cast<std::size_t>(array)] = released ? 1 : 0; });
  const std::vector<int> stay = stay_;
  for (int array = 0; array < static_cast<int>(last.size()); ++array) {
    if (last[static_cast<std::size_t>(array)] == 0) create(array);
    if (last[static_cast<std::size_t>(array)] == 1 && alive_[static_cast<std::size_t>(array)]) stay_.push_back(array);
  }
  const std::vector<bool> declared = declared_;
  const Operation& operation = *planned.operation;
  const Names outside = names_;
  const std::string pass = names_.take("pass_number");
  out_.open(fmt::format("for (std::int64_t {0} = 0; {0} < {1}; ++{0})", pass, operation.times));
  operations(planned.body);
  if (operation.has_condition())
    out_.line(fmt::format("if (std::real({}.gather()[0]) < {}) break;", name(operation.terms[0].factors[0].array),
                          number(operation.threshold)));
  out_.close();
  names_ = outside;
  declared_ = declared;
  stay_ = stay;
}

std::string Emitter::describe(const Operation& operation) const {
  compile::Formula one{formula_.labels, formula_.arrays, {operation}};
  std::ostringstream text;
  text << one;
  return text.str().substr(0, text.str().find('\n'));
}

void Emitter::header(const std::vector<const Operation*>& operations, const PlannedOperation& planned,
                     const std::string& how) {
  const program::DiskBytes bytes = plan_.traffic(planned, 0);
  out_.blank();
  for (const Operation* operation : operations) out_.comment(describe(*operation));
  out_.comment(fmt::format("{}: rank 0 reads {} bytes and writes {}.", how, bytes.read, bytes.written));
}

void Emitter::outputs() {
  bool is_first = true;
  for (int array = 0; array < static_cast<int>(formula_.arrays.size()); ++array) {
    const notation::ProgramTensor* const tensor = tensor_of(array);
    if (tensor == nullptr || tensor->role != notation::Role::output) continue;
    if (is_first) out_.blank();
    is_first = false;
    create(array);
    if (!tensor->file.empty()) out_.line(fmt::format("{}.save({});", name(array), quoted(tensor->file)));
    const std::string text =
        fmt::format("{}: {} {}", tensor->name, name_of(tensor->type), fmt::streamed(tensor->shape));
    out_.line(fmt::format("print_output(world, {}, {}.norm2());", quoted(text), name(array)));
    has_outputs_ = true;
  }
}

}  // namespace ricci::emit
