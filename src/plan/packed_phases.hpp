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
  void add(const Phase& phase);

  std::size_t count() const { return count_; }
  /// Of what is kept, and of a reader with the two phases that a run has at a time.
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(bytes_.size() + longest_ * sizeof(std::int64_t)) + unpacked_;
  }
  /// All have been added.
  void finish();

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
  std::size_t longest_ = 0;               // words of a phase
  std::int64_t last_ = 0, unpacked_ = 0;  // bytes of the last phase, and of two that follow one another at the most
  Words before_;                          // the last phase, while more are added
  std::vector<std::uint8_t> bytes_;
};

/// The program of a rank. Where it has several phases, `program` comes without them: they are packed as they are made,
/// so that they are never all there.
struct PackedProgram {
  BlockProgram program;
  PackedPhases phases;

  /// The phases in order, whether they are packed or not. Refers to the program.
  class Reader {
   public:
    explicit Reader(const PackedProgram& packed) : plain_(packed.program.phases), packed_(packed.phases) {}
    /// Null after the last.
    std::shared_ptr<const Phase> next() {
      if (at_ == plain_.size()) return packed_.next();
      return {std::shared_ptr<const Phase>(), &plain_[at_++]};
    }

   private:
    const std::vector<Phase>& plain_;
    std::size_t at_ = 0;
    PackedPhases::Reader packed_;
  };
};

PackedProgram make_packed_program(const BlockContraction& contraction, int rank);

}  // namespace ricci::planning
