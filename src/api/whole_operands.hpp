#pragma once
// How a statement runs on several ranks: every rank gets the whole of every operand, does all of the work, and keeps
// its part of the result. Right for any layouts; it scales neither in memory nor in time.
#include <string>
#include <vector>

#include "api/statement.hpp"
#include "api/whole_tensor.hpp"

namespace ricci::detail {

/// A tensor that is copied together on every rank before a statement runs.
struct Gathering {
  const TensorState* tensor;
  std::string labels;
  std::int64_t bytes_sent;  // by this rank

  /// `gather [abef] on every rank`
  std::string describe() const;
};

/// Whether every rank has all of every tensor of a statement already, in the order of the packed tensor.
bool all_whole(const StatementView& statement);
/// What must be copied: the operands, and the output where it is read.
std::vector<Gathering> gatherings(const StatementView& statement);

/// The tensors of a statement as the executor wants them.
class WholeOperands {
 public:
  /// Collective. A line for each copy goes into the report.
  WholeOperands(const StatementView& statement, Report* report);

  std::byte* data(const TensorState& state) const { return find(state)->data(); }
  /// Gives the output's parts to their ranks.
  void store_output() const { find(output_)->store_to(output_); }

 private:
  struct Entry {
    const TensorState* state;
    WholeTensor whole;
  };
  const WholeTensor* find(const TensorState& state) const;

  const TensorState& output_;
  std::vector<Entry> tensors_;
};

}  // namespace ricci::detail
