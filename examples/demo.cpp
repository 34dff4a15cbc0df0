// make demo: one coupled-cluster contraction on packed antisymmetric tensors, planned, explained, run and checked.
#include <cmath>
#include <iomanip>
#include <iostream>

#include <ricci/ricci.hpp>

using namespace ricci;

int main(int argc, char** argv) {
  Runtime runtime(argc, argv);
  World world;
  std::ostream silence(nullptr);
  std::ostream& out = world.rank() == 0 ? std::cout : silence;  // under mpirun, one rank speaks for all

  const std::int64_t occupied = 12, virtuals = 48;
  const Symmetry pairs = antisymmetric(0, 1) * antisymmetric(2, 3);
  Tensor<double> V(world, {virtuals, virtuals, virtuals, virtuals}, pairs);
  Tensor<double> T(world, {virtuals, virtuals, occupied, occupied}, pairs);
  Tensor<double> Z(world, {virtuals, virtuals, occupied, occupied}, pairs);
  V.fill_random(1);
  T.fill_random(2);
  out << "V: " << V << "\nT: " << T << "\n\n";

  out << "Z[\"abij\"] += 0.5 * V[\"abef\"] * T[\"efij\"], as it will be done:\n\n";
  const Plan plan = ricci::plan(Z["abij"].add(0.5 * V["abef"] * T["efij"]));
  out << plan << '\n';

  const Report report = plan.run();
  out << report << '\n';
  const double rate = report.measured().flops / report.measured().seconds * 1e-9;
  out << std::setprecision(3) << rate << " Gflop/s on the packed flops, an eighth of the unpacked ones\n";

  // The same number by another way: the energy-like contraction of Z with T.
  const double energy = (0.25 * Z["abij"] * T["abij"]).value();
  const double check = (0.125 * V["abef"] * T["efij"] * T["abij"]).value();
  out << std::setprecision(15) << "0.25 Z.T        = " << energy << "\n0.125 V.T.T     = " << check << '\n';
  return std::abs(energy - check) < 1e-9 * std::abs(energy) ? 0 : 1;
}
