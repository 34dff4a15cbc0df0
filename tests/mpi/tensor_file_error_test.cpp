// Files that cannot be saved or loaded: every rank throws the same, also where one alone sees why, the tensor and the
// old file stay as they were, and nothing is left behind.
#include <hdf5.h>

#include "file_case.hpp"
#include "limit.hpp"

namespace ricci_test {
namespace {

using ricci::InputError;
using ricci::ResourceError;
using ricci::Tensor;

class TensorFileError : public SharedDirectory {
 protected:
  TensorFileError() : tensor_(world(), {300, 200}), before_(300 * 200, 1.5) { tensor_.fill(1.5); }

  template <class Error>
  void expect_same_error(const std::function<void()>& action, const std::vector<std::string>& parts) {
    const auto there = files();
    const std::string message = message_of<Error>(action);
    EXPECT_TRUE(communicator_of(world()).consistent(message)) << "this rank: " << message;
    expect_names(message, parts);
    EXPECT_EQ(files(), there);
    EXPECT_EQ(first_difference(tensor_.gather(), before_), "") << "the tensor has changed";
  }
  void load_fails(const std::string& where, const std::vector<std::string>& parts) {
    SCOPED_TRACE(where);
    expect_same_error<InputError>([&] { tensor_.load(where); }, parts);
  }
  Tensor<double> random_tensor(ricci::Extents extents) const {
    Tensor<double> tensor(world(), std::move(extents));
    tensor.fill_random(1);
    return tensor;
  }
  std::vector<std::string> both(const std::string& name) const {
    return {path(name + ".npy"), path(name + ".h5") + ":/T"};
  }

