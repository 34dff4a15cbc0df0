// Files that all ranks write and read together: any layout, any number of ranks, and the same file whoever saved it.
#include <numeric>

#include "file_case.hpp"
#include "storage/location.hpp"

namespace ricci_test {
namespace {

using ricci::Extents;
using ricci::Symmetry;
using ricci::Tensor;
using ricci::World;

using TensorFile = SharedDirectory;

/// The elements of a file, in its order.
template <class T>
std::vector<T> elements_of(const std::string& where) {
  const auto reader = ricci::storage::open_for_reading(ricci::storage::parse_location(where));
  std::vector<T> values(static_cast<std::size_t>(reader->header().elements()));
  const ricci::storage::Slabs slabs(reader->extents(), std::max<std::int64_t>(1, std::ssize(values)));
  for (std::int64_t number = 0; number < slabs.count(); ++number) {
    reader->read(slabs[number], values.data() + slabs[number].first);
  }
  return values;
}

/// Loads on these ranks, into another layout, over elements that must all go.
template <class T>
void expect_loads(const World& world, const std::string& where, const Oracle<T>& oracle, Dice dice) {
  Tensor<T> loaded = tensor_like(world, Oracle<T>(oracle.form(), dice.bits()), dice);
  loaded.load(where);
  expect_holds(loaded, oracle);
}

template <class T>
void round_trip(const World& world, const std::string& where, const Form& form, Dice& dice) {
  SCOPED_TRACE(testing::Message() << where << ' ' << form);
  const Oracle<T> oracle(form, dice.bits());
  const Tensor<T> tensor = tensor_like(world, oracle, dice);
  tensor.save(where);
  expect_holds(tensor, oracle);
  expect_loads(world, where, oracle, dice);
  expect_loads(world.split(3 * world.rank() < world.size() ? 0 : 1), where, oracle, dice);
  const World alone = world.split(world.rank());
  expect_loads(alone, where, oracle, dice);

  // One rank writes the same.
  const auto colon = where.rfind(':');
  const std::string end = colon == std::string::npos ? ".npy" : ".h5:/T";
  const std::string other = where.substr(0, where.rfind('.')) + "_alone_" + std::to_string(world.rank()) + end;
  tensor_like(alone, oracle, dice).save(other);
  EXPECT_EQ(first_difference(elements_of<T>(where), elements_of<T>(other)), "");
  EXPECT_TRUE(colon != std::string::npos || bytes_of_file(where) == bytes_of_file(other));
  communicator_of(world).barrier();
}

TEST_F(TensorFile, RandomTensorsComeBackInAnyLayoutOnAnyRanks) {
  for_each_seed(world(), 100, 24, [&]<class T>(Dice& dice, T) {
    const Form form = random_form(dice, 9);
    round_trip<T>(world(), path("x.npy"), form, dice);
    round_trip<T>(world(), path("x.h5") + ":/group/T", form, dice);
  });
}

/// Large enough for every rank to have a part, and short last modes, whose runs are short.
TEST_F(TensorFile, EveryRankMovesAPart) {
  Dice dice(7);
  const std::vector<Form> forms = {{{40, 30, 9}, {}},
                                   {{5000, 2}, {}},
                                   {{2, 9001}, {}},
                                   {{90, 90}, ricci::symmetric(0, 1)},
                                   {{3, 80, 80}, ricci::antisymmetric(1, 2)},
                                   {{12, 12, 12, 12}, ricci::antisymmetric(0, 1) * ricci::symmetric(2, 3)},
                                   {{11, 11, 11, 3}, ricci::hollow(0, 1, 2)}};
  for (const Form& form : forms) {
    round_trip<double>(world(), path("x.h5") + ":/T", form, dice);
    round_trip<std::complex<float>>(world(), path("x.npy"), form, dice);
  }
  EXPECT_EQ(files().size(), 2 * (1 + static_cast<std::size_t>(world().size())));
}

/// More than one slab a rank, and more than one piece a slab.
TEST_F(TensorFile, LargeOnesGoInSlabs) {
  const Extents extents{1111, 2003};
  Tensor<double> saved(world(), extents), loaded(world(), extents);
  saved.redistribute(ricci::Layout(ricci::Grid{world().size()}, {{}, {0}}, {3, 4 * world().size()}));
  saved.fill_random(1);
  for (const std::string& where : {path("x.npy"), path("x.h5") + ":/T"}) {
    saved.save(where);
    loaded.fill(0);
    loaded.load(where);
    Tensor<double> expected = saved;
    expected.redistribute(loaded.layout());
    loaded["ij"] -= expected["ij"];
    EXPECT_EQ(loaded.max_abs(), 0) << where;
  }
}

TEST_F(TensorFile, FortranOrder) {
  const Form form{{60, 50, 7}, {}};
  const Oracle<double> oracle(form, 3);
  on_one_rank([&] {
    std::string head = "{'descr': '<f8', 'fortran_order': True, 'shape': (60, 50, 7), }";
    head.resize(117, ' ');
    std::ofstream out(path("f.npy"), std::ios::binary);
    out << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << head << '\n';
    for (std::int64_t at = 0; at < form.full_size(); ++at) {
      const double value = oracle.at({at % 60, at / 60 % 50, at / 3000});
      out.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
  });
  expect_loads(world(), path("f.npy"), oracle, Dice(1));
}

TEST_F(TensorFile, AnUnpackedFileFillsAPackedTensor) {
  for_each_seed(world(), 200, 8, [&]<class T>(Dice& dice, T) {
    const Form form{{8, 8, 3, 8, 3}, ricci::antisymmetric(0, 1, 3) * ricci::symmetric(2, 4)};
    const Oracle<T> oracle(form, dice.bits());
    Tensor<T> plain(world(), form.extents);
    plain.assign_dense(oracle.dense());
    plain.save(path("plain.npy"));
    plain.save(path("plain.h5") + ":/T");
    expect_loads(world(), path("plain.npy"), oracle, dice);
    expect_loads(world(), path("plain.h5") + ":/T", oracle, dice);
  });
}

TEST_F(TensorFile, ManyDatasetsInOneFileAndSavingAgain) {
  Dice dice(11);
  const Form small{{4, 4}, ricci::symmetric(0, 1)}, large{{70, 70}, ricci::antisymmetric(0, 1)};
  const std::vector<std::pair<std::string, Form>> steps = {{"/a", small}, {"/b", large}, {"/a", large}, {"/b", small}};
  for (const auto& [name, form] : steps) {
    const Oracle<double> oracle(form, dice.bits());
    tensor_like(world(), oracle, dice).save(path("all.h5") + ":" + name);
    expect_loads(world(), path("all.h5") + ":" + name, oracle, dice);
  }
  EXPECT_EQ(files(), std::vector<std::string>{"all.h5"});
}

/// Worlds side by side save at the same time.
TEST_F(TensorFile, PartsOfAWorldSaveByThemselves) {
  const int part = world().rank() % 2;
  const World half = world().split(part);
  Dice dice(static_cast<std::uint64_t>(part));
  const Form form{{50, 50 + part}, {}};
  for (const std::string& where :
       {path("p" + std::to_string(part) + ".npy"), path("p" + std::to_string(part) + ".h5") + ":/T"}) {
    const Oracle<double> oracle(form, dice.bits());
    tensor_like(half, oracle, dice).save(where);
    expect_loads(half, where, oracle, dice);
  }
}

}  // namespace
}  // namespace ricci_test
