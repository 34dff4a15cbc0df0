// ricci cc: molecule in, energy out.
#include <memory>
#include <optional>

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
      if (!plan_.quiet) print_iteration(iteration, run_.cc_table.size() == 1);
    };
    run_.options.stage = [this](const std::string& stage) {
      bar_.emplace();  // takes the old one away; what is left is told from here on
      if (plan_.verbose) fmt::print(stderr, "ricci: {}\n", stage);
    };
    if (!plan_.quiet && !plan_.no_progress) run_.options.progress = [this](double done) { show(done); };
  }

  /// Nothing more comes.
  void end() { bar_.reset(); }

 private:
  void show(double done) {
    if (!bar_) bar_.emplace();
    bar_->show(done);
  }

  CcRun& run_;
  const PlanOptions& plan_;
  std::optional<ProgressBar> bar_;
};

void run_cc(ricci::World& world, CcArguments arguments) {
  check(arguments);
  world.set_options(arguments.plan.to_options());
  const cc::Molecule molecule = cc::load_xyz(arguments.molecule, arguments.charge, arguments.multiplicity);
  CcRun run{.file = arguments.molecule,
            .molecule = molecule,
            .basis = load_basis(arguments, molecule),
            .options = to_calculation(arguments, molecule),
            .ranks = world.size(),
            .threads = world.options().threads > 0 ? world.options().threads : omp_get_max_threads(),
            .memory = world.options().memory_limit};
  const bool speak = world.rank() == 0;
  run.options.scf.threads = run.threads;
  run.options.scf.memory_bytes = run.memory / 2;  // for integrals that iterations use again
  Listener listener(run, arguments.plan);
  if (speak) {
    listener.listen();
    if (!arguments.plan.quiet) print_head(run);
  }
  run.seconds = seconds_of([&] { run.result = cc::calculate(world, run.molecule, run.basis, run.options); });
  if (!speak) return;
  listener.end();
  if (!arguments.plan.quiet) print_result(run);
  if (!arguments.json.empty()) write_json(arguments.json, run);
}

}  // namespace

void add_cc(const CommandLine& line) {
  auto arguments = std::make_shared<CcArguments>();
  auto* const verb = line.app.add_subcommand("cc", "Hartree-Fock, MP2 and coupled cluster of a molecule.");
  add_cc_options(*verb, *arguments);
  verb->footer(
      "Examples:\n"
      "  ricci cc water.xyz --basis cc-pvdz --method 'ccsd(t)'\n"
      "  ricci cc o2.xyz --basis 6-31g* --multiplicity 3 --method mp2 --frozen-core\n"
      "  mpirun -n 4 ricci cc dimer.xyz --basis cc-pvdz --checkpoint amplitudes --json dimer.json");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { run_cc(world, *arguments); }; });
}

}  // namespace cli
