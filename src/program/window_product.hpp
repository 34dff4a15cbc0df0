#pragma once
// Products of parts of tensors, where they lie.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compile/block_catalog.hpp"
#include "program/any_tensor.hpp"
#include "program/tensor_view.hpp"

namespace ricci::program {

/// A part of a tensor under labels.
struct Window {
  TensorView tensor;
  std::vector<int> labels;
  compile::Box box;
  bool conjugate = false;

  bool is_whole() const;
};

/// Makes a kernel for every combination of sizes that it meets, and keeps it.
class WindowProducts {
 public:
  explicit WindowProducts(const World& world);
  ~WindowProducts();

  /// out (+)= coefficient * a * b over all labels that out lacks. On one rank without a copy of any of them; on several
  /// ranks parts are copied out and in. Collective.
  void run(const Window& out, const Window& a, const Window& b, double coefficient, bool accumulate);

 private:
  struct Kernel;
  void run_locally(const Window& out, const Window& a, const Window& b, double coefficient, bool accumulate);
  void run_together(const Window& out, const Window& a, const Window& b, double coefficient, bool accumulate);

  World world_;
  std::map<std::vector<std::int64_t>, std::unique_ptr<Kernel>> kernels_;
};

}  // namespace ricci::program
