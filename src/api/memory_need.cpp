#include "api/memory_need.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "api/tensor_state.hpp"
#include "api/whole_tensor.hpp"
#include "api/world_state.hpp"

namespace ricci::detail {

namespace {

/// The tensors of statements, and where they are while the statements run in thought.
class Walk {
 public:
  explicit Walk(const std::vector<StatementView>& statements) {
    for (const StatementView& statement : statements) {
      auto& numbers = slots_.emplace_back();
      for_each_tensor(statement, [&](const Factor& factor) { numbers.push_back(number_of(*factor.tensor)); });
    }
    begun_ = where_;
  }

  /// Of the tensors of a statement, by slot.
  std::vector<Layout> layouts(std::size_t s) const {
    std::vector<Layout> result;
    for (std::size_t number : slots_[s]) result.push_back(where_[number]);
    return result;
  }
  void leave(std::size_t s, const PreparedStatement& prepared) {
    for (std::size_t slot = slots_[s].size(); slot-- > 0;) where_[slots_[s][slot]] = prepared.leaves(slot);
  }
  bool is_where_it_began() const { return where_ == begun_; }

 private:
  std::size_t number_of(const TensorState& tensor) {
    const auto known = std::find(tensors_.begin(), tensors_.end(), &tensor);
    if (known != tensors_.end()) return static_cast<std::size_t>(known - tensors_.begin());
    tensors_.push_back(&tensor);
    where_.push_back(tensor.placement->distribution().layout());
    return tensors_.size() - 1;
  }

  std::vector<const TensorState*> tensors_;
  std::vector<std::vector<std::size_t>> slots_;  // [statement][slot]
  std::vector<Layout> where_, begun_;            // [tensor]
};

}  // namespace

std::int64_t bytes_of_others(const StatementView& statement) {
  std::vector<const TensorState*> tensors;
  for_each_tensor(statement, [&](const Factor& factor) { tensors.push_back(factor.tensor.get()); });
  std::sort(tensors.begin(), tensors.end());
  tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
  std::int64_t bytes = statement.output.tensor->world.state().tensors.live();
  for (const TensorState* tensor : tensors) bytes -= tensor->data.bytes();
  return std::max<std::int64_t>(0, bytes);  // tensors of another World of the same ranks are counted there
}

std::vector<std::int64_t> bytes_needed(const std::vector<StatementView>& statements, const Prepared& prepared,
                                       const Options& options, int runs) {
  Walk walk(statements);
  std::vector<std::int64_t> needed(statements.size(), 0);
  // Tensors that an earlier statement moves are among the others with what they took before: layouts share evenly.
  for (int run = 0; run == 0 || (run < runs && !walk.is_where_it_began()); ++run) {
    for (std::size_t s = 0; s < statements.size(); ++s) {
      const std::int64_t here = prepared[s]->bytes_needed(walk.layouts(s), options);
      needed[s] = std::max(needed[s], here + bytes_of_others(statements[s]));
      walk.leave(s, *prepared[s]);
    }
  }
  communicator_of(*statements[0].output.tensor).all_reduce(std::span(needed), comm::Operation::max);
  return needed;
}

void refuse(const StatementView& statement, std::int64_t needed, const Options& options) {
  const TensorState& output = *statement.output.tensor;
  const std::int64_t others = communicator_of(output).all_reduce(bytes_of_others(statement), comm::Operation::max);
  const std::string beside =
      others > 0 ? fmt::format(" beside other tensors, which take up to {} bytes", others) : std::string();
  throw ResourceError(
      fmt::format("the statement needs {} bytes for its tensors and buffers{}, but the memory limit is {} bytes; "
                  "allow at least {}",
                  needed, beside, options.memory_limit, needed));
}

void check_memory(const std::vector<StatementView>& statements, const Prepared& prepared, const Options& options) {
  if (options.memory_limit <= 0) return;
  for_each_world(statements, [&](const std::vector<std::size_t>& numbers) {
    std::vector<StatementView> of_world;
    Prepared plans;
    for (std::size_t s : numbers) {
      of_world.push_back(statements[s]);
      plans.push_back(prepared[s]);
    }
    const std::vector<std::int64_t> needed = bytes_needed(of_world, plans, options, 1);
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i] > options.memory_limit) refuse(of_world[i], needed[i], options);
    }
  });
}

}  // namespace ricci::detail
