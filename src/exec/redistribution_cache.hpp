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
  static constexpr std::int64_t most_bytes = std::int64_t{1} << 20;  // of all that are kept
  struct Entry {
    std::shared_ptr<const symmetry::Shape> shape;
    Layout from, to;
    std::size_t element_size;
    std::shared_ptr<const layout::Redistribution> moves;
    std::int64_t bytes;
  };
  std::mutex mutex_;
  std::int64_t bytes_ = 0;    // of all entries
  std::list<Entry> entries_;  // the last used first
};

}  // namespace ricci::exec
