#pragma once
// Redistributions that have been worked out: a loop that moves a tensor there and back again asks for the same two.
#include <list>
#include <memory>
#include <mutex>

#include "layout/redistribution.hpp"

namespace ricci::exec {

/// Those of one rank. May be used from several threads.
class RedistributionCache {
 public:
  std::shared_ptr<const layout::Redistribution> find_or_make(const layout::Distribution& from,
                                                             const layout::Distribution& to, int rank,
                                                             std::size_t element_size);

 private:
  static constexpr std::size_t capacity = 16;
  static constexpr std::size_t most_pieces = 1 << 16;  // of one that is kept: some 20 MB
  struct Entry {
    std::shared_ptr<const symmetry::Shape> shape;
    Layout from, to;
    std::size_t element_size;
    std::shared_ptr<const layout::Redistribution> moves;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
};

}  // namespace ricci::exec
