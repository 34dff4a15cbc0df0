// What is fetched in a phase, as numbers: a program of many phases is kept so.
#include <map>

#include "layout/redistribution.hpp"

namespace ricci::layout {

namespace {

template <class Archive, class T>
void visit_line(Archive& archive, T& line) {
  archive(line.first, line.step);
}

template <class Archive, class T>
void visit_unit(Archive& archive, T& unit) {
  archive(unit.size);
  archive.items(unit.loops, [&](auto& loop) {
    archive(loop.from_step, loop.to_step, loop.turns);
    archive.items(loop.segments, [&](auto& segment) { archive(segment.from, segment.to, segment.count); });
    visit_line(archive, loop.from_line);
    visit_line(archive, loop.to_line);
  });
}

/// All but the units.
template <class Archive, class T>
void visit_piece(Archive& archive, T& piece) {
  archive(piece.peer, piece.size, piece.at_buffer, piece.from_begin, piece.to_begin);
  archive.items(piece.cut, [&](auto& turns) { archive(turns.first, turns.count); });
  archive.items(piece.from_stride, archive);
  archive.items(piece.to_stride, archive);
}

template <class Archive, class T>
void visit_round(Archive& archive, T& round) {
  archive.items(round.messages, [&](auto& message) { archive(message.peer, message.begin, message.size); });
  archive(round.first, round.last, round.size);
}

}  // namespace

template <class Archive, class Self>
void Redistribution::visit(Archive& archive, Self& self) {
  archive(self.rank_, self.element_size_, self.longest_);
  std::vector<std::map<const UnitPiece*, std::int64_t>> numbers(Archive::reads ? 0 : self.unit_pieces_.size());
  std::size_t u = 0;
  archive.items(self.unit_pieces_, [&](auto& units) {
    archive.items(units, [&](auto& unit) {
      if constexpr (Archive::reads) {
        unit = std::make_unique<UnitPiece>();
      } else {
        numbers[u].emplace(unit.get(), static_cast<std::int64_t>(numbers[u].size()));
      }
      visit_unit(archive, *unit);
    });
    ++u;
  });
  const auto visit_pieces = [&](auto& pieces) {
    archive.items(pieces, [&](auto& piece) {
      visit_piece(archive, piece);
      std::size_t unit = 0;
      archive.items(piece.units, [&](auto& pointer) {
        std::int64_t number = 0;
        if constexpr (!Archive::reads) number = numbers[unit].at(pointer);
        archive(number);
        if constexpr (Archive::reads) pointer = self.unit_pieces_[unit][static_cast<std::size_t>(number)].get();
        ++unit;
      });
    });
  };
  for (auto* const parcels : {&self.sends_, &self.receives_}) {
    visit_pieces(parcels->pieces);
    archive.items(parcels->rounds, [&](auto& round) { visit_round(archive, round); });
  }
  visit_pieces(self.stays_);
  archive.items(self.sent_, archive);
  archive.items(self.received_, archive);
}

void Redistribution::write(WordWriter& to) const { visit(to, *this); }

Redistribution Redistribution::read(WordReader& from) {
  Redistribution result;
  visit(from, result);
  return result;
}

}  // namespace ricci::layout
