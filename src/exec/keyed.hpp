#pragma once
// Single elements to and from the ranks that hold them, by key: the third way to redistribute, and the most general.
// Keys are those of sorted indices; their values go along as bytes.
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "comm/communicator.hpp"

namespace ricci::exec {

/// Who asks whom. Collective when made: each rank brings any number of items with the ranks that they go to. Items for
/// one rank arrive there in the order of the senders, and of each sender's list.
class Route {
 public:
  Route(const comm::Communicator& communicator, std::span<const int> targets);

  std::int64_t sent() const { return static_cast<std::int64_t>(order_.size()); }
  std::int64_t received() const { return received_; }

  /// One item for each target, to there: what came here, in order. Collective.
  template <class Item>
  void forward(std::span<const std::type_identity_t<Item>> items, std::vector<Item>& arrived) const {
    std::vector<Item> sorted(items.size());
    arrived.resize(static_cast<std::size_t>(received_));
    for (std::size_t i = 0; i < order_.size(); ++i) sorted[static_cast<std::size_t>(order_[i])] = items[i];
    exchange(reinterpret_cast<const std::byte*>(sorted.data()), reinterpret_cast<std::byte*>(arrived.data()),
             sizeof(Item), false);
  }
  /// One answer for each item that came, back to where it came from: in the order of the targets. Collective.
  template <class Item>
  void backward(std::span<const std::type_identity_t<Item>> answers, std::vector<Item>& result) const {
    std::vector<Item> sorted(order_.size());
    result.resize(order_.size());
    exchange(reinterpret_cast<const std::byte*>(answers.data()), reinterpret_cast<std::byte*>(sorted.data()),
             sizeof(Item), true);
    for (std::size_t i = 0; i < order_.size(); ++i) result[i] = sorted[static_cast<std::size_t>(order_[i])];
  }

 private:
  void exchange(const std::byte* send, std::byte* receive, std::size_t item_size, bool backward) const;

  comm::Communicator communicator_;
  std::vector<std::int64_t> order_;      // [item]: its place among those sent, which are sorted by target
  std::vector<std::int64_t> to_, from_;  // items to and from each rank
  std::int64_t received_ = 0;
};

}  // namespace ricci::exec
