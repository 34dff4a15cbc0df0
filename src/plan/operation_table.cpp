#include "plan/operation_table.hpp"

#include "plan/local_plan.hpp"

namespace ricci::planning {

namespace {

bool same(const LocalOperation& operation, const LabelledTile& out, const LabelledTile& a, const LabelledTile* b) {
  const auto fits = [](const LabelledTile& tile, const symmetry::Shape& shape, const std::vector<int>& labels) {
    return tile.labels == labels && tile.shape == shape;
  };
  if (!fits(out, operation.out_shape, operation.out_labels) || !fits(a, operation.a_shape, operation.a_labels)) {
    return false;
  }
  return b ? operation.has_b && fits(*b, operation.b_shape, operation.b_labels) : !operation.has_b;
}

}  // namespace

int OperationTable::find(const LabelledTile& out, const LabelledTile& a, const LabelledTile* b, std::size_t labels) {
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    if (same(operations_[i], out, a, b)) return vanishes_[i] ? -1 : static_cast<int>(i);
  }
  LocalOperation operation;
  operation.extents.assign(labels, 1);
  operation.has_b = b != nullptr;
  const auto add = [&](const LabelledTile& tile, symmetry::Shape& shape, std::vector<int>& tile_labels) {
    shape = tile.shape;
    tile_labels = tile.labels;
    for (std::size_t m = 0; m < tile_labels.size(); ++m) operation.extents[tile_labels[m]] = shape.extents()[m];
  };
  add(out, operation.out_shape, operation.out_labels);
  add(a, operation.a_shape, operation.a_labels);
  if (b) add(*b, operation.b_shape, operation.b_labels);
  const symmetry::Labelled second = b ? symmetry::Labelled{&b->shape, b->labels} : symmetry::Labelled{};
  const symmetry::Fold fold = symmetry::fold({&out.shape, out.labels}, {&a.shape, a.labels}, second, operation.extents);
  operation.covers = fold.covers;
  operation.products = fold.products();
  operation.contract = b && wants_matrix_product(fold);
  operations_.push_back(std::move(operation));
  vanishes_.push_back(fold.vanishes);
  return fold.vanishes ? -1 : static_cast<int>(operations_.size()) - 1;
}

}  // namespace ricci::planning
