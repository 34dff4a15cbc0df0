// ricci fmt: programs laid out tidily.
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/ricci.hpp>

#include "verbs.hpp"

namespace cli {
namespace {

struct FmtArguments {
  std::vector<std::string> files;
  bool check = false;
  bool write = false;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  const bool is_empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
  if (file && !is_empty) text << file.rdbuf();
  if (!is_empty && (!file || !text)) {
    throw ricci::InputError(fmt::format("{}: cannot be read; give the name of a program, such as matmul.ric", path));
  }
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text << std::flush;
  if (!file) throw ricci::InputError(fmt::format("{}: cannot be written", path));
}

/// Whether the file was tidy already.
bool format_file(const std::string& path, const FmtArguments& arguments) {
  const std::string before = text_of(path);
  const std::string after = ricci::format_program(before, path);
  if (arguments.write && after != before) write_text(path, after);
  if (!arguments.write && !arguments.check) std::cout << after;
  return after == before;
}

/// Every file is looked at before anything is said about one of them.
void format_files(const FmtArguments& arguments) {
  std::vector<std::string> errors, untidy;
  for (const std::string& path : arguments.files) {
    try {
      if (!format_file(path, arguments)) untidy.push_back(path);
    } catch (const ricci::ProgramError& error) {
      errors.emplace_back(error.what());
    }
  }
  if (!errors.empty()) throw ricci::ProgramError(fmt::format("{}", fmt::join(errors, "\n")));
  if (arguments.check && !untidy.empty()) {
    throw ricci::InputError(
        fmt::format("not laid out as `ricci fmt` would: {}; run ricci fmt -w", fmt::join(untidy, ", ")));
  }
}

}  // namespace

void add_fmt(const CommandLine& line) {
  auto arguments = std::make_shared<FmtArguments>();
  auto* const verb = line.app.add_subcommand("fmt", "Lays programs (.ric) out tidily.");
  verb->add_option("FILES", arguments->files, "programs")->required();
  auto* const check =
      verb->add_flag("--check", arguments->check, "only tell which files are not tidy; status 2 if any");
  verb->add_flag("-w,--write", arguments->write, "write them back instead of to standard output")->excludes(check);
  verb->footer(
      "Examples:\n"
      "  ricci fmt -w ccd.ric\n"
      "  ricci fmt --check examples/*.ric\n"
      "Comments and single blank lines are kept, and so are line breaks between the terms of a sum.");
  // Files are no matter of several ranks: one does all.
  verb->callback([line, arguments] {
    line.action = [arguments](const ricci::World& world) {
      if (world.rank() == 0) format_files(*arguments);
    };
  });
}

}  // namespace cli
