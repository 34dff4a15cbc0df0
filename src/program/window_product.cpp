#include "program/window_product.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "api/statement.hpp"
#include "api/world_state.hpp"
#include "kernels/local_contraction.hpp"

namespace ricci::program {

using compile::Box;

namespace {

Extents extents_of(const Box& box) {
  Extents extents;
  for (std::size_t m = 0; m < box.lo.size(); ++m) extents.push_back(box.hi[m] - box.lo[m]);
  return extents;
}

std::int64_t offset_of(const symmetry::Shape& shape, const Box& box) {
  return std::inner_product(box.lo.begin(), box.lo.end(), shape.full_strides().begin(), std::int64_t{0});
}

bool is_plain(const Window& window) {
  const detail::TensorState& state = window.tensor.state();
  return state.placement->is_whole() && state.shape->symmetry().empty();
}

/// A part of a tensor by itself, where it is not all of it.
class Part {
 public:
  explicit Part(const Window& window) : window_(window) {
    if (!window.is_whole()) copy_.emplace(window.tensor.slice(window.box));
  }
  Indexed indexed() const {
    const std::string labels = mode_names(window_.labels);
    return copy_ ? program::indexed(*copy_, labels) : window_.tensor.indexed(labels);
  }
  Expression factor() const { return window_.conjugate ? conj(Expression(indexed())) : Expression(indexed()); }
  void put_back() const {
    if (copy_) window_.tensor.assign_slice(window_.box, *copy_);
  }

 private:
  const Window& window_;
  std::optional<AnyTensor> copy_;
};

}  // namespace

bool Window::is_whole() const {
  const Extents& extents = tensor.state().shape->extents();
  return box.hi == extents && std::all_of(box.lo.begin(), box.lo.end(), [](std::int64_t lo) { return lo == 0; });
}

struct WindowProducts::Kernel {
  symmetry::Shape out, a, b;
  std::unique_ptr<kernels::LocalContraction> contraction;
};

WindowProducts::WindowProducts(const World& world) : world_(world) {}
WindowProducts::~WindowProducts() = default;

void WindowProducts::run(const Window& out, const Window& a, const Window& b, double coefficient, bool accumulate) {
  if (world_.size() == 1 && is_plain(out) && is_plain(a) && is_plain(b))
    run_locally(out, a, b, coefficient, accumulate);
  else
    run_together(out, a, b, coefficient, accumulate);
}

void WindowProducts::run_locally(const Window& out, const Window& a, const Window& b, double coefficient,
                                 bool accumulate) {
  const Window* const windows[] = {&out, &a, &b};
  std::vector<std::int64_t> key;
  int labels = 0;
  for (const Window* window : windows) {
    const symmetry::Shape& shape = *window->tensor.state().shape;
    for (std::size_t m = 0; m < window->labels.size(); ++m) {
      key.insert(key.end(), {window->labels[m], window->box.hi[m] - window->box.lo[m], shape.extents()[m]});
      labels = std::max(labels, window->labels[m] + 1);
    }
    key.push_back(-1);
  }
  std::unique_ptr<Kernel>& kernel = kernels_[key];
  const ElementType type = out.tensor.state().type;
  if (!kernel) {
    const auto shape = [](const Window& window) { return window.tensor.state().shape->window(extents_of(window.box)); };
    kernel = std::make_unique<Kernel>(Kernel{shape(out), shape(a), shape(b), nullptr});
    std::vector<std::int64_t> extents(static_cast<std::size_t>(labels), 1);
    for (const Window* window : windows) {
      for (std::size_t m = 0; m < window->labels.size(); ++m)
        extents[static_cast<std::size_t>(window->labels[m])] = window->box.hi[m] - window->box.lo[m];
    }
    kernel->contraction = std::make_unique<kernels::LocalContraction>(
        symmetry::Labelled{&kernel->out, out.labels}, symmetry::Labelled{&kernel->a, a.labels},
        symmetry::Labelled{&kernel->b, b.labels}, extents, type);
  }
  detail::WorldState& world = world_.state();
  // Threads that share a summed loop would add up contiguous results, which a window is not.
  const std::int64_t longest =
      kernel->out.extents().empty() ? 1 : *std::max_element(kernel->out.extents().begin(), kernel->out.extents().end());
  const int threads = detail::thread_count(world.options);
  visit_element_type(type, [&](auto* tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    const auto data = [](const Window& window) {
      const detail::TensorState& state = window.tensor.state();
      return state.data.template as<T>() + offset_of(*state.shape, window.box);
    };
    kernel->contraction->run(data(a), data(b), {a.conjugate, b.conjugate}, static_cast<T>(coefficient), accumulate,
                             data(out), kernels::Workers(longest < threads ? 1 : threads, &world.pool));
  });
}

void WindowProducts::run_together(const Window& out, const Window& a, const Window& b, double coefficient,
                                  bool accumulate) {
  const Part out_part(out), a_part(a), b_part(b);
  const Expression product = Expression(coefficient) * a_part.factor() * b_part.factor();
  const Indexed target = out_part.indexed();
  if (accumulate)
    target += product;
  else
    target = product;
  out_part.put_back();
}

}  // namespace ricci::program
