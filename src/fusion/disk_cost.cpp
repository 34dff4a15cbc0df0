#include "fusion/disk_cost.hpp"

namespace ricci::fusion {

LabelSet fused_dimens(LabelSet dimens, LabelSet fusion) { return dimens & fusion; }
LabelSet unfused_dimens(LabelSet dimens, LabelSet fusion) { return dimens & ~fusion; }
LabelSet extra_loops(LabelSet dimens, LabelSet fusion) { return fusion & ~dimens; }

int write_factor(LabelSet dimens, LabelSet fusion, Between between) {
  return between == Between::produce_and_write && extra_loops(dimens, fusion) != 0 ? 2 : 1;
}

double mem_usage(const Forest& forest, LabelSet dimens, LabelSet fusion, const std::vector<std::int64_t>& tiles) {
  double product = 1;
  for (std::size_t l = 0; l < forest.labels.size(); ++l) {
    if (!contains(dimens, static_cast<int>(l))) continue;
    product *= static_cast<double>(contains(fusion, static_cast<int>(l)) ? tiles[l] : forest.labels[l].extent);
  }
  return product;
}

double disk_cost(const Forest& forest, LabelSet dimens, LabelSet fusion, Between between,
                 const std::vector<std::int64_t>& tiles) {
  double product = write_factor(dimens, fusion, between);
  for (std::size_t l = 0; l < forest.labels.size(); ++l) {
    const auto extent = static_cast<double>(forest.labels[l].extent);
    if (contains(dimens, static_cast<int>(l))) product *= extent;
    if (contains(extra_loops(dimens, fusion), static_cast<int>(l))) product *= extent / static_cast<double>(tiles[l]);
  }
  return product;
}

bool leq_mem_usage(LabelSet dimens, LabelSet fusion, LabelSet other) {
  return (fused_dimens(dimens, other) & ~fused_dimens(dimens, fusion)) == 0;
}

bool leq_disk_cost(LabelSet dimens, LabelSet fusion, LabelSet other) {
  return (extra_loops(dimens, fusion) & ~extra_loops(dimens, other)) == 0;
}

}  // namespace ricci::fusion
