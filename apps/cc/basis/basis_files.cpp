#include "basis/basis_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "share/share_folder.hpp"

namespace cc {
namespace {

namespace fs = std::filesystem;

void replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// 6-31+G(d,p) and 6-31+G** are 6-31pgss; def2-SV(P) is def2-sv_p_.
std::string file_stem(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  replace(name, "(d,p)", "**");
  replace(name, "(d)", "*");
  replace(name, "*", "s");
  replace(name, "+", "p");
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '(' || c == ')' || c == ','; }, '_');
  return name;
}

/// How people write what a file is called: 6-31+g** for 6-31pgss.
std::string spoken_name(std::string stem) {
  if (stem.starts_with("6-31")) {
    replace(stem, "pg", "+g");
    replace(stem, "p+", "++");
    replace(stem, "gs", "g*");
    replace(stem, "*s", "**");
  }
  replace(stem, "_p_", "(p)");
  return stem;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".gbs") names.push_back(spoken_name(entry.path().stem().string()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string basis_file(const std::string& name) {
  const fs::path folder = share_folder("basis");
  std::error_code none;
  if (!fs::is_directory(folder, none))
    throw ricci::InputError(fmt::format(
        "there is no folder {}, where the basis sets should be; let RICCI_SHARE name the folder that has `basis` in it",
        folder.string()));
  const fs::path file = folder / (file_stem(name) + ".gbs");
  if (fs::is_regular_file(file, none)) return file.string();
  throw ricci::InputError(fmt::format("there is no basis set {}; there are {}, and any file in Gaussian94 format", name,
                                      fmt::join(names_in(folder), ", ")));
}

}  // namespace cc
