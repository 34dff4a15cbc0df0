// Programs that are run with tensors of their host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/disk.hpp>
#include <ricci/emit.hpp>
#include <ricci/ricci.hpp>

namespace ricci {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* ladder = R"(
space n = 14
index a b i j e f : n
input V[a,b,e,f] given antisymmetric(a,b) antisymmetric(e,f)
input T[e,f,i,j] given antisymmetric(e,f) antisymmetric(i,j)
output Z[a,b,i,j] given antisymmetric(a,b) antisymmetric(i,j)
output Y[a,b,i,j] antisymmetric(a,b) antisymmetric(i,j)
Y[a,b,i,j] = 1/2 * V[a,b,e,f] * T[e,f,i,j]
Z[a,b,i,j] = 1/2 * V[a,b,e,f] * Y[e,f,i,j] + T[a,b,i,j]
)";

Tensor<double> pairs(const World& world) {
  return {world, {14, 14, 14, 14}, antisymmetric(0, 1) * antisymmetric(2, 3)};
}

struct Ladder {
  World world;
  Tensor<double> v = pairs(world), t = pairs(world), z = pairs(world), expected = pairs(world);

  Ladder() {
    v.fill_random(1);
    t.fill_random(2);
    Tensor<double> y = pairs(world);
    y["abij"] = 0.5 * v["abef"] * t["efij"];
    expected["abij"] = 0.5 * v["abef"] * y["efij"] + t["abij"];
  }
  ProgramRunOptions tensors() { return {.tensors = {{"V", &v}, {"T", &t}, {"Z", &z}}}; }
  double error() const {
    return map(z, expected, [](double a, double b) { return a - b; }).max_abs();
  }
};

TEST(GivenTensors, AreReadAndWrittenWhereTheyAre) {
  Ladder ladder_of;
  const PlannedProgram planned = plan(Program::parse(ladder), ladder_of.world, {});
  for (int run = 0; run < 2; ++run) {
    ladder_of.z.fill(run);
    planned.run(ladder_of.world, ladder_of.tensors());
    EXPECT_LT(ladder_of.error(), 1e-12) << "run " << run;
  }
  Tensor<double> again = pairs(ladder_of.world);
  again.fill_random(1);
  EXPECT_EQ(map(ladder_of.v, again, [](double a, double b) { return a - b; }).max_abs(), 0) << "inputs stay";
}

disk::DiskTensor<double> pairs_on_disk(const disk::Scratch& scratch, std::int64_t tile) {
  return {scratch, {14, 14, 14, 14}, antisymmetric(0, 1) * antisymmetric(2, 3), {4, disk::cuts(14, tile)}};
}

/// As a program does it, from memory to disk or back.
template <class From, class To>
void copy(const World& world, From& from, To& to) {
  const Program program = Program::parse(R"(
index a b i j : 14
input X[a,b,i,j] given antisymmetric(a,b) antisymmetric(i,j)
output Y[a,b,i,j] given antisymmetric(a,b) antisymmetric(i,j)
Y[a,b,i,j] = X[a,b,i,j]
)");
  const GivenTensors given{{"X", &from}, {"Y", &to}};
  const ProgramReport report = plan(program, world, {}, given).run(world, {.tensors = given});
  EXPECT_EQ(report.disk_read_bytes, report.predicted_read_bytes);
  EXPECT_EQ(report.disk_written_bytes, report.predicted_written_bytes);
}

