#pragma once
// The phases of a program in little memory. They are much alike: from one to the next a few places and peers change. So
// each is kept as what is different from the one before, and made anew when its turn comes.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "plan/block_program.hpp"
#include "util/words.hpp"

namespace ricci::planning {

class PackedPhases {
 public:
  PackedPhases() = default;
  explicit PackedPhases(const std::vector<Phase>& phases);

  std::size_t count() const { return count_; }
  /// Of what is kept, and of a reader with the two phases that a run has at a time.
  std::int64_t bytes() const { return static_cast<std::int64_t>(bytes_.size()) + unpacked_; }

  /// Refers to the phases.
  class Reader {
   public:
    explicit Reader(const PackedPhases& phases) : phases_(phases) {}
    /// From the first to the last; after that null.
    std::shared_ptr<const Phase> next();

   private:
    const PackedPhases& phases_;
    std::size_t at_ = 0, read_ = 0;  // in bytes, in phases
    Words words_;                    // of the last phase
  };

 private:
  std::size_t count_ = 0;
  std::int64_t unpacked_ = 0;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace ricci::planning
