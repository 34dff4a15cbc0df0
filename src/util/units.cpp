#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>
#include <ricci/options.hpp>

namespace ricci {

namespace {
constexpr std::array<std::pair<std::string_view, double>, 11> units{{{"", 1},
                                                                     {"B", 1},
                                                                     {"KB", 1e3},
                                                                     {"MB", 1e6},
                                                                     {"GB", 1e9},
                                                                     {"TB", 1e12},
                                                                     {"KIB", 1024.0},
                                                                     {"MIB", 1048576.0},
                                                                     {"GIB", 1073741824.0},
                                                                     {"TIB", 1099511627776.0},
                                                                     {"PB", 1e15}}};
}

std::int64_t parse_bytes(std::string_view text, std::string_view what) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit;
  for (const char* p = end; p != text.data() + text.size(); ++p) {
    if (*p != ' ') unit += static_cast<char>(std::toupper(static_cast<unsigned char>(*p)));
  }
  for (const auto& [name, factor] : units) {
    if (error == std::errc{} && unit == name && number >= 0 && number * factor < 9e18) {
      return static_cast<std::int64_t>(number * factor);
    }
  }
  throw InputError(fmt::format("{} is \"{}\"; write a number of bytes with a unit, such as 100MB (10^6) or 2GiB (2^30)",
                               what, text));
}

}  // namespace ricci
