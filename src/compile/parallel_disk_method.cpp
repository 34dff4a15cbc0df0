#include "compile/parallel_disk_method.hpp"

#include <ostream>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::compile::parallel_disk {

namespace {

Label common_label(Array x, Array y) {
  for (const Label label : all_labels) {
    if (has_label(x, label) && has_label(y, label)) return label;
  }
  throw InternalError("two arrays of a contraction have no label in common");
}

std::array<Array, 3> arrays_of(DiskOrder order) {
  using enum Array;
  switch (order) {
    case DiskOrder::abc:
      return {a, b, c};
    case DiskOrder::acb:
      return {a, c, b};
    case DiskOrder::bac:
      return {b, a, c};
    case DiskOrder::bca:
      return {b, c, a};
    case DiskOrder::cab:
      return {c, a, b};
    default:
      return {c, b, a};
  }
}

}  // namespace

std::array<Label, 2> labels_of(Array array) {
  if (array == Array::a) return {Label::i, Label::k};
  if (array == Array::b) return {Label::j, Label::k};
  return {Label::i, Label::j};
}

bool has_label(Array array, Label label) {
  const auto labels = labels_of(array);
  return labels[0] == label || labels[1] == label;
}

LoopRoles roles_of(DiskOrder order) {
  const auto [x, y, z] = arrays_of(order);
  return {x, y, z, common_label(x, y), common_label(x, z), common_label(y, z)};
}

DiskOrder mirrored(DiskOrder order) {
  constexpr std::array other = {DiskOrder::bac, DiskOrder::bca, DiskOrder::abc,
                                DiskOrder::acb, DiskOrder::cba, DiskOrder::cab};
  return other[static_cast<std::size_t>(order)];
}

std::vector<ParallelDiskMethod> all_methods() {
  std::vector<ParallelDiskMethod> methods;
  for (const auto communication : {Communication::outside, Communication::inside}) {
    for (const auto algorithm :
         {ParallelAlgorithm::rotation, ParallelAlgorithm::replication, ParallelAlgorithm::accumulation}) {
      for (const Array replicated : {Array::a, Array::b}) {
        if (replicated == Array::b && algorithm != ParallelAlgorithm::replication) continue;
        for (const DiskOrder order : all_orders) methods.push_back({algorithm, communication, order, replicated});
      }
    }
  }
  return methods;
}

char letter(Array array) { return "ABC"[static_cast<int>(array)]; }

char letter(Label label) { return "IJK"[static_cast<int>(label)]; }

std::string name_of(DiskOrder order) {
  const auto [x, y, z] = arrays_of(order);
  return {letter(x), letter(y), letter(z)};
}

std::string name_of(const ParallelDiskMethod& method) {
  const char* place = method.communication == Communication::inside ? "inside" : "outside";
  if (method.algorithm == ParallelAlgorithm::rotation) return fmt::format("{} rotation", place);
  if (method.algorithm == ParallelAlgorithm::accumulation) return fmt::format("{} accumulation", place);
  return fmt::format("{} replication of {}", place, letter(method.replicated));
}

std::ostream& operator<<(std::ostream& out, const ParallelDiskMethod& method) {
  return out << name_of(method) << ", order " << name_of(method.order);
}

}  // namespace ricci::compile::parallel_disk
