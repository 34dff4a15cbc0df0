#pragma once
// A tensor of a calculation, in memory or on disk.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ricci/disk.hpp>
#include <ricci/program.hpp>
#include <ricci/tensor.hpp>

namespace cc {

class Held {
 public:
  explicit Held(ricci::Tensor<double> tensor) : tensor_(std::move(tensor)) {}
  explicit Held(ricci::disk::DiskTensor<double> tensor) : tensor_(std::move(tensor)) {}

  bool is_on_disk() const { return std::holds_alternative<OnDisk>(tensor_); }
  /// InternalError where it is on disk.
  ricci::Tensor<double>& in_memory();
  const ricci::Tensor<double>& in_memory() const;

  const ricci::World& world() const;
  const ricci::Extents& extents() const;
  const ricci::Symmetry& symmetry() const;
  /// Of all elements that are stored, on all ranks together.
  std::int64_t bytes() const;

  /// The box lo <= index < hi, unpacked and row-major, on every rank. Collective, as are all calls below.
  std::vector<double> gather(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) const;
  std::vector<double> gather() const;
  void save(const std::string& where) const;

  /// For a program that declares it.
  ricci::GivenTensor given();

 private:
  using OnDisk = ricci::disk::DiskTensor<double>;
  std::variant<ricci::Tensor<double>, OnDisk> tensor_;
};

/// By the names under which a program declares them as `given`.
using Tensors = std::map<std::string, Held>;

}  // namespace cc
