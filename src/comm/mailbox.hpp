#pragma once
// Messages of a rank to itself: copies, so that they work without MPI, too.
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace ricci::comm {

class Mailbox {
 public:
  /// A receive that was started before its send.
  struct Slot {
    int tag = 0;
    std::span<std::byte> data;
    bool filled = false;
  };

  void send(std::span<const std::byte> data, int tag);
  /// Null if the message was there. Whoever drops the slot no longer wants it.
  std::shared_ptr<Slot> receive(std::span<std::byte> data, int tag);

 private:
  struct Letter {
    int tag;
    std::vector<std::byte> data;
  };
  std::deque<Letter> letters_;
  std::deque<std::weak_ptr<Slot>> slots_;
};

}  // namespace ricci::comm
