#include "iterate/checkpoint.hpp"

#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "ranks/ranks.hpp"

namespace cc {

namespace fs = std::filesystem;

namespace {

constexpr const char* file_name = "amplitudes.h5";

/// Done by rank 0; what fails is told on all ranks.
template <class F>
void on_first_rank(const std::string& what, F f) {
  std::error_code error;
  if (ranks::rank() == 0) f(error);
  double failed[] = {error ? 1.0 : 0.0};
  ranks::sum(failed);
  if (failed[0] > 0) throw ricci::InputError(what + (error ? ": " + error.message() : std::string()));
}

}  // namespace

Checkpoint::Checkpoint(std::string folder) : folder_(std::move(folder)) {
  on_first_rank(fmt::format("--checkpoint {}: cannot make the folder", folder_),
                [&](std::error_code& error) { fs::create_directories(folder_, error); });
}

void Checkpoint::keep(int iteration, const Tensors& given, const std::vector<Unknown>& unknowns) const {
  const std::string file = (fs::path(folder_) / file_name).string(), fresh = (fs::path(folder_) / "new.h5").string();
  const std::string told = fmt::format("--checkpoint {}: cannot replace {}", folder_, file_name);
  on_first_rank(told, [&](std::error_code& error) { fs::remove(fresh, error); });
  for (const Unknown& unknown : unknowns)
    given.at(unknown.amplitude).save(fmt::format("{}:/{}", fresh, unknown.amplitude));
  ricci::Tensor<double> number(given.begin()->second.world(), {});
  number.fill(iteration);
  number.save(fresh + ":/iteration");
  on_first_rank(told, [&](std::error_code& error) { fs::rename(fresh, file, error); });
}

int Checkpoint::restore(Tensors& given, const std::vector<Unknown>& unknowns) const {
  const std::string file = (fs::path(folder_) / file_name).string();
  on_first_rank(fmt::format("--restart: there is no {} in {}; leave --restart out to begin anew", file_name, folder_),
                [&](std::error_code& error) {
                  if (!fs::exists(file, error) && !error)
                    error = std::make_error_code(std::errc::no_such_file_or_directory);
                });
  ricci::Tensor<double> number(given.begin()->second.world(), {});
  number.load(file + ":/iteration");
  for (const Unknown& unknown : unknowns)
    given.at(unknown.amplitude).load(fmt::format("{}:/{}", file, unknown.amplitude));
  return static_cast<int>(std::lround(number.gather()[0]));
}

}  // namespace cc
