// Binds <ricci/program.hpp> to what plans and runs programs.
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>
#include <ricci/program.hpp>

#include "api/program_state.hpp"
#include "api/statement.hpp"
#include "api/world_state.hpp"
#include "program/given_tensors.hpp"
#include "program/plan_json.hpp"
#include "program/program_plan.hpp"
#include "program/run_program.hpp"

namespace ricci {

namespace {

ParallelDiskReport report_of(const program::ParallelDiskRecord& record, const program::ProgramPlan& plan, int rank) {
  const program::ParallelDiskOperation& operation = *record.operation;
  const program::ParallelDiskCounts& loops = record.outcome.loops;
  const auto predicted = volumes_of(operation.product.program, rank);
  const auto size = static_cast<std::int64_t>(element_size(operation.product.type));
  return {.method = fmt::format("{}", fmt::streamed(operation.product.program.method)),
          .predicted_seconds = operation.seconds,
          .disk_seconds = loops.disk_seconds,
          .network_seconds = loops.network_seconds,
          .seconds = loops.seconds,
          .move_seconds = record.outcome.move_seconds,
          .sent_bytes = record.outcome.sent_bytes,
          .predicted_sent_bytes = predict_sent(plan.formula, operation, plan.homes, rank),
          .disk_read_bytes = loops.disk.read_bytes,
          .disk_written_bytes = loops.disk.written_bytes,
          .predicted_read_bytes = static_cast<std::int64_t>(predicted.read) * size,
          .predicted_written_bytes = static_cast<std::int64_t>(predicted.written) * size};
}

}  // namespace

PlannedProgram plan(const Program& program, int ranks, const MachineModel& machine, const Options& options) {
  return PlannedProgram(program::plan_program(program.state().program, ranks, machine, options));
}

PlannedProgram plan(const Program& program, const World& world, const Options& options, const GivenTensors& given) {
  Options here = options;
  here.threads = detail::thread_count(options);
  return PlannedProgram(program::plan_program(program.state().program, world.size(), world.state().common_machine(),
                                              here, program::cuts_on_disk(given)));
}

std::string PlannedProgram::explain() const {
  std::ostringstream out;
  out << *plan_;
  return out.str();
}

std::string PlannedProgram::json() const { return program::to_json(*plan_); }

std::int64_t PlannedProgram::peak_bytes() const { return plan_->peak_bytes; }
double PlannedProgram::seconds() const { return plan_->seconds; }

ProgramReport PlannedProgram::run(const World& world, const ProgramRunOptions& options) const {
  if (world.size() != plan_->ranks) {
    throw InputError(fmt::format("the program was planned for {} ranks, and there are {}; plan it again", plan_->ranks,
                                 world.size()));
  }
  program::RunOptions how{options.tensors,        options.scratch, options.keep_scratch, options.events.print, {},
                          options.events.progress};
  if (options.events.output) {
    how.output = [&](const notation::ProgramTensor& tensor, double norm) {
      options.events.output(tensor.name, fmt::format("{} {}", name_of(tensor.type), fmt::streamed(tensor.shape)), norm);
    };
  }
  const program::RunCounts counts = program::run_program(*plan_, world, how);
  ProgramReport report{counts.seconds,         counts.predicted_seconds,
                       counts.disk.read_bytes, counts.disk.written_bytes,
                       counts.predicted.read,  counts.predicted.written};
  for (const program::ParallelDiskRecord& record : counts.parallel_disk)
    report.parallel_disk.push_back(report_of(record, *plan_, world.rank()));
  report.operations = counts.operations;
  return report;
}

std::ostream& operator<<(std::ostream& out, const PlannedProgram& plan) { return out << plan.explain(); }

std::ostream& operator<<(std::ostream& out, const ParallelDiskReport& report) {
  return out << fmt::format(
             "{}: {:.3f} s, {:.3f} s of them disk and {:.3f} s network (together {:.3f} predicted), and {:.3f} s of "
             "moves; {} bytes read "
             "({} predicted), {} written ({}), {} sent with the moves ({})\n",
             report.method, report.seconds, report.disk_seconds, report.network_seconds, report.predicted_seconds,
             report.move_seconds, report.disk_read_bytes, report.predicted_read_bytes, report.disk_written_bytes,
             report.predicted_written_bytes, report.sent_bytes, report.predicted_sent_bytes);
}

std::ostream& operator<<(std::ostream& out, const ProgramReport& report) {
  for (const ParallelDiskReport& product : report.parallel_disk) out << product;
  return out << fmt::format(
             "{:.3f} s ({:.3g} predicted); disk: {} bytes read ({} predicted), {} written ({} predicted)\n",
             report.seconds, report.predicted_seconds, report.disk_read_bytes, report.predicted_read_bytes,
             report.disk_written_bytes, report.predicted_written_bytes);
}

}  // namespace ricci
