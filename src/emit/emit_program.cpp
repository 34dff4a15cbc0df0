// The files of an emitted program. Binds <ricci/emit.hpp>.
#include <algorithm>

#include <fmt/format.h>

#include <ricci/emit.hpp>
#include <ricci/error.hpp>

#include "emit/emitter.hpp"

namespace ricci {

namespace {

/// Of the file, without folders and ending.
std::string stem(const std::string& name) {
  const std::size_t slash = name.find_last_of('/');
  const std::string file = slash == std::string::npos ? name : name.substr(slash + 1);
  return file.substr(0, file.find_last_of('.'));
}

constexpr const char* print_function = R"(
/// On rank 0.
void print(const World& world, const char* text, std::complex<double> value) {
  if (world.rank() != 0) return;
  if (value.imag() == 0)
    std::printf("%s = %.15g\n", text, value.real());
  else
    std::printf("%s = (%.15g, %.15g)\n", text, value.real(), value.imag());
  std::fflush(stdout);
}
)";

constexpr const char* print_output_function = R"(
void print_output(const World& world, const char* text, double norm) {
  if (world.rank() == 0) std::printf("%s, norm %.15g\n", text, norm);
}
)";

constexpr const char* main_function = R"(
int main(int argc, char** argv) {
  Runtime runtime(argc, argv);
  World world;
  std::string directory;  // of scratch files; empty: $TMPDIR, else here
  bool verbose = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "-v") {
      verbose = true;
    } else if (argument == "--scratch" && i + 1 < argc) {
      directory = argv[++i];
    } else {
      if (world.rank() == 0) std::fprintf(stderr, "usage: %s [-v] [--scratch DIR]\n", argv[0]);
      return 2;
    }
  }
)";

std::string main_text(const program::ProgramPlan& plan) {
  emit::Emitter emitter(plan);
  const std::string statements = emitter.statements();
  emit::CodeWriter top;
  const std::string limit = plan.options.memory_limit > 0
                                ? fmt::format(" with {} bytes of memory each", plan.options.memory_limit)
                                : std::string();
  const std::string ranks = plan.ranks == 1 ? "one rank" : fmt::format("{} ranks", plan.ranks);
  top.comment(fmt::format("{} as C++, for {}{}. `ricci compile` has written this; README.md tells how to build it.",
                          stem(plan.program.name) + ".ric", ranks, limit));
  for (const char* header : {"cmath", "complex", "cstdint", "cstdio", "string"})
    top.line(fmt::format("#include <{}>", header));
  top.blank();
  top.line("#include <ricci/ricci.hpp>");
  top.blank();
  top.line("using namespace ricci;");
  top.line("using namespace ricci::disk;");
  top.blank();
  std::string text = top.text() + "namespace {\n";
  if (emitter.prints()) text += print_function;
  if (emitter.has_outputs()) text += print_output_function;
  text += "\nvoid run([[maybe_unused]] const World& world, [[maybe_unused]] const Scratch& scratch) {\n";
  text += statements;
  text += "}\n\n}  // namespace\n";
  text += main_function;
  text += fmt::format(
      "  if (world.size() != {0}) {{\n"
      "    if (world.rank() == 0) std::fprintf(stderr, \"%s: this is for {1}\\n\", argv[0]);\n"
      "    return 2;\n"
      "  }}\n",
      plan.ranks, ranks);
  text += "  Options options = Options::from_environment();\n";
  if (plan.options.memory_limit > 0) text += fmt::format("  options.memory_limit = {};\n", plan.options.memory_limit);
  if (plan.options.threads > 0) text += fmt::format("  options.threads = {};\n", plan.options.threads);
  text +=
      "  world.set_options(options);\n"
      "  try {\n"
      "    const Scratch scratch(world, directory);\n"
      "    run(world, scratch);\n"
      "    if (verbose && world.rank() == 0)\n"
      "      std::fprintf(stderr, \"disk: %lld bytes read, %lld written\\n\", static_cast<long "
      "long>(scratch.bytes_read()),\n"
      "                   static_cast<long long>(scratch.bytes_written()));\n"
      "  } catch (const InternalError&) {\n"
      "    throw;\n"
      "  } catch (const Error& error) {  // on all ranks or none\n"
      "    if (world.rank() == 0) std::fprintf(stderr, \"%s: %s\\n\", argv[0], error.what());\n"
      "    return dynamic_cast<const ResourceError*>(&error) != nullptr ? 3 : 2;\n"
      "  }\n"
      "  return 0;\n"
      "}\n";
  return text;
}

std::string cmake_text(const std::string& name) {
  return fmt::format(
      "cmake_minimum_required(VERSION 3.24)\n"
      "project({0} LANGUAGES CXX)\n\n"
      "if(NOT CMAKE_BUILD_TYPE)\n"
      "  set(CMAKE_BUILD_TYPE Release)\n"
      "endif()\n\n"
      "find_package(ricci CONFIG REQUIRED)\n"
      "add_executable({0} main.cpp)\n"
      "target_link_libraries({0} PRIVATE ricci::ricci)\n",
      name);
}

std::string readme_text(const program::ProgramPlan& plan, const std::string& name) {
  const std::string launcher = plan.ranks == 1 ? "" : fmt::format("mpirun -n {} ", plan.ranks);
  return fmt::format(
      "# {0}\n\n"
      "The program {0}.ric as C++. It prints what `ricci run {0}.ric` prints, and reads from and writes to disk the "
      "same\n"
      "bytes; it is for {2} and the sizes that it was compiled for.\n\n"
      "    cmake -S . -B build    # -DCMAKE_PREFIX_PATH=... where ricci is installed elsewhere\n"
      "    cmake --build build\n"
      "    {1}build/{0}\n\n"
      "`-v` tells what rank 0 has read and written, `--scratch DIR` where scratch files go (else $TMPDIR, else here).\n"
      "Blocks are read when they are wanted, not before: `ricci run` reads them while it computes.\n",
      name, launcher, plan.ranks == 1 ? "one rank" : fmt::format("{} ranks", plan.ranks));
}

}  // namespace

std::vector<EmittedFile> emit_cpp(const PlannedProgram& planned) {
  const program::ProgramPlan& plan = planned.state();
  for (const notation::ProgramTensor& tensor : plan.program.tensors) {
    if (tensor.origin != notation::Origin::given) continue;
    throw InputError(fmt::format(
        "{}: `{}` is `given` by the program that runs this one, and a program by itself has none; give it a file",
        plan.program.name, tensor.name));
  }
  const std::string name = emit::identifier(stem(plan.program.name));
  return {{"main.cpp", main_text(plan)}, {"CMakeLists.txt", cmake_text(name)}, {"README.md", readme_text(plan, name)}};
}

}  // namespace ricci
