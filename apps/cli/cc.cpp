// ricci cc: molecule or Hamiltonian in, energy out.
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <omp.h>

#include <ricci/ricci.hpp>

#include "cc_arguments.hpp"
#include "cc_output.hpp"
#include "progress_bar.hpp"
#include "timing.hpp"
#include "verbs.hpp"

namespace cli {
namespace {

/// Keeps the tables and prints them as they come, on rank 0.
class Listener {
 public:
  Listener(CcRun& run, const PlanOptions& plan) : run_(run), plan_(plan) {}

  void listen() {
    run_.options.scf_report = [this](const cc::ScfIteration& iteration) {
      run_.scf_table.push_back(iteration);
      if (!plan_.quiet) print_iteration(run_, iteration);
    };
    run_.options.cc_report = [this](const cc::CcIteration& iteration) {
      run_.cc_table.push_back(iteration);
      bar_.reset();
      if (!plan_.quiet) print_iteration(iteration, run_.cc_table.size() == 1);
    };
    run_.options.stage = [this](const std::string& stage) {
      bar_.emplace();  // takes the old one away; what is left is told from here on
      if (plan_.verbose) fmt::print(stderr, "ricci: {}\n", stage);
    };
    run_.options.timings = [this](const std::string& program, const std::vector<ricci::OperationReport>& operations) {
      run_.timings.push_back({program, operations});
    };
    if (!plan_.quiet && !plan_.no_progress) run_.options.progress = [this](double done) { show(done); };
  }

 private:
  void show(double done) {
    if (!bar_) bar_.emplace();
    bar_->show(done);
  }

  CcRun& run_;
  const PlanOptions& plan_;
  std::optional<ProgressBar> bar_;
};

void run_molecule(ricci::World& world, const CcArguments& arguments, CcRun& run) {
  run.file = arguments.molecule;
  run.molecule = cc::load_xyz(arguments.molecule, arguments.charge, arguments.multiplicity);
  run.basis = load_basis(arguments, run.molecule);
  run.options = to_calculation(arguments, run.molecule);
  run.options.scf.threads = run.threads;
  Listener listener(run, arguments.plan);
  if (world.rank() == 0) listener.listen();
  if (world.rank() == 0 && !arguments.plan.quiet) print_head(run);
  run.seconds = seconds_of([&] { run.result = cc::calculate(world, run.molecule, run.basis, run.options); });
}

void run_dump(ricci::World& world, const CcArguments& arguments, CcRun& run) {
  run.file = arguments.fcidump;
  run.options = to_calculation(arguments);
  cc::Fcidump dump;
  const double reading = seconds_of([&] { dump = cc::read_fcidump(arguments.fcidump, world); });
  run.dump = {dump.orbitals, dump.electrons, dump.spin, dump.core_energy};
  Listener listener(run, arguments.plan);
  if (world.rank() == 0) listener.listen();
  if (world.rank() == 0 && !arguments.plan.quiet) print_head(run);
  run.seconds = reading + seconds_of([&] { run.result = cc::calculate(std::move(dump), run.options); });
  run.result.seconds.insert(run.result.seconds.begin(), {"reading", reading});
}

void run_cc(ricci::World& world, CcArguments arguments) {
  check(arguments);
  world.set_options(arguments.plan.to_options());
  CcRun run;
  run.ranks = world.size();
  run.threads = world.options().threads > 0 ? world.options().threads : omp_get_max_threads();
  run.memory = world.options().memory_limit;
  if (arguments.fcidump.empty()) {
    run_molecule(world, arguments, run);
  } else {
    run_dump(world, arguments, run);
  }
  if (world.rank() > 0) return;
  if (!arguments.plan.quiet) print_result(run);
  if (arguments.timings && !arguments.plan.quiet) print_timings(run);
  if (!arguments.json.empty()) write_json(arguments.json, run);
}

}  // namespace

void add_cc(const CommandLine& line) {
  auto arguments = std::make_shared<CcArguments>();
  auto* const verb =
      line.app.add_subcommand("cc", "Hartree-Fock, MP2 and coupled cluster of a molecule, or of a Hamiltonian.");
  add_cc_options(*verb, *arguments);
  verb->footer(
      "Examples:\n"
      "  ricci cc water.xyz --basis cc-pvdz --method 'ccsd(t)'\n"
      "  ricci cc o2.xyz --basis 6-31g* --multiplicity 3 --method mp2 --frozen-core\n"
      "  mpirun -n 4 ricci cc dimer.xyz --basis cc-pvdz --checkpoint amplitudes --json dimer.json\n"
      "  ricci cc water.xyz --basis cc-pvdz --method scf --write-fcidump water.fcidump\n"
      "  ricci cc --fcidump water.fcidump --method ccsd --frozen-core 1\n"
      "  ricci cc dimer.xyz --basis cc-pvtz --memory 2GB --scratch /scratch --timings\n"
      "  ricci cc water.xyz --basis cc-pvdz --equations lccd.ric");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { run_cc(world, *arguments); }; });
}

}  // namespace cli
