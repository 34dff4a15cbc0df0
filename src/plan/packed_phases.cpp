#include "plan/packed_phases.hpp"

#include <algorithm>

namespace ricci::planning {

namespace {

template <class Archive, class T>
void visit_message(Archive& archive, T& message) {
  const auto range = [&](auto& it) { archive(it.begin, it.size); };
  archive(message.peer, message.size, message.at, message.round);
  archive.items(message.ranges, range);
  archive.items(message.passed_on, range);
  archive.items(message.forwarded, range);
}

template <class Archive, class T>
void visit_operation(Archive& archive, T& operation) {
  archive(operation.operation, operation.operand, operation.factor, operation.accumulate);
  for (auto* const place : {&operation.out, &operation.a, &operation.b}) archive(place->where, place->begin);
}

template <class Archive, class T>
void visit_phase(Archive& archive, T& phase) {
  for (int x : {0, 1}) {
    archive.items(phase.sends[x], [&](auto& message) { visit_message(archive, message); });
    archive.items(phase.receives[x], [&](auto& message) { visit_message(archive, message); });
    archive(phase.fetched[x]);
    bool is_cut = phase.cut_anew[x] != nullptr;
    archive(is_cut);
    if (!is_cut) continue;
    if constexpr (Archive::reads) {
      phase.cut_anew[x] = std::make_shared<const layout::Redistribution>(layout::Redistribution::read(archive));
    } else {
      phase.cut_anew[x]->write(archive);
    }
  }
  archive.items(phase.operations, [&](auto& operation) { visit_operation(archive, operation); });
}

// Seven bits a byte, the lowest first; small numbers of either sign are short.
void put(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<std::uint8_t>(number | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(number));
}
std::uint64_t get(const std::vector<std::uint8_t>& bytes, std::size_t& at) {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint8_t byte = bytes[at++];
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
}
std::uint64_t folded(std::uint64_t difference) { return (difference << 1) ^ (0 - (difference >> 63)); }
std::uint64_t unfolded(std::uint64_t number) { return (number >> 1) ^ (0 - (number & 1)); }

/// The length, then for every number that is not what it was: how many are before it, and the difference.
void put_changes(std::vector<std::uint8_t>& bytes, const Words& words, Words& before) {
  put(bytes, words.size());
  before.resize(words.size(), 0);
  std::size_t same = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == before[i]) {
      ++same;
      continue;
    }
    put(bytes, same + 1);
    put(bytes, folded(static_cast<std::uint64_t>(words[i]) - static_cast<std::uint64_t>(before[i])));
    same = 0;
  }
  put(bytes, 0);
}

void get_changes(const std::vector<std::uint8_t>& bytes, std::size_t& at, Words& words) {
  words.resize(get(bytes, at), 0);
  std::size_t i = 0;
  while (const std::uint64_t step = get(bytes, at)) {
    i += step;
    std::int64_t& word = words[i - 1];
    word = static_cast<std::int64_t>(static_cast<std::uint64_t>(word) + unfolded(get(bytes, at)));
  }
}

}  // namespace

PackedPhases::PackedPhases(const std::vector<Phase>& phases) {
  for (const Phase& phase : phases) add(phase);
  finish();
}

void PackedPhases::add(const Phase& phase) {
  ++count_;
  Words words;
  words.reserve(before_.size());
  WordWriter writer(words);
  visit_phase(writer, phase);
  put_changes(bytes_, words, before_);
  longest_ = std::max(longest_, words.size());
  const std::int64_t here = phase.table_bytes();
  unpacked_ = std::max(unpacked_, last_ + here);
  last_ = here;
  before_ = std::move(words);
}

void PackedPhases::finish() {
  before_ = {};
  bytes_.shrink_to_fit();
}

PackedProgram make_packed_program(const BlockContraction& contraction, int rank) {
  PackedProgram packed;
  if (contraction.phases == 1) {
    packed.program = make_program(contraction, rank);
    return packed;
  }
  packed.program = make_program(contraction, rank, [&](const Phase& phase) { packed.phases.add(phase); });
  packed.phases.finish();
  return packed;
}

std::shared_ptr<const Phase> PackedPhases::Reader::next() {
  if (read_ == phases_.count_) return nullptr;
  ++read_;
  get_changes(phases_.bytes_, at_, words_);
  WordReader reader(words_);
  auto phase = std::make_shared<Phase>();
  visit_phase(reader, *phase);
  return phase;
}

}  // namespace ricci::planning
