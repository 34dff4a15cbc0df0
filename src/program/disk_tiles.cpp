// Binds <ricci/disk.hpp>: tiles, and tensors on disk.
#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "api/world_state.hpp"
#include "comm/communicator.hpp"
#include "program/direct_output.hpp"
#include "program/disk_state.hpp"
#include "program/input_file.hpp"
#include "program/write_output.hpp"
#include "storage/location.hpp"

namespace ricci::disk {

using compile::BlockCatalog;
using notation::Origin;
using notation::Role;

std::vector<std::int64_t> cuts(std::int64_t extent, std::int64_t size) {
  if (extent < 0 || size < 1) {
    throw InputError(
        fmt::format("an extent of {} cannot be cut into tiles of {}; tiles have an index at least", extent, size));
  }
  return compile::cuts_of({extent}, {size})[0];
}

std::vector<Tile> tiles(std::int64_t extent, std::int64_t size) {
  std::vector<Tile> result;
  for (const std::int64_t lo : cuts(extent, size)) result.push_back({lo, std::min(extent, lo + size), size});
  return result;
}

double orders(const Box& ascending) {
  double result = 1;
  std::int64_t equal = 0;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    equal = i > 0 && ascending[i] == ascending[i - 1] ? equal + 1 : 1;
    result *= static_cast<double>(i + 1) / static_cast<double>(equal);
  }
  return result;
}

namespace detail {

compile::Box resolved(const Box& box, const Extents& extents) {
  if (box.size() != extents.size()) {
    throw InputError(fmt::format("a box of {} tiles, but the tensor has order {}; give one tile a mode", box.size(),
                                 extents.size()));
  }
  compile::Box result;
  for (std::size_t m = 0; m < box.size(); ++m) {
    result.lo.push_back(box[m].lo);
    result.hi.push_back(box[m] == all ? extents[m] : box[m].hi);
    if (result.lo[m] < 0 || result.lo[m] > result.hi[m] || result.hi[m] > extents[m]) {
      throw InputError(fmt::format("the tile {} to {} of mode {} is not within the extent {}", result.lo[m],
                                   result.hi[m], m, extents[m]));
    }
  }
  return result;
}

BlockCatalog catalog_of(const symmetry::Shape& shape, const Box& box) {
  std::vector<std::int64_t> sizes;
  for (std::size_t m = 0; m < box.size(); ++m)
    sizes.push_back(std::max<std::int64_t>(1, box[m] == all ? shape.extents()[m] : box[m].size));
  return {shape, sizes};
}

void ScratchState::make_directory() {
  if (directory) return;
  comm::together(world.state().communicator, [&] {
    directory.emplace(storage::scratch_base(base), keep);
    io = std::make_unique<storage::BlockIo>();
  });
}

storage::DiskTraffic ScratchState::traffic() const {
  storage::DiskTraffic total = past;
  for (const program::DiskTensor* tensor : tensors) total += tensor->traffic();
  return total;
}

namespace {

notation::ProgramTensor output_of(const DiskState& state, const std::string& where) {
  notation::ProgramTensor output{where, Role::output, {}, state.shape(), state.type};
  output.file = where;
  return output;
}

}  // namespace

DiskState::DiskState(std::shared_ptr<ScratchState> in, ElementType of, BlockCatalog blocks, std::string where)
    : scratch(std::move(in)), type(of), catalog(std::move(blocks)), file(std::move(where)) {
  scratch->make_directory();
}

program::DiskTensor& DiskState::on_disk() {
  if (!tensor && !file.empty()) {
    tensor = std::make_shared<program::DiskTensor>(scratch->world, type, catalog, output_of(*this, file));
    scratch->tensors.insert(tensor.get());
  }
  if (!tensor) {
    const std::string path = scratch->directory->file(std::to_string(++scratch->files));
    tensor = std::make_shared<program::DiskTensor>(scratch->world, type, catalog, *scratch->io, path);
    scratch->tensors.insert(tensor.get());
  }
  return *tensor;
}

void DiskState::release() {
  if (!tensor) return;
  scratch->past += tensor->traffic();
  scratch->tensors.erase(tensor.get());
  tensor.reset();
}

void DiskState::replace(std::shared_ptr<program::DiskTensor> by) {
  release();
  if (!by) return;
  catalog = by->catalog();
  tensor = std::move(by);
  scratch->tensors.insert(tensor.get());
}

}  // namespace detail

Scratch::Scratch(const World& world, const std::string& directory, bool keep)
    : state_(std::make_shared<detail::ScratchState>(world, directory, keep)) {}

const World& Scratch::world() const { return state_->world; }
std::int64_t Scratch::bytes_read() const { return state_->traffic().read_bytes; }
std::int64_t Scratch::bytes_written() const { return state_->traffic().written_bytes; }

