#include "store/held.hpp"

#include <ricci/error.hpp>

namespace cc {

using ricci::Tensor;

Tensor<double>& Held::in_memory() {
  if (is_on_disk()) throw ricci::InternalError("a tensor that is on disk was asked for in memory");
  return std::get<Tensor<double>>(tensor_);
}
const Tensor<double>& Held::in_memory() const { return const_cast<Held*>(this)->in_memory(); }

const ricci::World& Held::world() const {
  return std::visit([](const auto& tensor) -> const ricci::World& { return tensor.world(); }, tensor_);
}
const ricci::Extents& Held::extents() const {
  return std::visit([](const auto& tensor) -> const ricci::Extents& { return tensor.extents(); }, tensor_);
}
const ricci::Symmetry& Held::symmetry() const {
  return std::visit([](const auto& tensor) -> const ricci::Symmetry& { return tensor.symmetry(); }, tensor_);
}

std::int64_t Held::bytes() const {
  return std::visit([](const auto& tensor) { return tensor.stored_size(); }, tensor_) *
         static_cast<std::int64_t>(sizeof(double));
}

std::vector<double> Held::gather(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) const {
  if (!is_on_disk()) {
    const Tensor<double>& tensor = in_memory();
    return hi == extents() && lo == std::vector<std::int64_t>(lo.size(), 0) ? tensor.gather()
                                                                            : tensor.slice(lo, hi).gather();
  }
  ricci::disk::Box box;
  for (std::size_t mode = 0; mode < lo.size(); ++mode) box.push_back({lo[mode], hi[mode], hi[mode] - lo[mode]});
  return ricci::disk::read(std::get<OnDisk>(tensor_), box).take<double>().gather();
}

std::vector<double> Held::gather() const { return gather(std::vector<std::int64_t>(extents().size(), 0), extents()); }

void Held::save(const std::string& where) const {
  std::visit([&](const auto& tensor) { tensor.save(where); }, tensor_);
}

ricci::GivenTensor Held::given() {
  return std::visit([](auto& tensor) -> ricci::GivenTensor { return &tensor; }, tensor_);
}

}  // namespace cc