TEST(GivenTensors, MayBeOnDisk) {
  Ladder ladder_of;
  const disk::Scratch scratch(ladder_of.world, testing::TempDir());
  for (const std::int64_t tile : {3, 5, 14}) {
    auto v = pairs_on_disk(scratch, tile), z = pairs_on_disk(scratch, 4);
    copy(ladder_of.world, ladder_of.v, v);
    EXPECT_NEAR(v.norm2(), ladder_of.v.norm2(), 1e-12);
    const GivenTensors given{{"V", &v}, {"T", &ladder_of.t}, {"Z", &z}};
    const PlannedProgram planned = plan(Program::parse(ladder), ladder_of.world, {.memory_limit = 40'000'000}, given);
    for (int run = 0; run < 2; ++run) {
      const ProgramReport report = planned.run(ladder_of.world, {.tensors = given, .scratch = testing::TempDir()});
      EXPECT_EQ(report.disk_read_bytes, report.predicted_read_bytes) << "tile " << tile << ", run " << run;
      EXPECT_EQ(report.disk_written_bytes, report.predicted_written_bytes);
      EXPECT_GT(report.disk_read_bytes, 0);
    }
    ladder_of.z.fill(0);
    copy(ladder_of.world, z, ladder_of.z);
    EXPECT_LT(ladder_of.error(), 1e-12) << "tile " << tile;
  }
}

template <class T>
void expect_turned_on_disk(const std::string& type, std::int64_t rows) {
  const World world;
  const disk::Scratch scratch(world, testing::TempDir());
  disk::DiskTensor<T> x(scratch, {rows, 5}, {}, {disk::cuts(rows, 2), disk::cuts(5, 3)});
  disk::DiskTensor<T> y(scratch, {5, rows}, {}, {disk::cuts(5, 2), disk::cuts(rows, 3)});
  Tensor<T> z(world, {5, rows});
  const auto declared = [&](const std::string& role, const std::string& name, const std::string& labels) {
    return role + " " + name + "[" + labels + "] given " + type + "\n";
  };
  const std::string indices = "index a : " + std::to_string(rows) + "\nindex b : 5\n";
  const auto run = [&](const std::string& text, const GivenTensors& given) {
    const ProgramReport report = plan(Program::parse(indices + text), world, {}, given).run(world, {.tensors = given});
    EXPECT_EQ(report.disk_read_bytes, report.predicted_read_bytes);
    EXPECT_EQ(report.disk_written_bytes, report.predicted_written_bytes);
  };
  run("input R[a,b] random(3) " + type + "\n" + declared("output", "X", "a,b") + "X[a,b] = R[a,b]\n", {{"X", &x}});
  run(declared("input", "X", "a,b") + declared("output", "Y", "b,a") + "Y[b,a] = 2 * X[a,b]\n", {{"X", &x}, {"Y", &y}});
  run(declared("input", "Y", "b,a") + declared("output", "Z", "b,a") + "Z[b,a] = Y[b,a]\n", {{"Y", &y}, {"Z", &z}});
  Tensor<T> expected(world, {rows, 5});
  expected.fill_random(3);
  z["ba"] -= 2.0 * expected["ab"];
  EXPECT_EQ(z.max_abs(), 0) << type << " of " << rows << " rows";
}

TEST(GivenTensors, MayBeOnDiskInAllTypesAndSizes) {
  for (const std::int64_t rows : {0, 1, 7}) {
    expect_turned_on_disk<double>("", rows);
    expect_turned_on_disk<float>("single", rows);
    expect_turned_on_disk<std::complex<double>>("complex", rows);
    expect_turned_on_disk<std::complex<float>>("complex single", rows);
  }
}

TEST(GivenTensors, StayOnDiskAsTheyWereWhenTheyWerePlanned) {
  Ladder ladder_of;
  const disk::Scratch scratch(ladder_of.world, testing::TempDir());
  auto v = pairs_on_disk(scratch, 5), other = pairs_on_disk(scratch, 7);
  GivenTensors given{{"V", &v}, {"T", &ladder_of.t}, {"Z", &ladder_of.z}};
  const PlannedProgram planned = plan(Program::parse(ladder), ladder_of.world, {}, given);
  planned.run(ladder_of.world, {.tensors = given});  // zero, as nothing was written
  EXPECT_EQ(map(ladder_of.z, ladder_of.t, [](double z, double t) { return z - t; }).max_abs(), 0);
  given["V"] = &other;
  EXPECT_THAT([&] { planned.run(ladder_of.world, {.tensors = given}); },
              ThrowsMessage<InputError>(HasSubstr("`V` is not cut as it was when the program was planned")));
  given["V"] = &ladder_of.v;
  EXPECT_THAT([&] { planned.run(ladder_of.world, {.tensors = given}); },
              ThrowsMessage<InputError>(HasSubstr("`V` is not in memory, or on disk, as it was")));
}

