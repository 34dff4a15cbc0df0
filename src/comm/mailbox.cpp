#include "comm/mailbox.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::comm {

namespace {

void deliver(std::span<const std::byte> from, std::span<std::byte> to) {
  if (from.size() != to.size()) {
    throw InternalError(fmt::format("a rank sends {} bytes to itself and receives {} of them", from.size(), to.size()));
  }
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

void Mailbox::send(std::span<const std::byte> data, int tag) {
  std::erase_if(slots_, [](const auto& slot) { return slot.expired(); });
  for (auto place = slots_.begin(); place != slots_.end(); ++place) {
    const std::shared_ptr<Slot> slot = place->lock();
    if (slot->tag != tag) continue;
    slots_.erase(place);
    deliver(data, slot->data);
    slot->filled = true;
    return;
  }
  letters_.push_back({tag, {data.begin(), data.end()}});
}

std::shared_ptr<Mailbox::Slot> Mailbox::receive(std::span<std::byte> data, int tag) {
  const auto letter =
      std::find_if(letters_.begin(), letters_.end(), [&](const Letter& letter) { return letter.tag == tag; });
  if (letter != letters_.end()) {
    deliver(letter->data, data);
    letters_.erase(letter);
    return nullptr;
  }
  auto slot = std::make_shared<Slot>(Slot{tag, data, false});
  slots_.push_back(slot);
  return slot;
}

}  // namespace ricci::comm
