// Binds <ricci/program.hpp> to what plans and runs programs.
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>
#include <ricci/program.hpp>

#include "api/program_state.hpp"
#include "api/world_state.hpp"
#include "program/program_plan.hpp"
#include "program/run_program.hpp"

namespace ricci {

PlannedProgram plan(const Program& program, int ranks, const MachineModel& machine, const Options& options) {
  return PlannedProgram(program::plan_program(program.state().program, ranks, machine, options));
}

PlannedProgram plan(const Program& program, const World& world, const Options& options) {
  return plan(program, world.size(), world.state().common_machine(), options);
}

std::string PlannedProgram::explain() const {
  std::ostringstream out;
  out << *plan_;
  return out.str();
}

std::int64_t PlannedProgram::peak_bytes() const { return plan_->peak_bytes; }

ProgramReport PlannedProgram::run(const World& world, const ProgramRunOptions& options) const {
  if (world.size() != plan_->ranks) {
    throw InputError(fmt::format("the program was planned for {} ranks, and there are {}; plan it again", plan_->ranks,
                                 world.size()));
  }
  program::RunOptions how{options.scratch, options.keep_scratch, options.events.print, {}};
  if (options.events.output) {
    how.output = [&](const notation::ProgramTensor& tensor, double norm) {
      options.events.output(tensor.name, fmt::format("{} {}", name_of(tensor.type), fmt::streamed(tensor.shape)), norm);
    };
  }
  const program::RunCounts counts = program::run_program(*plan_, world, how);
  return {counts.seconds, counts.disk.read_bytes, counts.disk.written_bytes, counts.predicted.read,
          counts.predicted.written};
}

std::ostream& operator<<(std::ostream& out, const PlannedProgram& plan) { return out << plan.explain(); }

std::ostream& operator<<(std::ostream& out, const ProgramReport& report) {
  return out << fmt::format("{:.3f} s; disk: {} bytes read ({} predicted), {} written ({} predicted)\n", report.seconds,
                            report.disk_read_bytes, report.predicted_read_bytes, report.disk_written_bytes,
                            report.predicted_written_bytes);
}

}  // namespace ricci
