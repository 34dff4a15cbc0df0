// Redistribution: there and back is the identity, and what travels is what was predicted.
#include <set>

#include <gtest/gtest.h>

#include "layout/redistribution.hpp"
#include "tensor_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci;
using comm::Call;
using comm::Traffic;

bool has_copies(const Layout& layout) {
  std::set<int> used;
  for (const auto& dims : layout.mapping()) used.insert(dims.begin(), dims.end());
  for (std::size_t dim = 0; dim < layout.grid().extents().size(); ++dim) {
    if (layout.grid().extents()[dim] > 1 && !used.contains(static_cast<int>(dim))) return true;
  }
  return false;
}

template <class T>
std::set<std::int64_t> own_keys(const Tensor<T>& tensor, const Form& form) {
  std::set<std::int64_t> keys;
  tensor.for_each_local([&](Index index, const T&) { keys.insert(form.key(index)); });
  return keys;
}

/// Moves the tensor, and compares what is sent with the prediction and with a count of the elements that changed rank.
template <class T>
void move_and_count(Tensor<T>& tensor, const Form& form, const Layout& to) {
  const comm::Communicator& communicator = communicator_of(tensor.world());
  const Layout from = tensor.layout();
  const std::set<std::int64_t> before = own_keys(tensor, form);
  communicator.reset_traffic();
  tensor.redistribute(to);
  const Traffic sent = communicator.traffic();
  for (const Call call : {Call::broadcast, Call::reduce, Call::gather}) {
    EXPECT_EQ(communicator.traffic(call), Traffic{}) << name_of(call);
  }
  EXPECT_EQ(tensor.layout(), to);
  const auto shape = std::make_shared<const symmetry::Shape>(form.extents, form.symmetry);
  const layout::Distribution there(shape, from), here(shape, to);
  const layout::Redistribution moves(there, here, tensor.world().rank(), sizeof(T));
  const std::int64_t size = static_cast<std::int64_t>(sizeof(T));
  EXPECT_EQ(sent.bytes, from == to ? 0 : moves.total_sent() * size);
  if (has_copies(from) || has_copies(to)) return;  // then for_each_local does not show all that a rank holds
  std::int64_t arrived = 0;
  for (std::int64_t key : own_keys(tensor, form)) arrived += before.contains(key) ? 0 : size;
  std::vector<std::int64_t> totals{sent.bytes, arrived};
  communicator.all_reduce(std::span(totals), comm::Operation::sum);
  EXPECT_EQ(totals[0], totals[1]);
}

template <class T>
void there_and_back(Dice& dice, const World& world, const Form& form) {
  const Oracle<T> oracle(form, dice.bits());
  Tensor<T> tensor = tensor_like(world, oracle, dice);
  const Layout home = tensor.layout(), away = random_layout(dice, form.symmetry, form.order(), world.size());
  std::ostringstream what;
  what << form << "; " << home << " -> " << away;
  SCOPED_TRACE(what.str());
  move_and_count(tensor, form, away);
  expect_holds(tensor, oracle);
  move_and_count(tensor, form, home);
  expect_holds(tensor, oracle);
}

TEST(TensorRedistribute, ThereAndBackIsTheIdentity) {
  const World world;
  for_each_seed(world, 1000, 160,
                [&](Dice& dice, auto tag) { there_and_back<decltype(tag)>(dice, world, random_form(dice)); });
}

