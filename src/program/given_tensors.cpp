#include "program/given_tensors.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>

#include "api/tensor_state.hpp"

namespace ricci::program {

namespace {

using notation::ProgramTensor;

const ProgramTensor* find(const notation::Program& program, const std::string& name) {
  const auto found = std::find_if(program.tensors.begin(), program.tensors.end(),
                                  [&](const ProgramTensor& tensor) { return tensor.name == name; });
  return found == program.tensors.end() ? nullptr : &*found;
}

template <class T>
void check(const ProgramTensor& declared, const World& world, const Tensor<T>* tensor) {
  if (tensor == nullptr || !detail::TensorDoor::share(*tensor))
    throw InputError(fmt::format("the tensor that is given for `{}` is empty; make it first", declared.name));
  if (element_type_of<T> != declared.type)
    throw InputError(fmt::format("`{}` is declared as {}, but the tensor that is given for it holds {}", declared.name,
                                 name_of(declared.type), name_of(element_type_of<T>)));
  const symmetry::Shape& shape = *state_of(*tensor).shape;
  if (!(shape == declared.shape))
    throw InputError(fmt::format("`{}` is declared as {}, but the tensor that is given for it is {}", declared.name,
                                 fmt::streamed(declared.shape), fmt::streamed(shape)));
  if (!(tensor->world() == world))
    throw InputError(
        fmt::format("the tensor that is given for `{}` belongs to another world than the run", declared.name));
}

}  // namespace

void check_given(const notation::Program& program, const World& world,
                 const std::map<std::string, GivenTensor>& tensors) {
  for (const auto& [name, given] : tensors) {
    const ProgramTensor* const declared = find(program, name);
    if (declared == nullptr || declared->origin != notation::Origin::given)
      throw InputError(
          fmt::format("{}: a tensor is given for `{}`, but no input or output of that name is declared as "
                      "`given`",
                      program.name, name));
    std::visit([&](const auto* tensor) { check(*declared, world, tensor); }, given);
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

AnyTensor alias_of(const GivenTensor& given) {
  return std::visit(
      []<class T>(Tensor<T>* tensor) -> AnyTensor {
        return detail::TensorDoor::tensor<T>(detail::TensorDoor::share(*tensor));
      },
      given);
}

void put_into(const GivenTensor& given, AnyTensor& tensor) {
  std::visit(
      [&]<class T>(Tensor<T>* target) {
        auto& source = std::get<Tensor<T>>(tensor);
        if (&state_of(source) != &state_of(*target)) *target = std::move(source);
      },
      given);
}

}  // namespace ricci::program
