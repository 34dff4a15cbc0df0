#include "progress_bar.hpp"

#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace cli {

namespace {

constexpr int width = 40;

std::string as_time(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

ProgressBar::ProgressBar() : is_terminal_(isatty(STDERR_FILENO) == 1), begin_(Clock::now()), last_(begin_) {}

void ProgressBar::show(double done) {
  const auto now = Clock::now();
  const auto pause = is_terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10000);
  const auto patience = is_terminal_ ? std::chrono::milliseconds(1000) : pause;
  if (now - begin_ < patience || now - last_ < pause || done <= 0) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - begin_).count(), left = seconds * (1 - done) / done;
  const int percent = static_cast<int>(100 * done);
  if (!is_terminal_) {
    fmt::print(stderr, "ricci: {} % done after {}, about {} left\n", percent, as_time(seconds), as_time(left));
    return;
  }
  const int full = static_cast<int>(width * done);
  fmt::print(stderr, "\r[{}{}] {:3} %, about {} left \x1b[K", std::string(static_cast<std::size_t>(full), '#'),
             std::string(static_cast<std::size_t>(width - full), ' '), percent, as_time(left));
  std::fflush(stderr);
  is_shown_ = true;
}

void ProgressBar::clear() {
  if (is_shown_) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  is_shown_ = false;
}

}  // namespace cli
