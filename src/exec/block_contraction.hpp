#pragma once
// Runs a planning::BlockProgram: one rank's part of a contraction that is spread over ranks.
#include <cstddef>
#include <memory>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/local_contraction.hpp"
#include "kernels/local_map.hpp"
#include "plan/block_program.hpp"
#include "util/buffer_pool.hpp"
#include "util/element_type.hpp"

namespace ricci::exec {

class BlockContraction {
 public:
  BlockContraction(planning::BlockProgram program, ElementType type);
  BlockContraction(const BlockContraction&) = delete;
  BlockContraction& operator=(const BlockContraction&) = delete;

  const planning::BlockProgram& program() const { return program_; }
  /// Bytes of all buffers of a run, at their greatest.
  std::int64_t peak_bytes(int threads) const;

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

  planning::BlockProgram program_;
  ElementType type_;
  std::vector<Kernel> kernels_;  // one for each of the program's operations
};

}  // namespace ricci::exec
