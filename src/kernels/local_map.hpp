#pragma once
// Statements without a matrix product: C[lc] += alpha · Σ A[la], and products element by element
// C[lc] += alpha · Σ A[la] · B[lb] (weights, outer products, dots), in the memory of one process. Decided once and run
// many times.
//
// All loops are split into rows and columns; blocks of the operands are gathered into tiles by pack(), multiplied
// there, and scattered to C: the same two places as in a contraction deal with layouts and symmetry. A summed loop
// leads to the same element of C again and again; where all rows are summed, a tile is first summed along them.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/axis.hpp"
#include "kernels/block_access.hpp"
#include "kernels/shares.hpp"
#include "kernels/transpose.hpp"
#include "kernels/workers.hpp"
#include "symmetry/fold.hpp"

namespace ricci::kernels {

class LocalMap {
 public:
  /// `b.shape` may be null: one operand. Shapes must outlive this object. `extents`: for each label. `element_size`: of
  /// the type that it will be run with.
  LocalMap(symmetry::Labelled c, symmetry::Labelled a, symmetry::Labelled b, const std::vector<std::int64_t>& extents,
           std::size_t element_size);
  LocalMap(const LocalMap&) = delete;
  LocalMap& operator=(const LocalMap&) = delete;

  const symmetry::Fold& fold() const { return fold_; }

  struct Conjugate {
    bool a = false, b = false;
  };
  /// c (=|+=) alpha · A (· B). Overwriting is allowed only where fold().covers. Never called where fold().vanishes.
  template <class T>
  void run(const T* a, const T* b, Conjugate conjugate, T alpha, bool accumulate, T* c, Workers workers) const;

  /// Of the tables that it has for as long as it lives.
  std::int64_t table_bytes() const { return tables_.bytes(); }
  /// Bytes of the buffers of one run, and of these tables.
  template <class T>
  std::int64_t buffer_bytes(int threads) const;

 private:
  static constexpr std::int64_t tile_rows = 128, tile_columns = 16;
  template <class T>
  struct Job;
  template <class T>
  class Worker;

  void choose_axes();
  std::optional<Transpose> as_transpose(std::size_t element_size) const;

  symmetry::Labelled c_, a_, b_;
  symmetry::Fold fold_;
  std::size_t labels_;
  Axis rows_, columns_;
  bool has_sum_ = false, rows_are_summed_ = false;
  std::vector<Access> accesses_;  // the readings of A, then those of B, then C
  GroupTables tables_;
  std::vector<BlockAccess> blocks_;
  std::vector<const Access*> pointers_;
  std::vector<bool> wanted_;
  std::optional<Transpose> transpose_;  // where it is a permutation and nothing else
};

}  // namespace ricci::kernels
