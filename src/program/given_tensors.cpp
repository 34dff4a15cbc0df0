#include "program/given_tensors.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>

#include "api/tensor_state.hpp"
#include "program/disk_state.hpp"

namespace ricci::program {

namespace {

using notation::ProgramTensor;

const ProgramTensor* find(const notation::Program& program, const std::string& name) {
  const auto found = std::find_if(program.tensors.begin(), program.tensors.end(),
                                  [&](const ProgramTensor& tensor) { return tensor.name == name; });
  return found == program.tensors.end() ? nullptr : &*found;
}

void check(const ProgramTensor& declared, ElementType type, const symmetry::Shape& shape, bool is_of_world) {
  if (type != declared.type)
    throw InputError(fmt::format("`{}` is declared as {}, but the tensor that is given for it holds {}", declared.name,
                                 name_of(declared.type), name_of(type)));
  if (!(shape == declared.shape))
    throw InputError(fmt::format("`{}` is declared as {}, but the tensor that is given for it is {}", declared.name,
                                 fmt::streamed(declared.shape), fmt::streamed(shape)));
  if (!is_of_world)
    throw InputError(
        fmt::format("the tensor that is given for `{}` belongs to another world than the run", declared.name));
}

[[noreturn]] void refuse_empty(const ProgramTensor& declared) {
  throw InputError(fmt::format("the tensor that is given for `{}` is empty; make it first", declared.name));
}

template <class T>
void check(const ProgramTensor& declared, const World& world, const Tensor<T>* tensor) {
  if (tensor == nullptr || !detail::TensorDoor::share(*tensor)) refuse_empty(declared);
  check(declared, element_type_of<T>, *state_of(*tensor).shape, tensor->world() == world);
}
template <class T>
void check(const ProgramTensor& declared, const World& world, const disk::DiskTensor<T>* tensor) {
  if (tensor == nullptr) refuse_empty(declared);
  const disk::detail::DiskState& state = tensor->state();
  check(declared, state.type, state.shape(), state.scratch->world == world);
}

/// Cuts are known when a program is planned.
void check_cuts(const ProgramPlan& plan, const ProgramTensor& declared, const disk::detail::DiskState* on_disk) {
  const auto planned = plan.given_on_disk.find(declared.name);
  const bool is_planned = planned != plan.given_on_disk.end();
  const bool as_planned =
      is_planned == (on_disk != nullptr) && (!is_planned || planned->second == on_disk->catalog.cuts());
  if (as_planned) return;
  throw InputError(
      fmt::format("the tensor that is given for `{}` is not {} as it was when the program was planned; plan it again",
                  declared.name, is_planned == (on_disk != nullptr) ? "cut" : "in memory, or on disk,"));
}

template <class T>
disk::detail::DiskState* state_on_disk(const Tensor<T>* /*tensor*/) {
  return nullptr;
}
template <class T>
disk::detail::DiskState* state_on_disk(const disk::DiskTensor<T>* tensor) {
  return &tensor->state();
}
/// Null: it is in memory.
disk::detail::DiskState* on_disk(const GivenTensor& given) {
  return std::visit([](const auto* tensor) { return state_on_disk(tensor); }, given);
}

template <class T>
void bind(ArrayStore& store, int array, const Tensor<T>* tensor) {
  store.give(array, AnyTensor(detail::TensorDoor::tensor<T>(detail::TensorDoor::share(*tensor))));
}
template <class T>
void bind(ArrayStore& store, int array, const disk::DiskTensor<T>* tensor) {
  disk::detail::DiskState& state = tensor->state();
  if (store.input(array) == nullptr) {
    store.give(array, state.scratch);
    return;
  }
  state.on_disk();
  store.give(array, state.tensor);
}

template <class T>
void hand_back(ArrayStore& store, int array, Tensor<T>* target) {
  auto& source = std::get<Tensor<T>>(store.tensor(array));
  if (&state_of(source) != &state_of(*target)) *target = std::move(source);
}
template <class T>
void hand_back(ArrayStore& store, int array, disk::DiskTensor<T>* target) {
  target->state().replace(store.take_disk(array));
}

}  // namespace

void check_given(const ProgramPlan& plan, const World& world, const GivenTensors& tensors) {
  const notation::Program& program = plan.program;
  for (const auto& [name, given] : tensors) {
    const ProgramTensor* const declared = find(program, name);
    if (declared == nullptr || declared->origin != notation::Origin::given)
      throw InputError(
          fmt::format("{}: a tensor is given for `{}`, but no input or output of that name is declared as "
                      "`given`",
                      program.name, name));
    std::visit([&](const auto* tensor) { check(*declared, world, tensor); }, given);
    check_cuts(plan, *declared, on_disk(given));
  }
  for (const ProgramTensor& tensor : program.tensors) {
    if (tensor.origin != notation::Origin::given || tensors.count(tensor.name) > 0) continue;
    throw InputError(fmt::format(
        "{}: `{}` is `given`, and nobody gives it; run the program from one that does (ProgramRunOptions::tensors), or "
        "{}",
        program.name, tensor.name,
        tensor.role == notation::Role::input ? "add from \"FILE\", random(SEED) or zero in its place"
                                             : "leave the word out"));
  }
}

GivenOnDisk cuts_on_disk(const GivenTensors& tensors) {
  GivenOnDisk result;
  for (const auto& [name, given] : tensors) {
    if (const disk::detail::DiskState* const state = on_disk(given)) result.emplace(name, state->catalog.cuts());
  }
  return result;
}

void bind(ArrayStore& store, int array, const GivenTensor& given) {
  std::visit([&](const auto* tensor) { bind(store, array, tensor); }, given);
}

void hand_back(ArrayStore& store, int array, const GivenTensor& given) {
  if (store.input(array) != nullptr) return;
  std::visit([&](auto* tensor) { hand_back(store, array, tensor); }, given);
}

}  // namespace ricci::program