template <class T>
DiskTensor<T>::DiskTensor(const Scratch& scratch, Extents extents, Symmetry symmetry,
                          std::vector<std::vector<std::int64_t>> cuts)
    : state_(std::make_unique<detail::DiskState>(
          scratch.state(), element_type_of<T>,
          BlockCatalog(symmetry::Shape(std::move(extents), std::move(symmetry)), std::move(cuts)))) {}
template <class T>
DiskTensor<T>::DiskTensor(const Scratch& scratch, Extents extents, Symmetry symmetry,
                          std::vector<std::vector<std::int64_t>> cuts, const std::string& where)
    : state_(std::make_unique<detail::DiskState>(
          scratch.state(), element_type_of<T>,
          BlockCatalog(symmetry::Shape(std::move(extents), std::move(symmetry)), std::move(cuts)), where)) {
  if (program::may_go_to_file(detail::output_of(*state_, where), scratch.world().size())) return;
  throw InputError(
      fmt::format("{}: blocks go to a file at once only on one rank and without symmetry; make the tensor on disk "
                  "without a file, and save it",
                  where));
}
template <class T>
DiskTensor<T>::DiskTensor(DiskTensor&&) noexcept = default;
template <class T>
DiskTensor<T>& DiskTensor<T>::operator=(DiskTensor&&) noexcept = default;
template <class T>
DiskTensor<T>::~DiskTensor() = default;

template <class T>
const Extents& DiskTensor<T>::extents() const {
  return state_->shape().extents();
}
template <class T>
const Symmetry& DiskTensor<T>::symmetry() const {
  return state_->shape().symmetry();
}
template <class T>
const World& DiskTensor<T>::world() const {
  return state_->scratch->world;
}
template <class T>
std::int64_t DiskTensor<T>::stored_size() const {
  return state_->shape().stored_size();
}
template <class T>
double DiskTensor<T>::norm2() const {
  return state_->tensor ? state_->tensor->norm() : 0;
}

template <class T>
void DiskTensor<T>::save(const std::string& where) const {
  program::DiskTensor& tensor = state_->on_disk();
  if (!tensor.is_output()) {
    program::write_output(detail::output_of(*state_, where), tensor, state_->scratch->world, state_->scratch->past);
    return;
  }
  if (where != state_->file)
    throw InputError(
        fmt::format("{}: the tensor is in the file {} already; save it under that name", where, state_->file));
  tensor.finish_output();
}

template <class T>
void DiskTensor<T>::release() {
  state_->release();
}

template <class T>
InputTensor<T>::InputTensor(std::unique_ptr<detail::InputState> state) : state_(std::move(state)) {}
template <class T>
InputTensor<T>::InputTensor(InputTensor&&) noexcept = default;
template <class T>
InputTensor<T>& InputTensor<T>::operator=(InputTensor&&) noexcept = default;
template <class T>
InputTensor<T>::~InputTensor() = default;

namespace {

template <class T>
notation::ProgramTensor input_of(const std::string& name, Extents extents, Symmetry symmetry, Origin origin) {
  return {name, Role::input, {}, symmetry::Shape(std::move(extents), std::move(symmetry)), element_type_of<T>, origin};
}

std::unique_ptr<detail::InputState> state_of(const Scratch& scratch, notation::ProgramTensor input) {
  return std::make_unique<detail::InputState>(detail::InputState{scratch.state(), std::move(input)});
}

}  // namespace

template <class T>
InputTensor<T> InputTensor<T>::from_file(const Scratch& scratch, const std::string& where, Extents extents,
                                         Symmetry symmetry, const std::string& name) {
  auto input = input_of<T>(name, std::move(extents), std::move(symmetry), Origin::file);
  input.file = where;
  comm::together(scratch.world().state().communicator,
                 [&] { program::check_input(input, storage::inspect(storage::parse_location(where))); });
  return InputTensor(state_of(scratch, std::move(input)));
}

template <class T>
InputTensor<T> InputTensor<T>::random(const Scratch& scratch, Extents extents, Symmetry symmetry, std::uint64_t seed) {
  auto input = input_of<T>("random", std::move(extents), std::move(symmetry), Origin::random);
  input.seed = seed;
  return InputTensor(state_of(scratch, std::move(input)));
}

template <class T>
InputTensor<T> InputTensor<T>::zero(const Scratch& scratch, Extents extents, Symmetry symmetry) {
  return InputTensor(state_of(scratch, input_of<T>("zero", std::move(extents), std::move(symmetry), Origin::zero)));
}

template class DiskTensor<float>;
template class DiskTensor<double>;
template class DiskTensor<std::complex<float>>;
template class DiskTensor<std::complex<double>>;
template class InputTensor<float>;
template class InputTensor<double>;
template class InputTensor<std::complex<float>>;
template class InputTensor<std::complex<double>>;

}  // namespace ricci::disk
