#include <ricci/ricci.hpp>
using namespace ricci;

int main(int argc, char** argv) {
  Runtime runtime(argc, argv);             // RAII. Starts MPI if nobody has, ends it only if it started it. Works without mpirun: one rank.
  World world;                             // every rank.  world.rank(), world.size(), world.split(color) -> World

  const std::int64_t no = 10, nv = 40;
  auto anti = antisymmetric(0, 1) * antisymmetric(2, 3);          // also symmetric(0,1,2), hollow(0,1) (symmetric, zero diagonal)
  Tensor<double> V(world, {nv, nv, nv, nv}, anti);                 // zero. Also Tensor<float>, std::complex<float>, std::complex<double>
  Tensor<double> T(world, {nv, nv, no, no}, anti), Z(world, {nv, nv, no, no}, anti);
  T.fill_random(7);                        // uniform in [-1,1); the same tensor whatever the number of ranks or the layout

  Z["abij"] += 0.5 * V["abef"] * T["efij"];                        // =, +=, -=; any number of factors and terms; unary minus; parentheses
  Z["abij"] -= V["abef"] * (T["efij"] + 2.0 * Z["efij"]);
  double e = (0.25 * V["abef"] * V["abef"]).value();               // a scalar, the same on every rank

  Statement s = Z["abij"].add(0.5 * V["abef"] * T["efij"]);        // assign, add, subtract: what =, += and -= run at once
  Plan plan = ricci::plan(s, Options{.memory_limit = 1 << 30});    // decides, runs nothing; also plan({s1, s2, ...}): one plan for a sequence
  std::cout << plan;                       // explain
  Report report = plan.run();              // runs it once; report holds predicted and measured, and prints
}
