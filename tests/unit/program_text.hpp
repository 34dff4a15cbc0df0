#pragma once
// Programs in tests: text into what each stage makes of it.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "notation/bind_program.hpp"
#include "notation/format_program.hpp"
#include "notation/parser.hpp"

namespace ricci::notation {

inline syntax::Program parsed(const std::string& text) {
  const Source source("t.ric", text);
  Diagnostics diagnostics(source);
  auto tree = parse_program(source, diagnostics);
  diagnostics.throw_errors();
  return tree;
}

inline std::string formatted(const std::string& text) { return format_program(parsed(text)); }

inline Program bound(const std::string& text, const SpaceSizes& sizes = {}) {
  return read_program(Source("t.ric", text), sizes).program;
}

/// The bound program as it prints.
inline std::string shown(const std::string& text) {
  std::ostringstream out;
  out << bound(text);
  return out.str();
}

/// The message of the error; empty, and a failure, where there is none.
inline std::string refusal(const std::string& text) {
  try {
    bound(text);
  } catch (const ProgramError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted:\n" << text;
  return {};
}

/// The texts of the programs in examples/, by name.
inline std::map<std::string, std::string> example_programs() {
  std::map<std::string, std::string> programs;
  for (const auto& entry : std::filesystem::directory_iterator(RICCI_EXAMPLES)) {
    if (entry.path().extension() != ".ric") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    programs[entry.path().filename().string()] = text.str();
  }
  return programs;
}

}  // namespace ricci::notation
