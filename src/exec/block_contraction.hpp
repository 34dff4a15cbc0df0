#pragma once
// Runs a planning::BlockProgram: one rank's part of a contraction that is spread over ranks.
#include <cstddef>
#include <memory>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/local_contraction.hpp"
#include "kernels/local_map.hpp"
#include "plan/block_program.hpp"
#include "plan/packed_phases.hpp"
#include "util/buffer_pool.hpp"
#include "util/element_type.hpp"

namespace ricci::exec {

class BlockContraction {
 public:
  BlockContraction(planning::PackedProgram program, ElementType type);
  BlockContraction(const BlockContraction&) = delete;
  BlockContraction& operator=(const BlockContraction&) = delete;

  /// What the program comes to on this rank: multiplications, and elements that travel.
  double products() const { return products_; }
  std::int64_t elements_sent() const { return sent_; }
  std::int64_t elements_received() const { return received_; }
  /// Bytes of all buffers of a run, at their greatest.
  std::int64_t peak_bytes(int threads) const;
  /// Bytes that it takes by itself, whether it runs or not, and what of the program a run has before it.
  std::int64_t table_bytes() const;

  /// This rank's elements of the tensors. b may be null.
  struct Tensors {
    void* c;
    const void* a;
    const void* b;
  };
  /// Collective. Writes the first copy of C only.
  template <class T>
  void run(const comm::Communicator& communicator, BufferPool& pool, const Tensors& tensors,
           kernels::LocalMap::Conjugate conjugate, T alpha, int threads) const;

 private:
  struct Kernel {
    std::unique_ptr<kernels::LocalContraction> contraction;
    std::unique_ptr<kernels::LocalMap> map;
  };
  template <class T>
  class Run;

  void count();

  planning::PackedProgram packed_;
  ElementType type_;
  double products_ = 0;
  std::int64_t sent_, received_;
  std::int64_t fetched_ = 0;     // elements of the phases that are there at a time, at the most
  std::int64_t cutting_ = 0;     // the same with what is packed to cut an operand anew
  std::vector<Kernel> kernels_;  // one for each of the program's operations
};

}  // namespace ricci::exec
