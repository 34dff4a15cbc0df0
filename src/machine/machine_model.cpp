#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/error.hpp>
#include <ricci/machine.hpp>

namespace ricci {
namespace {

/// A variable of the environment, empty where it is not set.
std::string environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  return value == nullptr ? "" : value;
}

std::string system_reason() { return std::generic_category().message(errno); }

void read_rate(const nlohmann::json& file, const char* key, double& rate, const std::string& path) {
  if (!file.contains(key)) return;
  if (!file[key].is_number() || file[key].get<double>() <= 0) {
    throw InputError(fmt::format("{}: `{}` is {}, but has to be a number above 0", path, key, file[key].dump()));
  }
  rate = file[key];
}

/// Calls f with the name and the place of every rate: one list for reading and writing.
template <class Model, class F>
void for_each_rate(Model& model, F f) {
  f("gemm_flops", model.gemm_flops);
  f("gemm_flops_threads", model.gemm_flops_threads);
  f("copy_bandwidth", model.copy_bandwidth);
  f("copy_bandwidth_threads", model.copy_bandwidth_threads);
  f("network_latency", model.network_latency);
  f("network_bandwidth", model.network_bandwidth);
  f("disk_read_bandwidth", model.disk_read_bandwidth);
  f("disk_write_bandwidth", model.disk_write_bandwidth);
  f("disk_latency", model.disk_latency);
}

/// Figures that may be 0.
template <class Model, class F>
void for_each_extra(Model& model, F f) {
  f("kernel_overhead", model.kernel_overhead);
  f("hop_latency", model.hop_latency);
  f("reverse_traffic", model.reverse_traffic);
  f("eager_bytes", model.eager_bytes);
}

std::vector<MessageRate> read_message_rates(const nlohmann::json& list) {
  std::vector<MessageRate> rates;
  for (const auto& entry : list) {
    rates.push_back({entry.at("bytes"), entry.at("latency"), entry.at("bandwidth")});
  }
  return rates;
}

void check_message_rates(const std::vector<MessageRate>& rates, const std::string& path) {
  double before = -1;
  for (const MessageRate& rate : rates) {
    if (rate.bytes <= before || rate.latency <= 0 || rate.bandwidth <= 0) {
      throw InputError(fmt::format("{}: `message_rates` need increasing sizes and factors above 0", path));
    }
    before = rate.bytes;
  }
}

nlohmann::json parse(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw InputError(fmt::format("{}: cannot read the machine file: {}", path, system_reason()));
  auto file = nlohmann::json::parse(in, nullptr, false);
  if (!file.is_object()) {
    throw InputError(fmt::format("{}: the machine file is no JSON object; `ricci machine` writes a new one", path));
  }
  return file;
}

}  // namespace

std::string MachineModel::default_path() {
  if (auto path = environment("RICCI_MACHINE"); !path.empty()) return path;
  if (const auto config = environment("XDG_CONFIG_HOME"); !config.empty()) return config + "/ricci/machine.json";
  return environment("HOME") + "/.config/ricci/machine.json";
}

MachineModel MachineModel::load_default() {
  const auto path = default_path();
  std::error_code ignored;
  if (environment("RICCI_MACHINE").empty() && !std::filesystem::exists(path, ignored)) return {};
  return load(path);
}

MachineModel MachineModel::load(const std::string& path) {
  const auto file = parse(path);
  MachineModel model;
  for_each_rate(model, [&](const char* key, double& rate) { read_rate(file, key, rate, path); });
  try {
    model.cpu = file.value("cpu", model.cpu);
    model.threads = file.value("threads", model.threads);
    model.memory_bytes = file.value("memory_bytes", model.memory_bytes);
    model.torus_dimensions = file.value("torus_dimensions", model.torus_dimensions);
    for_each_extra(model, [&](const char* key, double& figure) { figure = file.value(key, figure); });
    if (file.contains("message_rates")) model.message_rates = read_message_rates(file["message_rates"]);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
  if (model.threads < 1) throw InputError(fmt::format("{}: `threads` is {}; at least 1", path, model.threads));
  bool negative = model.torus_dimensions < 0;
  for_each_extra(model, [&](const char*, double figure) { negative = negative || figure < 0; });
  if (negative) {
    throw InputError(fmt::format(
        "{}: `torus_dimensions`, `hop_latency`, `reverse_traffic`, `eager_bytes` and `kernel_overhead` have to be 0 or "
        "more",
        path));
  }
  check_message_rates(model.message_rates, path);
  return model;
}

void MachineModel::save(const std::string& path) const {
  nlohmann::ordered_json file = {{"cpu", cpu}, {"threads", threads}};
  for_each_rate(*this, [&](const char* key, double rate) { file[key] = rate; });
  file["memory_bytes"] = memory_bytes;
  file["torus_dimensions"] = torus_dimensions;
  for_each_extra(*this, [&](const char* key, double figure) { file[key] = figure; });
  for (const MessageRate& rate : message_rates) {
    file["message_rates"].push_back({{"bytes", rate.bytes}, {"latency", rate.latency}, {"bandwidth", rate.bandwidth}});
  }
  const auto directory = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!directory.empty()) std::filesystem::create_directories(directory, error);
  const auto temporary = path + ".part";
  errno = 0;
  std::ofstream out(temporary);
  out << file.dump(2) << '\n';
  out.close();
  if (!out) throw InputError(fmt::format("{}: cannot write the machine file: {}", path, system_reason()));
  std::filesystem::rename(temporary, path, error);
  if (error) throw InputError(fmt::format("{}: cannot write the machine file: {}", path, error.message()));
}

MessageRate MachineModel::rate_of_message(double bytes) const {
  const auto above = std::upper_bound(message_rates.begin(), message_rates.end(), bytes,
                                      [](double size, const MessageRate& rate) { return size < rate.bytes; });
  return above == message_rates.begin() ? MessageRate{} : *(above - 1);
}

std::ostream& operator<<(std::ostream& out, const MachineModel& model) {
  out << fmt::format("{}\n", model.cpu);
  out << fmt::format("  matrix multiplication  {:7.1f} GF/s with 1 thread, {:7.1f} GF/s with {}\n",
                     model.gemm_flops * 1e-9, model.gemm_flops_threads * 1e-9, model.threads);
  out << fmt::format("  memory, copying        {:7.1f} GB/s with 1 thread, {:7.1f} GB/s with {}\n",
                     model.copy_bandwidth * 1e-9, model.copy_bandwidth_threads * 1e-9, model.threads);
  const bool torus = model.torus_dimensions > 0;
  out << fmt::format(
      "  network                {:7.1f} GB/s {}, {:.2g} us for a message{}\n", model.network_bandwidth * 1e-9,
      torus ? fmt::format("along a link of a {}D torus", model.torus_dimensions) : "into a rank",
      model.network_latency * 1e6, torus ? fmt::format(" and {:.2g} us a link", model.hop_latency * 1e6) : "");
  out << fmt::format("  disk                   {:7.0f} MB/s read, {:.0f} MB/s written, {:.2g} ms for a transfer\n",
                     model.disk_read_bandwidth * 1e-6, model.disk_write_bandwidth * 1e-6, model.disk_latency * 1e3);
  if (model.memory_bytes > 0) {
    out << fmt::format("  memory, size           {:7.1f} GB\n", static_cast<double>(model.memory_bytes) * 1e-9);
  }
  return out;
}

}  // namespace ricci
