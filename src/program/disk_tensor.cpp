#include "program/disk_tensor.hpp"

#include <cmath>

#include <ricci/error.hpp>

#include "api/world_state.hpp"
#include "comm/communicator.hpp"

namespace ricci::program {

namespace {

std::span<std::byte> bytes_of(const AnyTensor& tensor) {
  const detail::TensorState& state = state_of(tensor);
  return {state.data.data(), static_cast<std::size_t>(state.data.bytes())};
}

}  // namespace

void SharedTransfer::wait() {
  comm::together(world_.state().communicator, [&] { mine_.wait(); });
}

DiskTensor::DiskTensor(const World& world, ElementType type, compile::BlockCatalog catalog, storage::BlockIo& io,
                       const std::string& path, Norm norm)
    : world_(world), type_(type), catalog_(std::move(catalog)), norm_(norm) {
  if (norm == Norm::kept) squares_.assign(static_cast<std::size_t>(catalog_.blocks()), 0.0);
  std::vector<std::int64_t> bytes = compile::share_of_blocks(catalog_, world.size(), world.rank());
  for (std::int64_t& share : bytes) share *= static_cast<std::int64_t>(element_size(type));
  comm::together(world.state().communicator, [&] {
    array_ = std::make_unique<storage::DiskArray>(io, path, bytes,
                                                  storage::DiskArrayOptions{.unwritten = storage::Unwritten::zero});
  });
}

DiskTensor::DiskTensor(const World& world, ElementType type, compile::BlockCatalog catalog,
                       const notation::ProgramTensor& output)
    : world_(world),
      type_(type),
      catalog_(std::move(catalog)),
      norm_(Norm::kept),
      output_(std::make_unique<DirectOutput>(output, world)),
      squares_(static_cast<std::size_t>(catalog_.blocks()), 0.0) {}

std::unique_ptr<IncomingBlock> DiskTensor::start_read(std::int64_t number) {
  if (output_)
    throw InputError("a block of a tensor that goes to its file at once is read; keep it on disk, and save it");
  AnyTensor block = make_block(world_, type_, catalog_.block_shape(number), detail::Contents::anything);
  const std::span<std::byte> to = bytes_of(block);
  storage::TileTransfer mine;
  comm::together(world_.state().communicator, [&] { mine = array_->start_read(number, to); });
  return std::make_unique<IncomingBlock>(std::move(block), SharedTransfer(world_, std::move(mine)));
}

SharedTransfer DiskTensor::start_write(std::int64_t number, const AnyTensor& block) {
  const std::span<std::byte> from = bytes_of(block);
  if (array_ && static_cast<std::int64_t>(from.size()) != array_->bytes(number))
    throw InternalError("a block is written from a tensor that is laid out differently");
  if (norm_ == Norm::kept) {
    const double norm = norm_of(block);
    squares_[static_cast<std::size_t>(number)] = norm * norm;
  }
  storage::TileTransfer mine;
  if (output_)
    output_->write(catalog_.box(catalog_.tiles_of(number)), from.data());
  else
    comm::together(world_.state().communicator, [&] { mine = array_->start_write(number, from); });
  return {world_, std::move(mine)};
}

double DiskTensor::norm() const {
  if (norm_ != Norm::kept) throw InternalError("the norm of an array on disk that was not to be kept");
  double sum = 0;
  for (std::size_t n = 0; n < squares_.size(); ++n)
    sum += catalog_.multiplicity(static_cast<std::int64_t>(n)) * squares_[n];
  return std::sqrt(sum);
}

}  // namespace ricci::program