// Random forms rarely meet these: long groups, groups that interleave, and several groups with many tiles each.
TEST(TensorRedistribute, ManyTilesOfInterleavedGroups) {
  const World world;
  const std::vector<Form> forms = {
      {{7, 7, 7, 7}, antisymmetric(0, 2) * symmetric(1, 3)},
      {{6, 3, 6, 6}, symmetric(0, 2, 3)},
      {{7, 7, 7, 2}, antisymmetric(0, 1, 2)},
      {{7, 7, 7, 7}, hollow(0, 1, 2, 3)},
      {{3, 3, 2, 3, 2, 3}, antisymmetric(0, 3) * symmetric(2, 4) * hollow(1, 5)},
      {{3, 2, 3, 2, 3, 2}, symmetric(0, 2, 4) * antisymmetric(3, 5)},
      {{2, 1, 2, 3, 2, 1, 2, 2}, {}},
      {{5, 5, 5, 5}, hollow(0, 3) * antisymmetric(1, 2)},
      {{6, 6, 6, 6}, symmetric(0, 1, 2, 3)},
      {{13, 13}, antisymmetric(0, 1)},
      {{7, 7, 7, 7}, {}},
  };
  for (const Form& form : forms) {
    for_each_seed(world, 2000, 4, [&](Dice& dice, auto tag) { there_and_back<decltype(tag)>(dice, world, form); });
  }
}

// A mode on several dimensions, in either order, and dimensions of extent 1, which spread nothing.
TEST(TensorRedistribute, GridDimensionsInAnyOrder) {
  const World world;
  const int factor = world.size() % 2 == 0 ? 2 : 1;
  const Grid grid{factor, 1, world.size() / factor};
  const Form form{{7, 5, 7}, antisymmetric(0, 2)};
  const Oracle<double> oracle(form, 7);
  Dice dice(8);
  Tensor<double> tensor = tensor_like(world, oracle, dice);
  for (const std::string_view text :
       {"a:g0+g2 b:* c:*", "a:g2+g0 b:* c:*", "a:* b:g2+g1+g0 c:*", "a:g2 b:g1 c:g0", "a:*/4 b:g0+g2/5 c:*/4",
        "a:g1 b:* c:g2+g0", "a:g2+g0/7 b:g1/3 c:*/7", "a:g2 b:* c:*"}) {
    SCOPED_TRACE(std::string(text));
    move_and_count(tensor, form, Layout::parse(text, grid));
    expect_holds(tensor, oracle);
  }
}

// Replicating sends every element to whoever lacks it; going back sends nothing, as all have everything.
TEST(TensorRedistribute, NothingTravelsFromCopies) {
  const World world;
  const comm::Communicator& communicator = communicator_of(world);
  Dice dice(3);
  const Form form{{6, 5, 6}, symmetric(0, 2)};
  const Oracle<double> oracle(form, 4);
  Tensor<double> tensor = tensor_like(world, oracle, dice);
  tensor.redistribute(Layout::replicated(3, world.size()));
  expect_holds(tensor, oracle);
  for (int i = 0; i < 5; ++i) {
    communicator.reset_traffic();
    Tensor<double> part = tensor;
    part.redistribute(random_layout(dice, form.symmetry, form.order(), world.size()));
    EXPECT_EQ(communicator.traffic().bytes, 0);
    expect_holds(part, oracle);
  }
}

TEST(TensorRedistribute, RefusesLayoutsThatDoNotFit) {
  const World world;
  Dice dice(5);
  const Form form{{6, 6, 4}, antisymmetric(0, 1)};
  const Oracle<double> oracle(form, 6);
  Tensor<double> tensor = tensor_like(world, oracle, dice);
  const int ranks = world.size();
  const auto refuse = [&](const Layout& layout, const std::vector<std::string>& parts) {
    const Layout before = tensor.layout();
    expect_same_input_error(
        world, [&] { tensor.redistribute(layout); }, parts);
    EXPECT_EQ(tensor.layout(), before);
  };
  refuse(Layout::replicated(3, ranks + 1), {std::to_string(ranks + 1), std::to_string(ranks)});
  refuse(Layout::replicated(2, ranks), {"2", "3"});
  refuse(Layout(Grid{ranks}, {{0}, {}, {}}, {2, 3, 0}), {"2", "3", "group"});
  expect_holds(tensor, oracle);
}

}  // namespace
}  // namespace ricci_test
