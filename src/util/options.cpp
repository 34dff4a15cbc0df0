#include <charconv>
#include <cstdlib>
#include <ostream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>
#include <ricci/options.hpp>

namespace ricci {

namespace {

void read_number(const char* name, const char* advice, int& number) {
  const char* value = std::getenv(name);
  if (!value) return;
  const std::string_view text = value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) {
    throw InputError(fmt::format("{} is \"{}\"; {}", name, text, advice));
  }
}

void read_switch(const char* name, const char* advice, bool& value) {
  const char* const setting = std::getenv(name);
  if (!setting) return;
  const std::string_view text = setting;
  if (text != "0" && text != "1") throw InputError(fmt::format("{} is \"{}\"; {}", name, text, advice));
  value = text == "1";
}

constexpr std::pair<std::string_view, Strategy> strategies[] = {
    {"any", Strategy::any}, {"cast", Strategy::cast}, {"desymmetrise", Strategy::desymmetrise}};

void read_strategy(const char* name, Strategy& strategy) {
  const char* const setting = std::getenv(name);
  if (!setting) return;
  for (const auto& [text, value] : strategies) {
    if (text == setting) {
      strategy = value;
      return;
    }
  }
  throw InputError(fmt::format("{} is \"{}\"; give any, cast or desymmetrise", name, setting));
}

}  // namespace

Options Options::from_environment() {
  Options options;
  if (const char* memory = std::getenv("RICCI_MEMORY")) options.memory_limit = parse_bytes(memory, "RICCI_MEMORY");
  read_number("RICCI_THREADS", "give a number of threads, or 0 for all", options.threads);
  read_number("RICCI_RUNS", "give how often a plan is going to be run", options.runs);
  read_number("RICCI_RIVAL", "give the number of a plan, or 0 for the best", options.rival);
  read_strategy("RICCI_STRATEGY", options.strategy);
  if (const char* blocks = std::getenv("RICCI_BLOCKS")) options.blocks = blocks;
  if (const char* method = std::getenv("RICCI_DISK_METHOD")) options.disk_method = method;
  read_switch("RICCI_CHECK_RANKS", "give 1 to compare what the ranks do, or 0", options.check_ranks);
  read_switch("RICCI_SHARE_LOOPS", "give 1 to let operations share loops, or 0", options.share_loops);
  read_switch("RICCI_READ_AHEAD", "give 1 to let parallel disk algorithms read ahead, or 0", options.read_ahead);
  read_switch("RICCI_SIMULATE_WORK", "give 1 to let work take simulated time, or 0", options.simulate_work);
  return options;
}

std::ostream& operator<<(std::ostream& out, const Options& options) {
  out << "memory limit ";
  if (options.memory_limit > 0) {
    out << options.memory_limit << " bytes";
  } else {
    out << "none";
  }
  out << ", threads ";
  if (options.threads > 0) {
    out << options.threads;
  } else {
    out << "all";
  }
  if (options.runs > 1) out << ", " << options.runs << " runs";
  if (options.rival > 0) out << ", plan number " << options.rival;
  for (const auto& [text, value] : strategies) {
    if (options.strategy == value && value != Strategy::any) out << ", " << text << " alone";
  }
  if (!options.blocks.empty()) out << ", blocks " << options.blocks;
  if (!options.share_loops) out << ", no shared loops";
  if (!options.disk_method.empty()) out << ", disk method " << options.disk_method;
  if (!options.read_ahead) out << ", no reading ahead";
  if (options.simulate_work) out << ", work simulated";
  return out << (options.check_ranks ? ", ranks compared" : "");
}

}  // namespace ricci
