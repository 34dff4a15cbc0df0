// Binds <ricci/disk.hpp>: products of parts of tensors.
#include <algorithm>
#include <map>

#include <ricci/error.hpp>

#include "notation/labels.hpp"
#include "program/disk_state.hpp"

namespace ricci::disk {

using detail::PartState;

namespace {

std::shared_ptr<const PartState> part_of(const std::shared_ptr<detail::PartsState>& parts, program::TensorView tensor,
                                         const Box& box) {
  const Extents& extents = tensor.state().shape->extents();
  const Box whole(extents.size(), all);
  return std::make_shared<const PartState>(
      PartState{parts, tensor, detail::resolved(box.empty() ? whole : box, extents)});
}

void run(const PartState& out, const PartProduct& product, bool accumulate) {
  std::map<std::string, int> numbers;
  const auto window = [&](const PartState& part) {
    program::Window result{part.tensor, {}, part.box, part.conjugate};
    for (const std::string& label : part.labels)
      result.labels.push_back(numbers.try_emplace(label, static_cast<int>(numbers.size())).first->second);
    return result;
  };
  const PartState &a = product.left.state(), &b = product.right.state();
  const program::Window to = window(out);
  out.parts->products.run(to, window(a), window(b), a.coefficient * b.coefficient, accumulate);
}

}  // namespace

Parts::Parts(const World& world) : state_(std::make_shared<detail::PartsState>(world)) {}

template <class T>
Part Parts::operator()(const Tensor<T>& tensor, const Box& box) const {
  return Part(part_of(state_, &tensor, box));
}
template Part Parts::operator()(const Tensor<float>&, const Box&) const;
template Part Parts::operator()(const Tensor<double>&, const Box&) const;
template Part Parts::operator()(const Tensor<std::complex<float>>&, const Box&) const;
template Part Parts::operator()(const Tensor<std::complex<double>>&, const Box&) const;

Part Parts::operator()(const Block& block, const Box& box) const {
  const auto* const read = block.state().read.get();
  if (read != nullptr && (read->sign != 1 || !std::is_sorted(read->order.begin(), read->order.end())))
    throw InputError("a part is wanted of a block that is stored in another order; take() it first");
  return Part(part_of(state_, block.state().view(), box));
}

IndexedPart Part::operator[](std::string_view labels) const {
  PartState indexed = *state_;
  indexed.labels = notation::parse_labels(labels, static_cast<int>(indexed.box.lo.size()));
  return IndexedPart(std::make_shared<const PartState>(std::move(indexed)));
}

IndexedPart operator*(double number, const IndexedPart& part) {
  PartState scaled = part.state();
  scaled.coefficient *= number;
  return IndexedPart(std::make_shared<const PartState>(std::move(scaled)));
}

IndexedPart conj(const IndexedPart& part) {
  PartState conjugated = part.state();
  conjugated.conjugate = !conjugated.conjugate;
  return IndexedPart(std::make_shared<const PartState>(std::move(conjugated)));
}

PartProduct operator*(const IndexedPart& left, const IndexedPart& right) { return {left, right}; }

void IndexedPart::operator=(const PartProduct& product) const { run(*state_, product, false); }
void IndexedPart::operator+=(const PartProduct& product) const { run(*state_, product, true); }

}  // namespace ricci::disk