  Tensor<double> tensor_;
  std::vector<double> before_;
};

TEST_F(TensorFileError, MissingFilesAndDatasets) {
  load_fails(path("none.npy"), {"none.npy: cannot open it: No such file"});
  load_fails(path("none.h5") + ":/T", {"none.h5: cannot open it: No such file"});
  tensor_.save(path("a.h5") + ":/T");
  load_fails(path("a.h5") + ":/other", {"a.h5:/other: cannot find it"});
  load_fails("a.txt", {"neither an .npy file"});
}

TEST_F(TensorFileError, AnotherTypeOrShape) {
  for (const std::string& where : both("a")) {
    Tensor<float>(world(), {300, 200}).save(where);
    load_fails(where, {"holds float 300,200, but the tensor is double 300,200"});
    random_tensor({200, 300}).save(where);
    load_fails(where, {"holds double 200,300"});
  }
  Tensor<double>(world(), {300, 300}, ricci::symmetric(0, 1)).save(path("s.h5") + ":/T");
  Tensor<double> anti(world(), {300, 300}, ricci::antisymmetric(0, 1));
  expect_same_error<InputError>([&] { anti.load(path("s.h5") + ":/T"); }, {"another symmetry"});
}

TEST_F(TensorFileError, DamagedFiles) {
  for (const std::string& where : both("cut")) {
    random_tensor({300, 200}).save(where);
    const std::string file = where.substr(0, where.rfind(":/"));
    on_one_rank([&] { std::filesystem::resize_file(file, 400'000); });
    load_fails(where, {"truncated"});
    on_one_rank([&] { std::filesystem::resize_file(file, 0); });
    load_fails(where, {"is no "});
  }
}

/// Chunks that fail to unpack are seen only when they are read, by the rank that reads them.
TEST_F(TensorFileError, ADamagedChunk) {
  const auto put = [&](bool damage) {
    const std::string file = path("chunks.h5");
    const hsize_t extents[2] = {300, 200}, chunk[2] = {10, 200};
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, extents, nullptr);
    H5Pset_chunk(properties, 2, chunk);
    H5Pset_fletcher32(properties);
    const hid_t id = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t dataset = H5Dcreate2(id, "T", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    const std::vector<double> values(300 * 200, 2.5);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Fclose(id);
    H5Sclose(space);
    H5Pclose(properties);
    if (!damage) return;
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(-5'000, std::ios::end);
    stream << "damage";
  };
  on_one_rank([&] { put(true); });
  load_fails(path("chunks.h5") + ":/T", {"chunks.h5:/T: cannot read it: "});
  on_one_rank([&] { put(false); });
  tensor_.load(path("chunks.h5") + ":/T");
  EXPECT_EQ(tensor_.sum(), 2.5 * 300 * 200);
}

TEST_F(TensorFileError, PlacesThatCannotBeWritten) {
  on_one_rank([&] { std::ofstream(path("plain.h5")) << "no HDF5"; });
  expect_same_error<InputError>([&] { tensor_.save(path("no/a.npy")); }, {"no/a.npy: cannot create it: No such file"});
  expect_same_error<InputError>([&] { tensor_.save(path("no/a.h5") + ":/T"); }, {"no/a.h5: cannot create it: No such"});
  expect_same_error<InputError>([&] { tensor_.save(path("plain.h5") + ":/T"); }, {"plain.h5: is no HDF5 file"});
  on_one_rank([&] { std::filesystem::create_directory(path("dir.npy")); });
  expect_same_error<InputError>([&] { tensor_.save(path("dir.npy")); }, {"dir.npy: cannot write it: Is a directory"});
}

/// The first rank may not even make the room, or the last one not write its part of it.
TEST_F(TensorFileError, AFullDiskOnOneRank) {
  const Tensor<double> large = random_tensor({1000, 1000});
  for (const int rank : {0, world().size() - 1}) {
    for (const bool replaces : {false, true}) {
      for (const std::string& where : both("full" + std::to_string(rank) + std::to_string(replaces))) {
        SCOPED_TRACE(where);
        if (replaces) tensor_.save(where);
        {
          const Limit limit(world().rank() == rank, RLIMIT_FSIZE, rank == 0 ? 600'000 : 4'000'000);
          expect_same_error<ResourceError>([&] { large.save(where); }, {"cannot write it: File too large"});
        }
        if (replaces) tensor_.load(where);
        large.save(where);
      }
    }
  }
  EXPECT_EQ(files().size(), world().size() == 1 ? 4U : 8U);
}

/// A rank that can open no file is told apart from the others by nothing else.
TEST_F(TensorFileError, AFileThatOneRankCannotOpen) {
  for (const std::string& where : both("a")) tensor_.save(where);
  for (const int rank : {0, world().size() - 1}) {
    for (const std::string& where : both("a")) {
      SCOPED_TRACE(where);
      const auto there = files();
      std::string loading, saving;
      {
        const Limit limit(world().rank() == rank, RLIMIT_NOFILE, 3);
        loading = message_of<InputError>([&] { tensor_.load(where); });
        saving = message_of<InputError>([&] { tensor_.save(where); });
      }
      expect_names(loading, {"cannot open it: Too many open files"});
      expect_names(saving, {"Too many open files"});
      EXPECT_TRUE(communicator_of(world()).consistent(loading) && communicator_of(world()).consistent(saving));
      EXPECT_EQ(files(), there);
      tensor_.load(where);
    }
  }
}

TEST_F(TensorFileError, AnArrayThatContradictsTheSymmetry) {
  const Form form{{50, 50}, ricci::symmetric(0, 1)};
  const Oracle<double> oracle(form, 5);
  Tensor<double> target(world(), form.extents, form.symmetry), plain(world(), form.extents);
  target.fill(1.5);
  std::vector<double> values = oracle.dense();
  values[50 * 40 + 7] += 1;
  plain.assign_dense(values);
  for (const std::string& where : both("a")) {
    plain.save(where);
    expect_same_error<InputError>([&] { target.load(where); },
                                  {"contradict the tensor's symmetry (symmetric [0 1])", "(40,7)|(7,40)"});
    EXPECT_EQ(target.max_abs(), 1.5);
    EXPECT_EQ(target.sum(), 1.5 * 50 * 50);
  }
}

}  // namespace
}  // namespace ricci_test
