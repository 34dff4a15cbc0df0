#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ricci/error.hpp>

#include "cc_output.hpp"
#include "molecule/element.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

Json list_of(const Eigen::VectorXd& values) { return std::vector<double>(values.begin(), values.end()); }

template <class Iteration>
Json table_of(const std::vector<Iteration>& rows) {
  Json table = Json::array();
  for (const Iteration& row : rows)
    table.push_back({{"iteration", row.iteration},
                     {"energy", row.energy},
                     {"change", row.change},
                     {"residual", row.residual},
                     {"seconds", row.seconds}});
  return table;
}

Json molecule_of(const CcRun& run) {
  const cc::Molecule& molecule = run.molecule;
  Json atoms = Json::array();
  for (const cc::Atom& atom : molecule.atoms)
    atoms.push_back(Json::array({cc::element_symbol(atom.number), atom.at[0], atom.at[1], atom.at[2]}));
  return {{"file", run.file},
          {"formula", molecule.formula()},
          {"charge", molecule.charge},
          {"multiplicity", molecule.multiplicity},
          {"electrons", molecule.electrons()},
          {"nuclear_repulsion", run.result.scf.nuclear_repulsion},
          {"geometry_bohr", std::move(atoms)}};
}

Json dump_of(const CcRun& run) {
  return {{"file", run.file},
          {"orbitals", run.dump->orbitals},
          {"electrons", run.dump->electrons},
          {"core_energy", run.dump->core_energy},
          {"largest_fov", run.result.largest_fov}};
}

Json orbitals_of(const CcRun& run) {
  const cc::ScfResult& scf = run.result.scf;
  return {{"count", run.result.orbitals},
          {"frozen", run.options.frozen_core},
          {"removed", scf.removed},
          {"alpha_occupied", scf.alpha_electrons},
          {"beta_occupied", scf.beta_electrons},
          {"alpha_energies", list_of(scf.alpha_energies)},
          {"beta_energies", list_of(scf.beta_energies)}};
}

Json scf_of(const CcRun& run) {
  const cc::ScfResult& scf = run.result.scf;
  return {{"reference", run.result.restricted ? "rhf" : "uhf"},
          {"iterations", scf.iterations},
          {"kinetic", scf.parts.kinetic},
          {"nuclear_attraction", scf.parts.nuclear_attraction},
          {"coulomb", scf.parts.coulomb},
          {"exchange", scf.parts.exchange},
          {"spin_squared", scf.spin_squared},
          {"table", table_of(run.scf_table)}};
}

Json timings_of(const std::vector<ProgramTimings>& programs) {
  Json all = Json::array();
  for (const ProgramTimings& program : programs) {
    Json operations = Json::array();
    for (const ricci::OperationReport& operation : program.operations)
      operations.push_back({{"text", operation.text},
                            {"times", operation.times},
                            {"predicted_seconds", operation.predicted_seconds},
                            {"seconds", operation.seconds}});
    all.push_back({{"program", program.program}, {"operations", std::move(operations)}});
  }
  return all;
}

}  // namespace

void write_json(const std::string& path, const CcRun& run) {
  Json stages = Json::object();
  for (const cc::StageSeconds& stage : run.result.seconds) stages[stage.stage] = stage.seconds;
  Json json{
      {"method", cc::name_of(run.options.method)}, {"energies", run.result.energies}, {"total", run.result.total},
      {"iterations", run.result.iterations},       {"seconds", run.seconds},          {"stages", std::move(stages)}};
  if (run.dump) {
    json["fcidump"] = dump_of(run);
  } else {
    json["molecule"] = molecule_of(run);
    json["basis"] = {
        {"name", run.basis.name}, {"spherical", run.basis.spherical}, {"functions", run.basis.functions()}};
  }
  json["orbitals"] = orbitals_of(run);
  if (!run.dump) json["scf"] = scf_of(run);
  json["table"] = table_of(run.cc_table);
  json["ranks"] = run.ranks;
  json["threads"] = run.threads;
  json["memory"] = run.memory;
  json["on_disk"] = run.result.on_disk;
  if (!run.timings.empty()) json["timings"] = timings_of(run.timings);
  std::ofstream out(path);
  out << json.dump(2) << '\n';
  if (!out.flush()) throw ricci::InputError(fmt::format("--json {}: cannot be written", path));
}

}  // namespace cli
