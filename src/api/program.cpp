#include <ostream>

#include <ricci/program.hpp>

#include "api/program_state.hpp"
#include "notation/bind_program.hpp"
#include "notation/format_program.hpp"
#include "notation/parser.hpp"

namespace ricci {

namespace {

Program from_source(const notation::Source& source, const ProgramOptions& options) {
  auto read = notation::read_program(source, options.spaces);
  return Program(
      std::make_shared<detail::ProgramState>(detail::ProgramState{std::move(read.program), std::move(read.notes)}));
}

}  // namespace

Program Program::load(const std::string& path, const ProgramOptions& options) {
  return from_source(notation::read_source(path), options);
}

Program Program::parse(std::string_view text, const std::string& name, const ProgramOptions& options) {
  return from_source(notation::Source(name, std::string(text)), options);
}

const std::string& Program::name() const { return state_->program.name; }
const std::vector<std::string>& Program::notes() const { return state_->notes; }

std::vector<GivenDeclaration> Program::given() const {
  std::vector<GivenDeclaration> result;
  for (const notation::ProgramTensor& tensor : state_->program.tensors) {
    if (tensor.origin != notation::Origin::given) continue;
    result.push_back(
        {tensor.name, tensor.role == notation::Role::output, tensor.shape.extents(), tensor.shape.symmetry()});
  }
  return result;
}

std::ostream& operator<<(std::ostream& out, const Program& program) { return out << program.state().program; }

std::string format_program(std::string_view text, const std::string& name) {
  const notation::Source source(name, std::string(text));
  notation::Diagnostics diagnostics(source);
  const auto tree = notation::parse_program(source, diagnostics);
  diagnostics.throw_errors();
  return notation::format_program(tree);
}

}  // namespace ricci
