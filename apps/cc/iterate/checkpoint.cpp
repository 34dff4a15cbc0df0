#include "iterate/checkpoint.hpp"

#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "ranks/ranks.hpp"
#include "store/algebra.hpp"

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

Checkpoint::Checkpoint(const Store& store, std::string folder) : store_(store), folder_(std::move(folder)) {
  on_first_rank(fmt::format("--checkpoint {}: cannot make the folder", folder_),
                [&](std::error_code& error) { fs::create_directories(folder_, error); });
}

std::string Checkpoint::history_file(int iteration) const {
  return (fs::path(folder_) / fmt::format("iteration_{}.h5", iteration)).string();
}

void Checkpoint::save(const std::string& file, const std::map<std::string, const Held*>& tensors) const {
  const std::string fresh = (fs::path(folder_) / "new.h5").string();
  const std::string told =
      fmt::format("--checkpoint {}: cannot replace {}", folder_, fs::path(file).filename().string());
  on_first_rank(told, [&](std::error_code& error) { fs::remove(fresh, error); });
  for (const auto& [name, tensor] : tensors) tensor->save(fmt::format("{}:/{}", fresh, name));
  on_first_rank(told, [&](std::error_code& error) { fs::rename(fresh, file, error); });
}

void Checkpoint::keep(int iteration, const Tensors& given, const std::vector<Unknown>& unknowns, Diis& diis) const {
  std::map<std::string, const Held*> history;
  for (const auto& [name, tensor] : diis.newest()) history[name] = tensor;
  save(history_file(iteration), history);
  std::map<std::string, const Held*> amplitudes;
  for (const Unknown& unknown : unknowns) amplitudes[unknown.amplitude] = &given.at(unknown.amplitude);
  ricci::Tensor<double> number(store_.world(), {});
  number.fill(iteration);
  const Held kept_number(std::move(number));
  amplitudes["iteration"] = &kept_number;
  save((fs::path(folder_) / file_name).string(), amplitudes);
  on_first_rank(fmt::format("--checkpoint {}: cannot remove an old file", folder_),
                [&](std::error_code& error) { fs::remove(history_file(iteration - diis.history()), error); });
}

int Checkpoint::restore(Tensors& given, const std::vector<Unknown>& unknowns, Diis& diis) const {
  const std::string file = (fs::path(folder_) / file_name).string();
  on_first_rank(fmt::format("--restart: there is no {} in {}; leave --restart out to begin anew", file_name, folder_),
                [&](std::error_code& error) {
                  if (!fs::exists(file, error) && !error)
                    error = std::make_error_code(std::errc::no_such_file_or_directory);
                });
  ricci::Tensor<double> number(store_.world(), {});
  number.load(file + ":/iteration");
  const int last = static_cast<int>(std::lround(number.gather()[0]));
  for (const Unknown& unknown : unknowns)
    load(store_, given.at(unknown.amplitude), fmt::format("{}:/{}", file, unknown.amplitude));
  for (int iteration = last - diis.history() + 1; iteration <= last; ++iteration) {
    std::error_code none;
    if (ranks::max(fs::exists(history_file(iteration), none) ? 0 : 1) > 0) continue;
    for (const auto& [name, tensor] : diis.add(given))
      load(store_, *tensor, fmt::format("{}:/{}", history_file(iteration), name));
  }
  diis.restored();
  return last;
}

}  // namespace cc
