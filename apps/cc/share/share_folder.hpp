#pragma once
// Where the files are that come with the program.
#include <filesystem>
#include <string>

namespace cc {

/// The folder `name` (`basis`, `cc`) of the first of these that has one: $RICCI_SHARE (and then nowhere else); what is
/// installed with the program that runs; the source tree.
std::filesystem::path share_folder(const std::string& name);

}  // namespace cc
