#include "program/tile_slot.hpp"

#include <algorithm>
#include <utility>

namespace ricci::program {

using compile::parallel_disk::Array;
using compile::parallel_disk::Communication;
using compile::parallel_disk::DiskEvent;
using compile::parallel_disk::DiskStepKind;
using compile::parallel_disk::DiskWalk;

TileSlot::TileSlot(const ParallelDiskProduct& product, Array array, const ParallelDiskPlace& place)
    : product_(product),
      array_(array),
      grid_(product.program.grid(array)),
      element_(static_cast<std::int64_t>(element_size(product.type))),
      reads_ahead_(product.program.ahead.of(array)),
      ahead_(product.program) {
  const std::int64_t share = grid_.share(0) * element_, tile = share * grid_.sharing;
  tile_ = AlignedBuffer(tile, place.meter);
  if (grid_.sharing > 1) share_ = AlignedBuffer(share, place.meter);
  const bool shares = grid_.sharing > 1 && product.program.method.communication == Communication::inside;
  if (reads_ahead_) other_ = AlignedBuffer(shares ? share : tile, place.meter);
}

void TileSlot::set_file(std::unique_ptr<storage::DiskArray> file, bool as_tiles) {
  if (file_) past_ += file_->traffic();
  reading_ = {};
  next_number_ = -1;
  file_ = std::move(file);
  as_tiles_ = as_tiles;
}

std::unique_ptr<storage::DiskArray> TileSlot::take_file() {
  past_ += file_->traffic();
  return std::move(file_);
}

storage::DiskTraffic TileSlot::traffic() const {
  storage::DiskTraffic total = past_;
  if (file_) total += file_->traffic();
  return total;
}

std::int64_t TileSlot::bytes_in_file(std::int64_t tile) const {
  return (keeps_shares() ? grid_.share(tile) : grid_.elements(tile)) * element_;
}

std::span<std::byte> TileSlot::fine_tile(const DiskEvent& event) const {
  const auto range = grid_.fine_tile(event.at);
  return part(tile_, range.begin, range.size);
}

void TileSlot::look_ahead_from(const DiskWalk& walk) {
  ahead_ = walk;
  blocked_ = !reads_ahead_ || array_ == Array::c;
}

// What is read after communication out of core is not there before.
bool TileSlot::find_next_read(DiskEvent& event) {
  while (!blocked_ && ahead_.next(event)) {
    if (event.step->array != array_ || event.step->kind == DiskStepKind::multiply) continue;
    if (event.step->kind == DiskStepKind::read) return true;
    blocked_ = event.step->out_of_core;
  }
  blocked_ = true;
  return false;
}

void TileSlot::begin_next() {
  DiskEvent event;
  if (!find_next_read(event)) return;
  next_number_ = grid_.number(event.at);
  other_.resize(bytes_in_file(next_number_));
  reading_ = file_->start_read(next_number_, bytes_of(other_));
}

void TileSlot::read(const DiskEvent& event) {
  const std::int64_t tile = grid_.number(event.at);
  if (array_ == Array::c && reads_ahead_) {
    std::swap(tile_, other_);
    std::swap(writing_, writing_other_);
    writing_.wait();
  }
  AlignedBuffer& to = keeps_shares() ? share_ : tile_;
  if (next_number_ == tile) {
    reading_.wait();
    reading_ = {};
    next_number_ = -1;
    std::swap(to, other_);
  } else {
    DiskEvent this_one;
    find_next_read(this_one);
    to.resize(bytes_in_file(tile));
    file_->read(tile, bytes_of(to));
  }
  number_ = tile;
  begin_next();
}

void TileSlot::set_zero(const DiskEvent& event) {
  if (reads_ahead_) {
    std::swap(tile_, other_);
    std::swap(writing_, writing_other_);
    writing_.wait();
  }
  number_ = grid_.number(event.at);
  std::ranges::fill(tile(number_), std::byte{0});
}

void TileSlot::write() {
  writing_ = file_->start_write(number_, tile(number_));
  if (!reads_ahead_) writing_.wait();
}

void TileSlot::read_tile(std::int64_t number) {
  AlignedBuffer& to = keeps_shares() ? share_ : tile_;
  to.resize(bytes_in_file(number));
  file_->read(number, bytes_of(to));
}

void TileSlot::write_tile_to(storage::DiskArray& file, std::int64_t number) { file.write(number, tile(number)); }

void TileSlot::finish_writing() {
  writing_.wait();
  writing_other_.wait();
}

}  // namespace ricci::program
