#include "storage/process_name.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace ricci::storage {

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  std::string host = name.data();
  for (char& letter : host) {
    if (letter == '/') letter = '_';
  }
  return host;
}

std::string process_name() { return fmt::format("{}-{}", host_name(), getpid()); }

bool is_of_ended_process(std::string_view name, std::string_view before) {
  const std::string beginning = fmt::format("{}{}-", before, host_name());
  if (!name.starts_with(beginning)) return false;
  int process = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + beginning.size(), end, process);
  const bool complete = parsed.ec == std::errc() && (parsed.ptr == end || *parsed.ptr == '-');
  return complete && process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace ricci::storage
