#pragma once
// A contraction C[lc] += alpha · A[la] · B[lb] in the memory of one process, decided once and run many times.
//
// The index space is folded (symmetry/fold.hpp) and split into an axis of rows (labels of A and C), of columns (of B
// and C), of summed and of batch labels. Each batch is one matrix product, blocked for the caches as in Goto and
// van de Geijn (ACM TOMS 34, 2008); operands are gathered into panels by pack(), which is where permutations and
// symmetry ride along, or read in place where they are used too seldom for a copy to pay.
#include <cstdint>
#include <vector>

#include "kernels/axis.hpp"
#include "kernels/block_access.hpp"
#include "kernels/shares.hpp"
#include "kernels/workers.hpp"
#include "symmetry/fold.hpp"
#include "util/element_type.hpp"

namespace ricci::kernels {

/// How much a kernel copies at a time: what suits the caches, or little, where memory is short.
enum class Blocks { usual, lean };

class LocalContraction {
 public:
  /// Shapes must outlive this object. `extents`: for each label.
  LocalContraction(symmetry::Labelled c, symmetry::Labelled a, symmetry::Labelled b,
                   const std::vector<std::int64_t>& extents, ElementType type, Blocks blocks = Blocks::usual);
  LocalContraction(const LocalContraction&) = delete;
  LocalContraction& operator=(const LocalContraction&) = delete;

  const symmetry::Fold& fold() const { return fold_; }

  struct Conjugate {
    bool a = false, b = false;
  };
  /// c (=|+=) alpha · A · B. Overwriting is allowed only where fold().covers. Never called where fold().vanishes. T is
  /// the type given when this was made.
  template <class T>
  void run(const T* a, const T* b, Conjugate conjugate, T alpha, bool accumulate, T* c, Workers workers) const;

  /// Of the tables that it has for as long as it lives.
  std::int64_t table_bytes() const { return tables_.bytes(); }
  /// Bytes of the buffers of one run, and of these tables.
  template <class T>
  std::int64_t buffer_bytes(int threads) const;

 private:
  static constexpr std::int64_t block_bytes = 1 << 20;  // of A: half of a large L2
  static std::int64_t block_depth(ElementType type) { return 3072 / static_cast<std::int64_t>(element_size(type)); }

  template <class T>
  struct Job;
  template <class T>
  class Worker;

  struct Blocking;
  template <class T>
  Blocking blocking(const Axis& rows, const Axis& summed, const Axis& columns) const;
  template <class T>
  Blocking lean_blocking(const Axis& rows, const Axis& summed, const Axis& columns) const;

  void order_axes(ElementType type);
  void make_blocks();

  symmetry::Labelled c_, a_, b_;
  symmetry::Fold fold_;   // with a_ as the operand of the rows
  bool swapped_ = false;  // a_ is the second factor of the statement
  std::size_t labels_;
  Blocks size_of_blocks_;
  Axis rows_, columns_, summed_, batch_;
  bool columns_are_near_ = false;            // neighbouring columns of C lie closer than neighbouring tiles of rows
  std::vector<Access> a_access_, b_access_;  // one for each reading
  Access c_access_;
  GroupTables tables_;
  std::vector<BlockAccess> a_blocks_, b_blocks_;
  std::vector<BlockAccess> c_block_;  // one
  std::vector<const Access*> row_accesses_, column_accesses_, summed_accesses_, batch_accesses_;
  std::vector<bool> wanted_;
};

}  // namespace ricci::kernels