TEST(GivenTensors, TellWhatOperationsTook) {
  Ladder ladder_of;
  const ProgramReport report =
      plan(Program::parse(ladder), ladder_of.world, {}).run(ladder_of.world, ladder_of.tensors());
  ASSERT_EQ(report.operations.size(), 2U);
  for (const OperationReport& operation : report.operations) {
    EXPECT_EQ(operation.times, 1);
    EXPECT_GT(operation.seconds, 0);
    EXPECT_GT(operation.predicted_seconds, 0);
    EXPECT_LE(operation.seconds, report.seconds);
  }
  EXPECT_EQ(report.operations[0].text, "Y[a,b,i,j] = 0.5 * V[a,b,e,f] * T[e,f,i,j]");
}

TEST(GivenTensors, StayInMemoryWhereOthersGoToDisk) {
  Ladder ladder_of;
  Options options;
  std::string text = ladder;
  text.replace(text.find("output Y[a,b,i,j] "), 18, "output Y[a,b,i,j] disk ");
  const PlannedProgram planned = plan(Program::parse(text), ladder_of.world, options);
  planned.run(ladder_of.world, ladder_of.tensors());
  EXPECT_LT(ladder_of.error(), 1e-12);
}

TEST(GivenTensors, AreListed) {
  const auto given = Program::parse(ladder, "ladder", {.spaces = {{"n", 3}}}).given();
  ASSERT_EQ(given.size(), 3U);
  EXPECT_EQ(given[0].name, "V");
  EXPECT_FALSE(given[0].is_output);
  EXPECT_EQ(given[0].extents, (Extents{3, 3, 3, 3}));
  EXPECT_EQ(given[0].symmetry, antisymmetric(0, 1) * antisymmetric(2, 3));
  EXPECT_TRUE(given[2].is_output);
}

TEST(GivenTensors, AreCheckedBeforeAnythingRuns) {
  Ladder ladder_of;
  const PlannedProgram planned = plan(Program::parse(ladder, "ladder"), ladder_of.world, {});
  const auto message_with = [&](auto change) {
    ProgramRunOptions how = ladder_of.tensors();
    change(how.tensors);
    std::string text;
    try {
      planned.run(ladder_of.world, how);
    } catch (const InputError& error) {
      text = error.what();
    }
    return text;
  };
  Tensor<float> single(ladder_of.world, {14, 14, 14, 14}, antisymmetric(0, 1) * antisymmetric(2, 3));
  Tensor<double> plain(ladder_of.world, {14, 14, 14, 14}), empty;
  EXPECT_THAT(message_with([](auto& tensors) { tensors.erase("T"); }),
              HasSubstr("`T` is `given`, and nobody gives it"));
  EXPECT_THAT(message_with([&](auto& tensors) { tensors["T"] = &single; }), HasSubstr("`T` is declared as double"));
  EXPECT_THAT(message_with([&](auto& tensors) { tensors["T"] = &plain; }),
              HasSubstr("declared as 14,14,14,14 [0 1]- [2 3]-, but the tensor that is given for it is 14,14,14,14"));
  EXPECT_THAT(message_with([&](auto& tensors) { tensors["T"] = &empty; }), HasSubstr("is empty; make it first"));
  EXPECT_THAT(message_with([&](auto& tensors) { tensors["Y"] = &plain; }), HasSubstr("a tensor is given for `Y`"));
}

TEST(GivenTensors, AreNoneOfAProgramByItself) {
  const PlannedProgram planned = plan(Program::parse(ladder, "ladder"), 1, MachineModel{}, {});
  EXPECT_THAT([&] { emit_cpp(planned); }, ThrowsMessage<InputError>(HasSubstr("`V` is `given` by the program")));
}

}  // namespace
}  // namespace ricci
