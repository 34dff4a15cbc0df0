#pragma once
// Ranks that run out of something.
#include <csignal>

#include <sys/resource.h>

namespace ricci_test {

/// Takes something from one rank for as long as it lives.
class Limit {
 public:
  Limit(bool here, __rlimit_resource what, rlim_t most) : here_(here), what_(what) {
    if (!here) return;
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(what_, &old_);
    const rlimit small{most, old_.rlim_max};
    setrlimit(what_, &small);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() {
    if (!here_) return;
    setrlimit(what_, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  bool here_;
  __rlimit_resource what_;
  rlimit old_{};
  void (*handler_)(int) = SIG_DFL;
};

}  // namespace ricci_test
