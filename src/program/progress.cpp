#include "program/progress.hpp"

#include <algorithm>

namespace ricci::program {

namespace {

double flops_of(const ProgramPlan& plan, const PlannedOperation& planned) {
  double flops = 0;
  if (!planned.operation->writes()) return flops;
  for (const compile::Product& term : planned.operation->terms)
    flops += compile::term_flops(plan.formula, planned.operation->out, term);
  return flops;
}

struct Work {
  double bytes = 0, flops = 0;
};

Work work_of(const ProgramPlan& plan, const std::vector<PlannedOperation>& operations, int rank) {
  Work all;
  for (const PlannedOperation& planned : operations) {
    const DiskBytes bytes = plan.traffic(planned, rank);
    all.bytes += static_cast<double>(bytes.read + bytes.written);
    all.flops += flops_of(plan, planned);
    if (planned.body.empty()) continue;
    const Work body = work_of(plan, planned.body, rank);
    const double passes = compile::guessed_passes(*planned.operation);
    all.bytes += passes * body.bytes;
    all.flops += passes * body.flops;
  }
  return all;
}

}  // namespace

Progress::Progress(const ProgramPlan& plan, int rank, std::function<void(double)> tell)
    : plan_(plan), tell_(std::move(tell)) {
  if (!is_wanted()) return;
  const Work all = work_of(plan, plan.operations, rank);
  const DiskBytes outputs = plan.output_bytes(rank);
  bytes_ = all.bytes + static_cast<double>(outputs.read + outputs.written);
  flops_ = all.flops;
}

void Progress::moved(std::int64_t bytes) {
  if (bytes_ > 0) tell(static_cast<double>(bytes) / bytes_);
}

void Progress::finished(const PlannedOperation& planned) {
  if (!is_wanted() || bytes_ > 0 || flops_ == 0) return;
  flops_done_ += flops_of(plan_, planned);
  tell(flops_done_ / flops_);
}

void Progress::tell(double done) {
  if (!is_wanted()) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - told_ < std::chrono::milliseconds(100)) return;
  told_ = now;
  tell_(std::min(done, 1.0));
}

}  // namespace ricci::program
