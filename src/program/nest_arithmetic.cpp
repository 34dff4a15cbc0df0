#include "program/nest_arithmetic.hpp"

#include <utility>

#include "program/handling.hpp"

namespace ricci::program {

using fusion::Buffer;
using fusion::LoopProgram;

namespace {

class Arithmetic {
 public:
  Arithmetic(const LoopProgram& program, const NestBudget& budget, const MachineModel& machine)
      : program_(program), budget_(budget), machine_(machine), tile_(program.labels.size()) {
    for (std::size_t l = 0; l < tile_.size(); ++l) tile_[l] = static_cast<double>(program.labels[l].extent);
  }

  double operator()(const std::vector<fusion::Statement>& body, double turns = 1) {
    double seconds = 0;
    for (const fusion::Statement& statement : body) {
      if (const auto* loop = std::get_if<fusion::Loop>(&statement.what)) {
        const fusion::TileLoop& tiles = program_.loops[static_cast<std::size_t>(loop->loop)];
        double& tile = tile_[static_cast<std::size_t>(tiles.label)];
        const double before = std::exchange(tile, static_cast<double>(tiles.tile));
        seconds += (*this)(loop->body, turns * static_cast<double>(program_.trips(loop->loop)));
        tile = before;
      }
      if (const auto* contract = std::get_if<fusion::Contract>(&statement.what))
        seconds += turns * seconds_of(*contract);
    }
    return seconds;
  }

 private:
  double elements(int buffer) const {
    double product = 1;
    for (int label : program_.buffers[static_cast<std::size_t>(buffer)].labels)
      product *= tile_[static_cast<std::size_t>(label)];
    return product;
  }

  /// Whether a product takes all of a buffer at once, and not a window of it.
  bool is_whole(int number) const {
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(number)];
    for (std::size_t m = 0; m < buffer.labels.size(); ++m) {
      const int loop = buffer.loops[m];
      const auto label = static_cast<std::size_t>(buffer.labels[m]);
      const std::int64_t size =
          loop < 0 ? program_.labels[label].extent : program_.loops[static_cast<std::size_t>(loop)].tile;
      if (tile_[label] < static_cast<double>(size)) return false;
    }
    return true;
  }

  double seconds_of(const fusion::Contract& contract) const {
    constexpr double start = 1e-5;  // of one product, however small
    fusion::LabelSet labels = 0;
    for (int buffer : {contract.out, contract.a, contract.b})
      labels |= fusion::set_of(program_.buffers[static_cast<std::size_t>(buffer)].labels);
    double products = 1;
    for (std::size_t l = 0; l < tile_.size(); ++l) {
      if (fusion::contains(labels, static_cast<int>(l))) products *= tile_[l];
    }
    const Buffer& out = program_.buffers[static_cast<std::size_t>(contract.out)];
    const auto size = static_cast<double>(program_.arrays[static_cast<std::size_t>(out.array)].bytes_per_element);
    const double touched = 2 * size * (elements(contract.out) + elements(contract.a) + elements(contract.b));
    const bool many = budget_.threaded;
    const double flops = 2 * products * size / 8;  // half as much for float, twice and more for complex
    // On several ranks windows of buffers are taken out, and put back (WindowProducts::run_together).
    double windows = 0;
    for (int buffer : {contract.out, contract.out, contract.a, contract.b}) {
      if (budget_.ranks > 1 && !is_whole(buffer))
        windows += size * elements(buffer) * (partition(machine_, false) + fresh_pages(machine_));
    }
    return start + (windows + flops / (many ? machine_.gemm_flops_threads : machine_.gemm_flops) +
                    touched / (many ? machine_.copy_bandwidth_threads : machine_.copy_bandwidth)) /
                       budget_.ranks;
  }

  const LoopProgram& program_;
  const NestBudget& budget_;
  const MachineModel& machine_;
  std::vector<double> tile_;  // [label]: indices of one turn of the loops around
};

}  // namespace

double arithmetic_seconds(const LoopProgram& program, const NestBudget& budget, const MachineModel& machine) {
  return Arithmetic(program, budget, machine)(program.body);
}

}  // namespace ricci::program
