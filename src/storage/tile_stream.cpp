#include "storage/tile_stream.hpp"

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::storage {
namespace {

std::vector<AlignedBuffer> make_buffers(const StreamBuffers& buffers) {
  std::vector<AlignedBuffer> made;
  for (int i = 0; i < buffers.count; ++i) made.emplace_back(buffers.bytes, buffers.meter);
  return made;
}

AlignedBuffer pop(std::vector<AlignedBuffer>& buffers, std::int64_t bytes) {
  if (bytes > buffers.back().capacity()) {
    throw InternalError(
        fmt::format("a tile of {} bytes in a stream with buffers of {}", bytes, buffers.back().capacity()));
  }
  AlignedBuffer buffer = std::move(buffers.back());
  buffers.pop_back();
  buffer.resize(bytes);
  return buffer;
}

std::span<std::byte> span_of(const AlignedBuffer& buffer) {
  return {buffer.data(), static_cast<std::size_t>(buffer.bytes())};
}

}  // namespace

ReadAhead::Tile::Tile(Tile&& other) noexcept
    : stream_(std::exchange(other.stream_, nullptr)), name_(other.name_), buffer_(std::move(other.buffer_)) {}

ReadAhead::Tile::~Tile() {
  if (stream_ != nullptr) stream_->give_back(std::move(buffer_));
}

ReadAhead::ReadAhead(const StreamBuffers& buffers, Sequence sequence)
    : sequence_(std::move(sequence)), free_(make_buffers(buffers)) {
  begin();
}

void ReadAhead::begin() {
  while (!free_.empty()) {
    const auto name = sequence_();
    if (!name) return;
    AlignedBuffer buffer = pop(free_, name->array->bytes(name->tile));
    TileTransfer transfer = name->array->start_read(name->tile, span_of(buffer));
    filling_.push_back({std::move(buffer), *name, name->array->version(name->tile), std::move(transfer)});
  }
}

std::optional<ReadAhead::Tile> ReadAhead::next() {
  begin();
  if (filling_.empty()) {
    if (!free_.empty() || !sequence_()) return std::nullopt;
    throw InternalError(fmt::format("a stream whose {} buffers are all held cannot read the next tile", held_));
  }
  Filling& first = filling_.front();
  first.transfer.wait();
  if (first.name.array->version(first.name.tile) != first.version) {
    throw InternalError(
        fmt::format("{}: tile {} was written after it had been read ahead", first.name.array->path(), first.name.tile));
  }
  Tile tile(*this, first.name, std::move(first.buffer));
  filling_.pop_front();
  ++held_;
  return tile;
}

void ReadAhead::give_back(AlignedBuffer buffer) noexcept {
  free_.push_back(std::move(buffer));
  --held_;
}

WriteBehind::WriteBehind(const StreamBuffers& buffers) : free_(make_buffers(buffers)) {}

void WriteBehind::reclaim_oldest() {
  Writing oldest = std::move(writing_.front());
  writing_.pop_front();
  std::exception_ptr failure;
  try {
    oldest.transfer.wait();
  } catch (...) {
    failure = std::current_exception();
  }
  free_.push_back(std::move(oldest.buffer));
  if (failure) std::rethrow_exception(failure);
}

AlignedBuffer WriteBehind::take(std::int64_t bytes) {
  if (free_.empty() && writing_.empty()) throw InternalError("a stream whose buffers are all held has none to give");
  if (free_.empty()) reclaim_oldest();
  return pop(free_, bytes);
}

void WriteBehind::write(const TileName& name, AlignedBuffer buffer) {
  TileTransfer transfer = name.array->start_write(name.tile, span_of(buffer));
  writing_.push_back({std::move(buffer), std::move(transfer)});
}

void WriteBehind::write(const TileName& name, ReadAhead::Tile tile) {
  AlignedBuffer spare = take(0);
  if (spare.capacity() != tile.buffer_.capacity()) throw InternalError("streams with buffers of different sizes");
  std::swap(spare, tile.buffer_);
  write(name, std::move(spare));
}

void WriteBehind::finish() {
  while (!writing_.empty()) reclaim_oldest();
}

}  // namespace ricci::storage
