// Round trips through .npy and HDF5 files, for every element type and symmetry.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include <ricci/ricci.hpp>

namespace ricci {
namespace {

namespace fs = std::filesystem;

template <class T>
class TensorFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  // Saves and loads tensors of many shapes, each to the place that `where` names.
  template <class Where>
  void round_trips(Where where) {
    const World world;
    const std::vector<std::pair<Extents, Symmetry>> shapes = {{{}, {}},
                                                              {{7}, {}},
                                                              {{3, 0, 2}, {}},
                                                              {{4, 4}, symmetric(0, 1)},
                                                              {{4, 4}, hollow(0, 1)},
                                                              {{4, 3, 4, 3}, antisymmetric(0, 2) * symmetric(1, 3)},
                                                              {{3, 3, 3, 2}, antisymmetric(0, 1, 2)}};
    int number = 0;
    for (const auto& [extents, symmetry] : shapes) {
      Tensor<T> saved(world, extents, symmetry), loaded(world, extents, symmetry);
      saved.fill_random(static_cast<std::uint64_t>(++number));
      saved.save(where(number));
      loaded.load(where(number));
      EXPECT_EQ(loaded.gather(), saved.gather()) << where(number) << ' ' << extents << ' ' << symmetry;
    }
  }

 private:
  fs::path directory_ = fs::temp_directory_path() / ("ricci_tensor_file_test_" + std::to_string(::getpid()));
};

using ElementTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TensorFile, ElementTypes);

TYPED_TEST(TensorFile, Npy) {
  this->round_trips([this](int number) { return this->path("t" + std::to_string(number) + ".npy"); });
}

TYPED_TEST(TensorFile, Hdf5OneFileEach) {
  this->round_trips([this](int number) { return this->path("t" + std::to_string(number) + ".h5") + ":/T"; });
}

TYPED_TEST(TensorFile, Hdf5ManyInOneFile) {
  this->round_trips([this](int number) { return this->path("all.h5") + ":/tensor" + std::to_string(number); });
}

TYPED_TEST(TensorFile, SavingAgainReplaces) {
  const World world;
  Tensor<TypeParam> first(world, {3, 3}), second(world, {2}), loaded(world, {2});
  for (const std::string& where : {this->path("again.npy"), this->path("again.h5") + ":/x"}) {
    first.save(where);
    second.fill(TypeParam(2));
    second.save(where);
    loaded.fill(TypeParam(0));
    loaded.load(where);
    EXPECT_EQ(loaded.gather(), second.gather()) << where;
  }
}

TYPED_TEST(TensorFile, NpyHoldsTheUnpackedTensor) {
  const World world;
  Tensor<TypeParam> packed(world, {3, 3}, antisymmetric(0, 1)), plain(world, {3, 3});
  packed.fill_random(1);
  packed.save(this->path("unpacked.npy"));
  plain.load(this->path("unpacked.npy"));
  EXPECT_EQ(plain.gather(), packed.gather());
  std::ifstream file(this->path("unpacked.npy"), std::ios::binary);
  std::string magic(6, ' ');
  file.read(magic.data(), 6);
  EXPECT_EQ(magic, "\x93NUMPY");
}

TYPED_TEST(TensorFile, ShapesMustAgree) {
  const World world;
  Tensor<TypeParam> saved(world, {3, 3}, symmetric(0, 1)), wide(world, {3, 4}),
      anti(world, {3, 3}, antisymmetric(0, 1));
  saved.fill(TypeParam(1));
  saved.save(this->path("shape.npy"));
  saved.save(this->path("shape.h5") + ":/x");
  EXPECT_THROW(wide.load(this->path("shape.npy")), InputError);
  EXPECT_THROW(wide.load(this->path("shape.h5") + ":/x"), InputError);
  EXPECT_THROW(anti.load(this->path("shape.h5") + ":/x"), InputError);
  EXPECT_THROW(anti.load(this->path("shape.npy")), InputError) << "a symmetric array contradicts antisymmetry";
  EXPECT_THROW(saved.load(this->path("shape.h5") + ":/other"), InputError);
  EXPECT_THROW(saved.load(this->path("missing.npy")), InputError);
  EXPECT_EQ(anti.max_abs(), 0) << "unchanged after an error";
}

}  // namespace
}  // namespace ricci
