#pragma once
// How long each stage of a calculation took.
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "methods/calculation.hpp"

namespace cc {

class Stages {
 public:
  explicit Stages(std::function<void(const std::string&)> tell) : tell_(std::move(tell)) {}

  void begin(const std::string& stage) {
    end();
    now_ = stage;
    start_ = std::chrono::steady_clock::now();
    if (tell_) tell_(stage);
  }
  std::vector<StageSeconds> end() {
    if (!now_.empty())
      done_.push_back({now_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()});
    now_.clear();
    return done_;
  }

 private:
  std::function<void(const std::string&)> tell_;
  std::string now_;
  std::chrono::steady_clock::time_point start_;
  std::vector<StageSeconds> done_;
};

}  // namespace cc
