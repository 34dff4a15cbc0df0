// ricci compile: a program of the language as C++.
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <ricci/ricci.hpp>

#include "program_arguments.hpp"
#include "verbs.hpp"

namespace cli {
namespace {

struct CompileArguments : ProgramArguments {
  std::string folder;
};

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw ricci::InputError(fmt::format("{} cannot be written; give a folder that can be", path.string()));
}

/// Rank 0 writes, and is the only one to know whether that succeeds: it alone complains, and the others have nothing to
/// do any more.
void compile(ricci::World& world, const CompileArguments& arguments) {
  ricci::Options options = arguments.plan.to_options();
  options.disk_method = "blocks";  // the parallel disk algorithms are not written out
  world.set_options(options);
  const auto plan = plan_for_target(world, arguments);
  const auto files = ricci::emit_cpp(plan);
  if (world.rank() != 0) return;
  std::error_code error;
  std::filesystem::create_directories(arguments.folder, error);
  if (error) {
    throw ricci::InputError(
        fmt::format("the folder {} cannot be made ({}); give another one", arguments.folder, error.message()));
  }
  for (const ricci::EmittedFile& file : files)
    write_file(std::filesystem::path(arguments.folder) / file.name, file.text);
  if (arguments.plan.verbose) fmt::print(stderr, "{}", plan.explain());
}

}  // namespace

void add_compile(const CommandLine& line) {
  auto arguments = std::make_shared<CompileArguments>();
  auto* const verb = line.app.add_subcommand("compile", "Writes a program (.ric) as C++ that does the same.");
  add_program_options(*verb, *arguments);
  add_target_options(*verb, *arguments);
  verb->add_option("-o,--output", arguments->folder, "the folder for main.cpp, CMakeLists.txt and README.md")
      ->required()
      ->type_name("DIR");
  verb->footer(
      "What it writes is built against the installed ricci, and is for the sizes, the memory and the number of ranks "
      "that\n"
      "are given here. It prints what `ricci run` prints; with -v, what it has read from disk and written, too.\n"
      "Examples:\n"
      "  ricci compile ao_to_mo.ric --set n=60 --memory 100MB -o transform\n"
      "  ricci compile ccd.ric --ranks 4 -o ccd\n"
      "  cmake -S ccd -B ccd/build && cmake --build ccd/build && mpirun -n 4 ccd/build/ccd");
  verb->callback([line, arguments] { line.action = [arguments](ricci::World& world) { compile(world, *arguments); }; });
}

}  // namespace cli
