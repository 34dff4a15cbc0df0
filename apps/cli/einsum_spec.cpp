#include "einsum_spec.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>

namespace cli {
namespace {

using ricci::InputError;

constexpr bool is_label(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string labels_of(std::string_view text, std::string_view whole) {
  std::string labels;
  for (const char c : text) {
    if (c == ' ' || c == '\t') continue;
    if (c == '.') throw InputError(fmt::format("'{}': `...` is not supported; give every mode a label", whole));
    if (!is_label(c)) throw InputError(fmt::format("'{}': `{}` is no label; labels are letters", whole, c));
    labels += c;
  }
  return labels;
}

std::vector<std::string> operand_labels(std::string_view left, std::string_view whole) {
  std::vector<std::string> operands;
  for (std::size_t start = 0;;) {
    const auto comma = left.find(',', start);
    operands.push_back(labels_of(left.substr(start, comma - start), whole));
    if (comma == std::string_view::npos) return operands;
    start = comma + 1;
  }
}

std::string labels_that_stand_once(const std::vector<std::string>& operands) {
  std::map<char, int> count;
  for (const auto& labels : operands) {
    for (const char label : labels) ++count[label];
  }
  std::string once;
  for (const auto& [label, times] : count) {
    if (times == 1) once += label;
  }
  return once;
}

void check_operand(const std::string& labels, const EinsumOperand& operand, const EinsumOperand& first) {
  const auto& extents = operand.info.extents;
  if (labels.size() != extents.size()) {
    throw InputError(fmt::format("{} has {} modes ({}), but '{}' labels {}", operand.where, extents.size(),
                                 fmt::streamed(extents), labels, labels.size()));
  }
  if (operand.info.element_type != first.info.element_type) {
    throw InputError(fmt::format("{} holds {}, but {} holds {}; convert one so that all operands have one type",
                                 first.where, first.info.element_type, operand.where, operand.info.element_type));
  }
}

/// A label's extent, and the number of the operand that gave it.
struct LabelExtent {
  std::int64_t extent;
  std::size_t operand;
};

}  // namespace

EinsumSpec parse_einsum(std::string_view text) {
  EinsumSpec spec;
  const auto arrow = text.find("->");
  spec.operands = operand_labels(text.substr(0, arrow), text);
  spec.output =
      arrow == std::string_view::npos ? labels_that_stand_once(spec.operands) : labels_of(text.substr(arrow + 2), text);
  return spec;
}

ricci::Extents check_einsum(const EinsumSpec& spec, const std::vector<EinsumOperand>& operands) {
  if (spec.operands.size() != operands.size()) {
    throw InputError(
        fmt::format("the labels are for {} operands, but {} files are given", spec.operands.size(), operands.size()));
  }
  std::map<char, LabelExtent> known;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    check_operand(spec.operands[i], operands[i], operands[0]);
    for (std::size_t mode = 0; mode < spec.operands[i].size(); ++mode) {
      const char label = spec.operands[i][mode];
      const std::int64_t extent = operands[i].info.extents[mode];
      const auto there = known.try_emplace(label, LabelExtent{extent, i}).first;
      if (there->second.extent != extent) {
        const auto& [other, number] = there->second;
        throw InputError(fmt::format("label `{}` has extent {} in operand {} ({}), but {} in operand {} ({})", label,
                                     other, number + 1, operands[number].where, extent, i + 1, operands[i].where));
      }
    }
  }
  ricci::Extents extents;
  for (const char label : spec.output) {
    const auto found = known.find(label);
    if (found == known.end()) {
      throw InputError(fmt::format("label `{}` of the output is in no operand, so its extent is not known", label));
    }
    extents.push_back(found->second.extent);
  }
  return extents;
}

}  // namespace cli
