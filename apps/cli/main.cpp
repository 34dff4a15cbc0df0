// ricci: the library from the command line. Exit status: 0 done; 1 internal error; 2 bad input or usage; 3 does not
// fit (memory, disk).
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <ricci/ricci.hpp>

#include "verbs.hpp"

namespace {

enum ExitStatus { done = 0, internal_error = 1, bad_input = 2, does_not_fit = 3 };

/// Rank 0 speaks for all: an error is raised on all ranks or none. Without a world (a setting in the environment is
/// wrong) every rank says so.
void complain(const std::optional<ricci::World>& world, const std::string& message, const char* speaker = "ricci: ") {
  if (!world || world->rank() == 0) fmt::print(stderr, "{}{}\n", speaker, message);
}

int run(const std::function<void(ricci::World&)>& action) {
  std::optional<ricci::World> world;
  try {
    world.emplace();
    action(*world);
    return done;
  } catch (const ricci::ProgramError& error) {
    complain(world, error.what(), "");  // begins with file:line:column, which editors look for
    return bad_input;
  } catch (const ricci::InputError& error) {
    complain(world, error.what());
    return bad_input;
  } catch (const ricci::ResourceError& error) {
    complain(world, error.what());
    return does_not_fit;
  } catch (const std::bad_alloc&) {
    complain(world, "the system has no memory left for this");
    return does_not_fit;
  } catch (const std::exception& error) {
    complain(world, fmt::format("internal error, please report it: {}", error.what()));
    return internal_error;
  }
}

/// Ranks of one node share its processors, unless OMP_NUM_THREADS says otherwise: threads that wait for others of
/// their rank would keep those of other ranks from working.
void share_processors() {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return;
  int ranks = 1;  // on this node, as Open MPI and MPICH tell them
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
    if (const char* text = std::getenv(name)) ranks = std::max(ranks, std::atoi(text));
  }
  const int share = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)) / ranks);
  omp_set_num_threads(std::min(omp_get_max_threads(), share));
}

void add_verbs(const cli::CommandLine& line) {
  cli::add_run(line);
  cli::add_explain(line);
  cli::add_compile(line);
  cli::add_einsum(line);
  cli::add_cc(line);
  cli::add_machine(line);
  cli::add_bench(line);
  cli::add_fmt(line);
}

}  // namespace

int main(int argc, char** argv) {
  // A file that grows beyond what the system allows (ulimit -f) is an error like a full disk, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Tensor contractions, planned and run across memory, network and disk.", "ricci");
  app.set_version_flag("--version", "ricci " RICCI_VERSION);
  app.require_subcommand(0, 1);  // none is found out below: then the help says more than the parser would
  app.footer(
      "`ricci VERB --help` tells more. Under mpirun, every verb uses all ranks.\n"
      "Exit status: 0 done; 1 internal error; 2 bad input or usage; 3 does not fit (memory, disk).");
  cli::Action action;
  add_verbs({app, action, argv});
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& outcome) {  // also the call for help or for the version
    const ricci::Runtime runtime(argc, argv);
    const int status = run([&](ricci::World& world) {
      if (world.rank() == 0) app.exit(outcome);
    });
    return status != done || outcome.get_exit_code() == 0 ? status : bad_input;
  }
  const ricci::Runtime runtime(argc, argv);
  share_processors();
  if (action) return run(action);
  const int status = run([&](ricci::World& world) {
    if (world.rank() == 0) fmt::print(stderr, "{}", app.help());
  });
  return status != done ? status : bad_input;
}
