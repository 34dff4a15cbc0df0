#include "fusion/loop_program.hpp"

#include <utility>

namespace ricci::fusion {

std::int64_t LoopProgram::trips(int loop) const {
  const TileLoop& l = loops[static_cast<std::size_t>(loop)];
  return (extent(l.label) + l.tile - 1) / l.tile;
}

namespace {

struct Renumber {
  int loops, buffers;

  void operator()(std::vector<Statement>& body) const {
    for (Statement& statement : body) std::visit(*this, statement.what);
  }
  void operator()(Loop& loop) const {
    loop.loop += loops;
    (*this)(loop.body);
  }
  void operator()(Clear& clear) const { clear.buffer += buffers; }
  void operator()(Read& read) const {
    read.buffer += buffers;
    for (int& loop : read.unless_first) loop += loops;
  }
  void operator()(Write& write) const { write.buffer += buffers; }
  void operator()(Contract& contract) const {
    contract.out += buffers;
    contract.a += buffers;
    if (contract.b >= 0) contract.b += buffers;
  }
};

}  // namespace

void append(LoopProgram& program, LoopProgram next) {
  const Renumber renumber{static_cast<int>(program.loops.size()), static_cast<int>(program.buffers.size())};
  renumber(next.body);
  for (Buffer& buffer : next.buffers) {
    for (int& loop : buffer.loops) loop += loop < 0 ? 0 : renumber.loops;
    program.buffers.push_back(std::move(buffer));
  }
  program.loops.insert(program.loops.end(), next.loops.begin(), next.loops.end());
  for (Statement& statement : next.body) program.body.push_back(std::move(statement));
}

}  // namespace ricci::fusion
