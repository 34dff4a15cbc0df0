#include "program/block_queue.hpp"

#include <ricci/error.hpp>

namespace ricci::program {

bool BlockQueue::peek() {
  if (!peeked_) peeked_ = next_();
  return peeked_.has_value();
}

void BlockQueue::start(bool in_time) {
  WantedBlock wanted = std::move(*peeked_);
  peeked_.reset();
  auto block = wanted.source->start(wanted.box, in_time ? wanted.bytes : 0);
  ahead_bytes_ += in_time ? wanted.bytes : (wanted.bytes = 0);
  ahead_.push_back({std::move(wanted), std::move(block)});
}

std::shared_ptr<ReadBlock> BlockQueue::take(int buffer, const compile::Box& box) {
  if (ahead_.empty() && peek()) start(false);
  if (ahead_.empty() || ahead_.front().wanted.buffer != buffer || !(ahead_.front().wanted.box == box))
    throw InternalError("blocks are wanted in another order than they were read in");
  std::shared_ptr<ReadBlock> block = std::move(ahead_.front().block);
  block->get();
  ahead_bytes_ -= ahead_.front().wanted.bytes;
  ahead_.pop_front();
  return block;
}

void BlockQueue::read_ahead() {
  while (peek() && ahead_bytes_ + behind_bytes_ + peeked_->bytes <= room_) start(true);
}

void BlockQueue::finish_first_write() {
  behind_.front().transfer->wait();
  behind_bytes_ -= behind_.front().bytes;
  behind_.pop_front();
}

void BlockQueue::write(DiskTensor& tensor, std::int64_t number, AnyTensor block, std::int64_t bytes) {
  while (!behind_.empty() && ahead_bytes_ + behind_bytes_ + bytes > room_) finish_first_write();
  const bool has_room = ahead_bytes_ + behind_bytes_ + bytes <= room_;
  behind_.push_back({bytes, std::move(block), {}});
  behind_.back().transfer.emplace(tensor.start_write(number, behind_.back().block));
  behind_bytes_ += bytes;
  if (!has_room) finish_writes();
}

void BlockQueue::finish_writes() {
  while (!behind_.empty()) finish_first_write();
}

}  // namespace ricci::program
