#pragma once
// Blocks on their way between disk and memory while something else is computed: read before they are wanted, written
// after they are done, within so many bytes.
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "compile/block_catalog.hpp"
#include "program/block_source.hpp"
#include "program/disk_tensor.hpp"

namespace ricci::program {

/// A block that will be wanted, and where it comes from.
struct WantedBlock {
  int buffer = 0;
  compile::Box box;
  BlockSource* source = nullptr;
  std::int64_t bytes = 0;  // of one rank, as all ranks count it: they have to decide alike
};

class BlockQueue {
 public:
  /// `next`: what will be wanted after all that it has told before, in order; nothing where that is not known yet.
  BlockQueue(std::int64_t room, std::function<std::optional<WantedBlock>()> next)
      : room_(room), next_(std::move(next)) {}

  /// The block that is wanted now, which has to be the next one.
  std::shared_ptr<ReadBlock> take(int buffer, const compile::Box& box);
  /// Asks for as many blocks as there is room for.
  void read_ahead();
  /// The block is kept until it is written, which has happened on return where there is no room.
  void write(DiskTensor& tensor, std::int64_t number, AnyTensor block, std::int64_t bytes);
  /// Until all is written.
  void finish_writes();

 private:
  struct Ahead {
    WantedBlock wanted;
    std::shared_ptr<ReadBlock> block;
  };
  struct Behind {
    std::int64_t bytes;
    AnyTensor block;
    std::optional<SharedTransfer> transfer;  // after the block: is waited for before that is freed
  };
  bool peek();
  void start(bool in_time);
  void finish_first_write();

  std::int64_t room_;
  std::function<std::optional<WantedBlock>()> next_;
  std::optional<WantedBlock> peeked_;
  std::deque<Ahead> ahead_;
  std::deque<Behind> behind_;
  std::int64_t ahead_bytes_ = 0, behind_bytes_ = 0;
};

}  // namespace ricci::program
