#include "plan_options.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace cli {
namespace {

constexpr std::pair<const char*, double> units[] = {{"", 1},         {"B", 1},        {"kB", 1e3},    {"KB", 1e3},
                                                    {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},   {"KiB", 0x1p10},
                                                    {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};

}  // namespace

std::int64_t parse_bytes(const std::string& text) {
  try {
    std::size_t end = 0;
    const double number = std::stod(text, &end);
    for (const auto& [unit, factor] : units) {
      if (text.substr(end) != unit) continue;
      const double bytes = number * factor;
      if (bytes >= 1 && bytes < 0x1p63) return std::llround(std::floor(bytes));
    }
  } catch (const std::logic_error&) {  // no number, or one out of range: as any other text that is no size
  }
  throw ricci::InputError(fmt::format("\"{}\" is no amount of memory; write 100MB, 2GiB or a number of bytes", text));
}

ricci::Options PlanOptions::to_options() const {
  auto options = ricci::Options::from_environment();
  if (!memory.empty()) options.memory_limit = parse_bytes(memory);
  if (threads > 0) options.threads = threads;
  return options;
}

void add_plan_options(CLI::App& verb, PlanOptions& options) {
  verb.add_option("--memory", options.memory, "what one rank may use: 100MB (10^6), 2GiB (2^30)")->type_name("SIZE");
  verb.add_option("--threads", options.threads, "threads of one rank")->check(CLI::PositiveNumber)->type_name("N");
  auto* const verbose = verb.add_flag("-v,--verbose", options.verbose, "print the plan, and what it took");
  verb.add_flag("--quiet", options.quiet, "print nothing but errors")->excludes(verbose);
}

}  // namespace cli
