#include "compile/parallel_disk_contraction.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "util/checked.hpp"

namespace ricci::compile::parallel_disk {

namespace {

bool has(const notation::BoundTensor& tensor, int label) {
  return std::find(tensor.labels.begin(), tensor.labels.end(), label) != tensor.labels.end();
}

void check_tensor(const notation::BoundStatement& statement, const notation::BoundTensor& tensor) {
  const std::string labels = notation::labels_text(statement, tensor.labels);
  for (const symmetry::StorageDim& dim : tensor.shape->dims()) {
    if (!dim.grouped()) continue;
    throw InputError(
        fmt::format("parallel disk plan: the tensor under \"{}\" has packed groups; unpack it before", labels));
  }
  for (std::size_t n = 0; n < tensor.labels.size(); ++n) {
    if (std::count(tensor.labels.begin(), tensor.labels.end(), tensor.labels[n]) == 1) continue;
    throw InputError(fmt::format("parallel disk plan: label {} stands twice in \"{}\"; take the diagonal before",
                                 statement.label_names[tensor.labels[n]], labels));
  }
}

std::int64_t product(const notation::BoundStatement& statement, const std::vector<int>& labels) {
  std::int64_t size = 1;
  for (const int label : labels) {
    const auto larger = checked_multiply(size, statement.extents[label]);
    if (!larger) throw InputError("parallel disk plan: the extents of one set of labels do not fit into 64 bits");
    size = *larger;
  }
  return size;
}

}  // namespace

IndexSets index_sets(const notation::BoundStatement& statement) {
  if (statement.terms.size() != 1 || statement.terms[0].size() != 2) {
    throw InputError("parallel disk plan: the statement is not one product of two tensors");
  }
  const notation::BoundTensor &a = statement.terms[0][0], &b = statement.terms[0][1], &c = statement.output;
  for (const notation::BoundTensor* tensor : {&a, &b, &c}) check_tensor(statement, *tensor);
  IndexSets sets;
  const auto place = [&](int label) {
    const bool in_a = has(a, label), in_b = has(b, label), in_c = has(c, label);
    if (in_a + in_b + in_c != 2) {
      throw InputError(fmt::format("parallel disk plan: label {} stands in {} of the three tensors, not in two",
                                   statement.label_names[label], in_a + in_b + in_c));
    }
    (in_c ? in_a ? sets.i : sets.j : sets.k).push_back(label);
  };
  for (const int label : c.labels) place(label);
  for (const int label : a.labels) {
    if (!has(c, label)) place(label);
  }
  for (const int label : b.labels) {
    if (!has(c, label) && !has(a, label)) place(label);
  }
  return sets;
}

ParallelDiskCase parallel_disk_case(const notation::BoundStatement& statement, const MachineModel& machine,
                                    const DiskRanks& ranks) {
  const IndexSets sets = index_sets(statement);
  ParallelDiskCase c;
  c.i = product(statement, sets.i);
  c.j = product(statement, sets.j);
  c.k = product(statement, sets.k);
  c.ranks = ranks.ranks;
  c.element_bytes = static_cast<int>(element_size(statement.type));
  c.tile_elements = ranks.memory_bytes / (3 * c.element_bytes);
  if (c.tile_elements < 1) {
    throw ResourceError(
        fmt::format("parallel disk plan: {} B of memory a rank hold no element of each of three arrays; "
                    "give it at least {} B",
                    ranks.memory_bytes, 3 * c.element_bytes));
  }
  c.disk_bandwidth = ranks.disk_bandwidth;
  c.network_bandwidth = machine.network_bandwidth;
  c.accumulate = !statement.overwrite;
  check(c);
  return c;
}

}  // namespace ricci::compile::parallel_disk
