#include "kernels/group_table.hpp"

#include <algorithm>
#include <numeric>

namespace ricci::kernels {

namespace {

constexpr std::int64_t max_elements = 1 << 18;  // 4 MiB; a triple of extent 64

/// Blocks are numbered by loops; which positions have equal numbers is all that counts.
bool blocks_alike(const std::vector<int>& x, const std::vector<int>& y) {
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if ((x[i] == x[j]) != (y[i] == y[j])) return false;
    }
  }
  return true;
}

bool alike(const GroupAccess& x, const GroupAccess& y) {
  return x.kind == y.kind && x.stride == y.stride && x.extent == y.extent && x.labels.size() == y.labels.size() &&
         blocks_alike(x.blocks, y.blocks);
}

std::int64_t element_count(const GroupAccess& group) {
  std::int64_t count = 1;
  for (std::size_t k = 0; k < group.labels.size() && count <= max_elements; ++k) count *= group.extent;
  return count;
}

GroupTable make_table(GroupAccess group, std::int64_t count) {
  // By position instead of by label.
  std::iota(group.labels.begin(), group.labels.end(), 0);
  GroupTable table;
  table.offset.reserve(count);
  table.factor.reserve(count);
  std::vector<std::int64_t> values(group.labels.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const GroupOffset element = locate_group(group, values.data());
    table.offset.push_back(element.offset);
    table.factor.push_back(element.factor);
    for (std::size_t k = 0; k < values.size() && ++values[k] == group.extent; ++k) values[k] = 0;
  }
  return table;
}

}  // namespace

const GroupTable* GroupTables::find_or_make(const GroupAccess& group) {
  const auto known =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return alike(entry.group, group); });
  if (known != entries_.end()) return known->table.get();
  const std::int64_t count = element_count(group);
  if (count > max_elements) return nullptr;
  entries_.push_back({group, std::make_unique<GroupTable>(make_table(group, count))});
  return entries_.back().table.get();
}

std::int64_t GroupTables::bytes() const {
  std::int64_t sum = 0;
  for (const Entry& entry : entries_) {
    sum += static_cast<std::int64_t>(entry.table->offset.size() * (sizeof(std::int64_t) + sizeof(double)));
  }
  return sum;
}

}  // namespace ricci::kernels
